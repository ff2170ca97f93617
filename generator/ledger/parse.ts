// Parses the text of spec/ledger.json.

import { fileSchema } from '../check/structure.js';
import type { Keywords } from '../language/keywords.js';
import { FIXED } from './columns.js';
import { duplicates } from './duplicates.js';
import { allEntries } from './extend.js';
import { type Clash, joinLedgers } from './join.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { hasConflictMarks, type RepeatedKey, repeatedKeys, sidesOf, withCommas } from './sides.js';

/**
 * Where git left conflict marks, the two sides are joined.
 * @param wholeSides both sides as they were before the merge; null: all that is known of them is around the marks
 * @returns the ledger, or what is wrong with the text and what to do about it, as the end of a sentence that starts with the path
 */
export function parseLedger(text: string, wholeSides: readonly [string, string] | null = null): Ledger | string {
  if (!hasConflictMarks(text)) return parsed(text) ?? DAMAGED;
  const sides = wholeSides?.map(parsed) ?? sidesOf(text).map((side) => parsedSide(withCommas(side)));
  const [one, other] = sides;
  return one == null || other == null ? CONFLICT : joinLedgers(one, other);
}

/** What git put together from lines may not be what either side had. Null: it is not. */
function parsedSide(text: string): Ledger | null {
  const ledger = parsed(text);
  if (ledger === null || !isWhole(ledger)) return null;
  const clashes = repeatedKeys(text).map((one) => clashOf(one, ledger));
  if (clashes.includes(null)) return null;
  return { ...ledger, clashes: clashes.flatMap((one) => one ?? []) };
}

/** Every resource has the columns that all have, and no number is there twice, as that of a resource that one side renamed. */
function isWhole(ledger: Ledger): boolean {
  const hasFixed = ([, { columns }]: readonly [string, LedgerEntry]): boolean => FIXED.every((name) => name in columns);
  return allEntries(ledger).every(hasFixed) && duplicates(ledger).length === 0;
}

/** A name that git gave twice, since each side has it in another line. Null: it is more than that. */
function clashOf({ path, key, values }: RepeatedKey, { resources }: Ledger): Clash | null {
  const [kept, table = '', part, column, names] = path;
  const resource = resources[table]?.number;
  const numbers = values.map(Number);
  if (kept !== 'resources' || resource === undefined || numbers.some(Number.isNaN)) return null;
  if (part === 'columns' && column === undefined) return FIXED.includes(key) ? null : { name: key, numbers, resource };
  return part === 'values' && names === 'names' ? { name: key, numbers, resource, column: Number(column) } : null;
}

function parsed(text: string): Ledger | null {
  try {
    const value: unknown = JSON.parse(text);
    return isLedger(value) ? value : null;
  } catch {
    return null;
  }
}

const DAMAGED = 'is damaged: restore it from version control; it must not be edited by hand';
const CONFLICT =
  'has conflict marks that cannot be joined without the index of git: run `git checkout --merge` on it, then gen, and add it afterwards';

/** What a later version may add is let through. */
const NUMBER = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const FORMERLY = mapOf({ type: 'array', items: { type: 'string' } });
const STATEMENTS = mapOf({ type: ['string', 'null'] });
const NAMES = { retired: mapOf(NUMBER), formerly: FORMERLY, was: STATEMENTS, uses: mapOf(NUMBER) };
const VALUES = {
  type: 'object',
  properties: { names: mapOf(NUMBER), latest: mapOf(NUMBER), ...NAMES },
  required: ['names'],
};
const ENTRY = {
  type: 'object',
  properties: { number: NUMBER, columns: mapOf(NUMBER), ...NAMES, values: mapOf(VALUES) },
  required: ['number', 'columns'],
};
const ledgerSchema = fileSchema({
  type: 'object',
  properties: { next: NUMBER, content: { type: 'string' }, resources: mapOf(ENTRY), ...NAMES, retired: mapOf(ENTRY) },
  required: ['next', 'resources'],
});

function mapOf(value: Keywords): Keywords {
  return { type: 'object', additionalProperties: value };
}

function isLedger(value: unknown): value is Ledger {
  return ledgerSchema()(value) === true;
}
