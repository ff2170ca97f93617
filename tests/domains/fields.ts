// Random fields of every kind, with random keys that fit the kind more often than not. Judges nothing: `check` does.
import type { Chance } from '../support/chance.js';
import type { Drawn } from './domain.js';

export interface Field {
  readonly kind: string;
  readonly [key: string]: unknown;
}
export type Fields = Readonly<Record<string, Field>>;

interface Wanted {
  readonly count: number;
  /** Rights of the resource that a view may name. */
  readonly rights: readonly string[];
  /** Nothing is required: tests make users and uploads without. */
  readonly optional: boolean;
}

export function drawFields(drawn: Drawn, { count, rights, optional }: Wanted): Fields {
  const { chance, names, uploads } = drawn;
  const fields: Record<string, Field> = {};
  for (let at = 0; at < count; at++) {
    const kind = chance.one(Object.keys(KINDS));
    const upload = kind === 'image' || kind === 'file';
    if (upload && (uploads === null || optional)) continue;
    const own = { kind, ...KINDS[kind]?.(drawn), ...shared(drawn, kind, rights) };
    fields[names.field()] = { ...own, ...(optional ? { required: false } : {}) };
  }
  if (!optional && chance.happens(0.3)) fields[names.field()] = { kind: 'text', required: true, unique: true };
  return { ...fields, ...computed(drawn, fields) };
}

type Keys = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, (drawn: Drawn) => Keys>> = {
  text({ chance, names }) {
    const min = chance.happens(0.3) ? chance.below(5) : undefined;
    const max = chance.happens(0.5) ? 5 + chance.below(300) : undefined;
    return {
      ...some({ min, max }),
      ...often(
        chance,
        0.3,
        'default',
        names
          .word()
          .padEnd(min ?? 0, 'x')
          .slice(0, max),
      ),
    };
  },
  integer({ chance }) {
    if (chance.happens(0.2)) return { values: [40, 60, 80], ...often(chance, 0.5, 'default', 60) };
    const min = chance.happens(0.5) ? chance.below(20) - 10 : undefined;
    const max = chance.happens(0.5) ? 10 + chance.below(2000) : undefined;
    return { ...some({ min, max }), ...often(chance, 0.4, 'default', min ?? 3) };
  },
  decimal({ chance }) {
    const scale = chance.happens(0.5) ? chance.below(5) : undefined;
    const part = (scale ?? 2) > 0 && chance.happens(0.4) ? 0.5 : 0;
    const min = chance.happens(0.5) ? chance.below(10) - 5 + part : undefined;
    const max = chance.happens(0.5) ? 6 + chance.below(2000) + part : undefined;
    return { ...some({ min, max, scale }), ...often(chance, 0.4, 'default', chance.one([String(min ?? 4), min ?? 4])) };
  },
  boolean: ({ chance }) => ({
    ...often(chance, 0.4, 'default', chance.happens(0.5)),
    ...often(chance, 0.3, 'as', 'bit'),
  }),
  date: ({ chance }) => often(chance, 0.2, 'default', '2030-01-31T12:00:00Z'),
  day: ({ chance }) => often(chance, 0.2, 'default', '2030-01-31'),
  enum({ chance, names }) {
    const values = [...new Set(Array.from({ length: 1 + chance.below(4) }, () => names.word()))];
    return { values, ...often(chance, 0.4, 'default', values[0]) };
  },
  url: ({ chance }) => ({
    ...often(chance, 0.3, 'max', 32 + chance.below(200)),
    ...often(chance, 0.2, 'default', 'https://example.com/?a=1&b=2'),
  }),
  json: ({ chance }) => ({
    ...often(
      chance,
      0.5,
      'schema',
      chance.one([
        { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
        { type: 'object', properties: { a: { type: 'string', maxLength: 5 } } },
        { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'boolean' } } },
      ]),
    ),
  }),
  image: ({ chance }) => ({
    ...often(chance, 0.2, 'proof', false),
    ...often(chance, 0.3, 'types', ['image/png', 'image/svg+xml']),
  }),
  file: ({ chance }) => often(chance, 0.5, 'types', [chance.one(['application/pdf', 'application/zip', 'image/gif'])]),
};

/** Keys that speak of callers and lists. */
function shared({ chance, names }: Drawn, kind: string, rights: readonly string[]): Keys {
  const json = kind === 'json';
  const view = chance.happens(0.3) ? chance.one(['editor', 'created', 'nobody', ...rights]) : undefined;
  return {
    description: names.text(),
    ...often(chance, 0.3, 'required', true),
    ...some({ view }),
    ...often(chance, 0.1, 'set', 'admin'),
    ...(json || kind === 'password' || kind === 'boolean' ? {} : often(chance, 0.08, 'unique', true)),
    ...(json || view !== undefined || kind === 'image' || kind === 'file' ? {} : often(chance, 0.3, 'filter', true)),
    ...(chance.happens(0.15) ? { synonyms: [names.field()] } : {}),
    ...(chance.happens(0.15) ? { shown_as: [names.field()] } : {}),
    ...(chance.happens(0.05) ? { deprecated: '2029-01-01' } : {}),
  };
}

/** Copies of what everyone sees, and texts put together from it. */
function computed({ chance, names }: Drawn, fields: Fields): Fields {
  const open = Object.keys(fields).filter(
    (name) => ['text', 'integer', 'enum', 'url'].includes(fields[name]?.kind ?? '') && fields[name]?.view === undefined,
  );
  if (open.length === 0 || chance.happens(0.6)) return {};
  const name = chance.one(open);
  return {
    [names.field()]: { kind: 'computed', ...chance.one([{ copy: name }, { text: `it's {${name}} "and" {id}` }]) },
  };
}

function often(chance: Chance, probability: number, key: string, value: unknown): Keys {
  return chance.happens(probability) ? { [key]: value } : {};
}

function some(keys: Keys): Keys {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}
