// Parses the text of spec/ledger.json, even with git's conflict marks, and finds numbers that are assigned twice.

import { fileSchema, parsedJson } from '../form/structure.js';
import { mapOf } from '../language/keywords.js';
import { FIXED_NAMES } from '../model/fixed.js';
import { allEntries } from './extend.js';
import { type Clash, joinLedgers } from './join.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { valueNumbers } from './values.js';

/**
 * If git left conflict marks, joins the two sides.
 * @param wholeSides both sides as they were before the merge; null if only the text around the marks is known
 * @returns the ledger, or the problem with the text and its solution, as the end of a sentence that starts with the path
 */
export function parseLedger(text: string, wholeSides: readonly [string, string] | null = null): Ledger | string {
  if (!hasConflictMarks(text)) return parsed(text) ?? DAMAGED;
  const sides = wholeSides?.map(parsed) ?? sidesOf(text).map((side) => parsedSide(withCommas(side)));
  const [one, other] = sides;
  return one == null || other == null ? CONFLICT : joinLedgers(one, other);
}

/** Lines that git merged may differ from both sides; null if they do. */
function parsedSide(text: string): Ledger | null {
  const ledger = parsed(text);
  if (ledger === null || !isWhole(ledger)) return null;
  const clashes = repeatedKeys(text).map((one) => clashOf(one, ledger));
  if (clashes.includes(null)) return null;
  return { ...ledger, clashes: clashes.flatMap((one) => one ?? []) };
}

/** Whether every resource has the fixed columns and no number occurs twice, as after a rename by one side. */
function isWhole(ledger: Ledger): boolean {
  const hasFixed = ([, { columns }]: readonly [string, LedgerEntry]): boolean =>
    FIXED_NAMES.every((name) => name in columns);
  return allEntries(ledger).every(hasFixed) && duplicates(ledger).length === 0;
}

/** A name that git merged twice, since the sides have it on different lines; null if more than a name was merged. */
function clashOf({ path, key, values }: RepeatedKey, { resources }: Ledger): Clash | null {
  const [root, table = '', part, column, names] = path;
  const resource = resources[table]?.number;
  const numbers = values.map(Number);
  if (root !== 'resources' || resource === undefined || numbers.some(Number.isNaN)) return null;
  if (part === 'columns' && column === undefined)
    return FIXED_NAMES.includes(key) ? null : { name: key, numbers, resource };
  return part === 'values' && names === 'names' ? { name: key, numbers, resource, column: Number(column) } : null;
}

function parsed(text: string): Ledger | null {
  return parsedJson(text, ledgerSchema);
}

const DAMAGED = 'is damaged: restore it from version control; it must not be edited by hand';
const CONFLICT =
  'has conflict marks that cannot be joined without the index of git: run `git checkout --merge` on it, then gen, and add it afterwards';

/** Keys that a later version may add are accepted. */
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
const ledgerSchema = fileSchema<Ledger>({
  type: 'object',
  properties: { next: NUMBER, content: { type: 'string' }, resources: mapOf(ENTRY), ...NAMES, retired: mapOf(ENTRY) },
  required: ['next', 'resources'],
});

interface Duplicate {
  readonly number: number;
  /** `boxtop` or `boxtop.top_id`. */
  readonly one: string;
  readonly other: string;
}

/** Two resources that share several numbers are reported once. */
export function duplicates(ledger: Ledger): readonly Duplicate[] {
  const first = new Map<number, Holder>();
  const byPair = new Map<string, Duplicate>();
  for (const holder of allEntries(ledger).flatMap(holders)) {
    const earlier = first.get(holder.number);
    if (earlier === undefined) first.set(holder.number, holder);
    else {
      const pair = `${earlier.resource} ${holder.resource}`;
      const duplicate = { number: holder.number, one: earlier.name, other: holder.name };
      if (!byPair.has(pair)) byPair.set(pair, duplicate);
    }
  }
  return [...byPair.values()];
}

interface Holder {
  readonly number: number;
  readonly resource: string;
  readonly name: string;
}

function holders([resource, { number, columns, retired, values }]: readonly [string, LedgerEntry]): readonly Holder[] {
  const all = [...Object.entries(columns), ...Object.entries(retired ?? {})];
  return [
    { number, resource, name: resource },
    ...valueNumbers(values).map((one) => ({ number: one, resource, name: `a value of ${resource}` })),
    ...all.map(([column, columnNumber]) => ({ number: columnNumber, resource, name: `${resource}.${column}` })),
  ];
}

/** Whether git left conflict marks in the text. */
export function hasConflictMarks(text: string): boolean {
  return /^(<{7}|={7}|>{7})( |\r?$)/m.test(text);
}

type ConflictPart = 'both' | 'one' | 'base' | 'other';

/** The text of each side, which may be incomplete: changes of both go to one side, everything else to both. */
function sidesOf(text: string): readonly [string, string] {
  const sides = { one: [] as string[], other: [] as string[] };
  let part: ConflictPart = 'both';
  for (const line of text.split(/\r?\n/)) {
    const next = partAfter(line, part);
    if (next !== null) part = next;
    else {
      if (part === 'both' || part === 'one') sides.one.push(line);
      if (part === 'both' || part === 'other') sides.other.push(line);
    }
  }
  return [sides.one.join('\n'), sides.other.join('\n')];
}

/** @returns null for a line that is not a mark */
function partAfter(line: string, part: ConflictPart): ConflictPart | null {
  if (/^<{7}( |$)/.test(line)) return 'one';
  // The diff3 style also shows the common ancestor.
  if (/^\|{7}( |$)/.test(line)) return 'base';
  if (/^={7}$/.test(line) && part !== 'both') return 'other';
  return /^>{7}( |$)/.test(line) ? 'both' : null;
}

/** JSON with one key per line, and a comma exactly where another member follows: a side may end where the other continues. */
function withCommas(json: string): string {
  const lines = json.split('\n').filter((line) => line.trim() !== '');
  return lines
    .map((line, at) => {
      const bare = line.replace(/,\s*$/, '');
      const isLast = /^\s*[}\]]/.test(lines[at + 1] ?? '}');
      return isLast || /[{[]$/.test(bare) ? bare : `${bare},`;
    })
    .join('\n');
}

/** A key that occurs several times in an object of a JSON text, because git merged lines of both sides. */
interface RepeatedKey {
  /** The keys of the enclosing objects. */
  readonly path: readonly string[];
  readonly key: string;
  /** As texts; an object's is its bracket. */
  readonly values: readonly string[];
}

/** @param json as `withCommas` returns it */
function repeatedKeys(json: string): readonly RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  const open: { readonly key: string; readonly values: Map<string, string[]> }[] = [];
  for (const line of json.split('\n')) {
    const [, key = '', value = ''] = /^\s*"([^"]*)": (.*?),?$/.exec(line) ?? [];
    if (value !== '') {
      const { values } = open.at(-1) ?? { values: new Map<string, string[]>() };
      values.set(key, [...(values.get(key) ?? []), value]);
    }
    if (/[{[]$/.test(line)) open.push({ key, values: new Map() });
    if (!/^\s*[}\]]/.test(line)) continue;
    const path = open.map((one) => one.key).slice(1);
    for (const [name, all] of open.pop()?.values ?? []) {
      if (new Set(all).size > 1 || (all.length > 1 && /[{[]$/.test(all[0] ?? ''))) {
        repeated.push({ path, key: name, values: all });
      }
    }
  }
  return repeated;
}
