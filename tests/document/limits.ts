// Transcribes "Limits", with the limits of D27, D30 and the identities: both ends, and one step beyond. `refuses` is answered
// with `code` (D04) for the field; a value is sent as written, as text or number.
import { documented, records } from './resources.js';
import type { RecordName } from './table.js';

export interface Limit {
  readonly resource: RecordName;
  readonly parameter: string;
  /** `document`, or the decision that sets it. */
  readonly source: string;
  readonly accepts: readonly (string | number | boolean)[];
  readonly refuses: readonly (string | number | boolean)[];
  readonly code: 'invalid';
  /** The value of a record created without the parameter; absent if there is none, or if it is required. */
  readonly default?: string | number | boolean;
}

/** 1 to 99, default 1 (Conventions, rule 2). */
function quantity(resource: RecordName): Limit {
  return {
    resource,
    parameter: 'quantity',
    source: 'document',
    accepts: [1, 2, 98, 99, '1', '99'],
    refuses: [0, 100, -1, 1.5, '0', '100', 'abc', '1e1', '0x10', 1e21],
    code: 'invalid',
    default: 1,
  };
}

function diecolor(resource: RecordName, fallback: string): Limit {
  return {
    resource,
    parameter: 'diecolor',
    source: 'D27',
    accepts: ['x', 'x'.repeat(30)],
    refuses: ['x'.repeat(31)],
    code: 'invalid',
    default: fallback,
  };
}

/** Not in the document: 1 to 255 characters, counted in code points. */
function name(resource: RecordName): Limit {
  return {
    resource,
    parameter: 'name',
    source: 'ours',
    accepts: ['x', 'x'.repeat(255), '\u{1F3B2}'.repeat(255)],
    refuses: ['x'.repeat(256), 'a\u0000b'],
    code: 'invalid',
  };
}

function sequence(resource: RecordName, last: number, source: string): Limit {
  return {
    resource,
    parameter: 'sequence_number',
    source,
    accepts: [1, 2, last - 1, last, '1', `${last}`],
    refuses: [0, last + 1, -1, 1.5, 'abc'],
    code: 'invalid',
    default: 1,
  };
}

/** Every identity of each resource with identities, and a few that do not exist. */
const identities: readonly Limit[] = Object.entries(records).flatMap(([resource, record]) =>
  record.identities === null || record.defaultIdentity === null
    ? []
    : [
        {
          resource: resource as RecordName,
          parameter: 'identity',
          source: resource in documented ? 'document or D29' : 'D34',
          accepts: record.identities,
          refuses: ['NoSuchIdentity', record.defaultIdentity.toLowerCase(), ` ${record.defaultIdentity}`, 7],
          code: 'invalid' as const,
          default: record.defaultIdentity,
        },
      ],
);

export const limits: readonly Limit[] = [
  quantity('twosidedsluggedset'),
  quantity('twosidedslugged'),
  quantity('twosidedbox'),
  quantity('boxtop'),
  quantity('onesidedsluggedset'),
  quantity('onesidedslugged'),
  quantity('customcuttwosidedslugged'),
  quantity('customcolord6'),
  quantity('customwoodd6'),
  quantity('scorepad'),
  quantity('booklet'),
  quantity('coilbook'),
  sequence('bookletpage', 20, 'document'),
  sequence('coilbookpage', 1000, 'ours'),
  {
    resource: 'scorepad',
    parameter: 'page_count',
    source: 'document',
    accepts: [40, 60, 80, 100, '40', '100'],
    refuses: [39, 41, 59, 61, 79, 81, 99, 101, 0, -40, 40.5, 'abc'],
    code: 'invalid',
    default: 60,
  },
  {
    resource: 'designerassociate',
    parameter: 'share_percent',
    source: 'D30',
    accepts: ['0', '0.0001', '12.5', '99.9999', '100', 0, 100],
    refuses: ['-0.0001', '100.0001', '0.00001', '-1', '101', 'abc', -1, 101],
    code: 'invalid',
    default: '0',
  },
  {
    resource: 'gamedownload',
    parameter: 'free',
    source: 'document',
    accepts: [0, 1, true, false, '0', '1'],
    refuses: [2, -1, 'perhaps'],
    code: 'invalid',
    default: 0,
  },
  diecolor('customcolord6', 'white'),
  diecolor('customwoodd6', 'darkwood'),
  name('twosidedsluggedset'),
  name('twosidedslugged'),
  name('twosidedbox'),
  name('boxtop'),
  name('onesidedsluggedset'),
  name('onesidedslugged'),
  name('customcuttwosidedslugged'),
  name('customcolord6'),
  name('customwoodd6'),
  name('scorepad'),
  name('booklet'),
  name('bookletpage'),
  name('coilbook'),
  name('coilbookpage'),
  name('gamedownload'),
  ...identities,
];
