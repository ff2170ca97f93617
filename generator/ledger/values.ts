// The values of enum fields and identities in the ledger, each with a number, which distinguishes renames from removals.

import type { RawField, RawResource } from '../language/language.js';
import { columnsOf, kindOf } from '../model/kinds/kinds.js';
import { assignment, byNumber, formerNamesKey, type LedgerEntry, type LedgerValues, optionalKey } from './ledger.js';
import { assignNumbers, claim, type Draw, type Fault, type Names, namesOf, renamesOf } from './names.js';
import type { Problem } from './problems.js';

export interface ExtendedValues {
  readonly entries: readonly (readonly [column: string, LedgerValues])[];
  readonly problems: readonly Problem[];
}

/** @param numbers of the columns, by name */
export function extendValues(
  entry: LedgerEntry,
  { resource, fields }: RawResource,
  { numbers, draw }: { readonly numbers: ReadonlyMap<string, number>; readonly draw: Draw },
): ExtendedValues {
  const listed = [...fields].filter(([, field]) => kindOf(field).listed?.type === 'string');
  const all = listed.map(([name, field]) => {
    const owner = numbers.get(columnsOf(name, field)[0] ?? '') ?? 0;
    const { values, faults } = extendOne(entry.values?.[owner], field, (value, earlier) =>
      draw({ kind: 'value', owner, name: value, earlier }),
    );
    const problems = faults.map((fault) => problemOf(fault, { resource, name, field }));
    return { entry: [String(owner), values] as const, problems };
  });
  const current = new Set(all.map((one) => one.entry[0]));
  // A column that was removed, or now holds something else, keeps its values, in case it returns.
  const lasting = Object.entries(entry.values ?? {}).filter(([column]) => !current.has(column));
  return {
    entries: [...lasting, ...all.map((one) => one.entry)],
    problems: all.flatMap((one) => one.problems),
  };
}

function extendOne(
  known: LedgerValues | undefined,
  { values = [], attributes = {} }: RawField,
  draw: (name: string, earlier: number) => number,
): { readonly values: LedgerValues; readonly faults: readonly Fault[] } {
  const names = namesOf({
    live: new Map(Object.entries(known?.names ?? {})),
    retired: new Map(Object.entries(known?.retired ?? {})),
    formerly: byNumber(known?.formerly),
  });
  const stated = values.map(String).map((name) => ({ name, was: attributes[name]?.was }));
  const wanted = stated.map(({ name, was }) => {
    const isApplied = names.live.has(name) && known?.was?.[name] === was;
    // A removed name returns without a statement, since its rows have kept it.
    return { name, was: isApplied ? undefined : was, returns: true };
  });
  const claims = claim(names, wanted);
  const { assign, usesKey } = assignment(names, known?.uses, draw);
  const assigned = new Map(wanted.map(({ name }) => [name, claims.numbers.get(name) ?? assign(name)]));
  const settled = assignNumbers(names, assigned);
  const live = new Set(stated.map(({ name }) => name));
  // A name that still exists is not an earlier name of another one.
  const taken = stated.flatMap(({ name, was }): readonly Fault[] =>
    was !== undefined && live.has(was) ? [{ kind: 'taken', name, owner: was }] : [],
  );
  const named = new Set(taken.map(({ name }) => name));
  return {
    faults: [...taken, ...claims.faults.filter(({ name }) => !named.has(name))],
    values: {
      names: Object.fromEntries([...settled.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', settled.retired),
      ...formerNamesKey(settled.formerly),
      ...optionalKey('latest', latestOf(names, assigned, known)),
      ...optionalKey(
        'was',
        stated.flatMap(({ name, was }) => (was === undefined ? [] : [[name, was] as [string, string]])),
      ),
      ...usesKey(),
    },
  };
}

/** Which value gave up a name last, if several did: old servers that still write the name mean that value. */
function latestOf(
  names: Names,
  assigned: ReadonlyMap<string, number>,
  known: LedgerValues | undefined,
): ReadonlyMap<string, number> {
  const others = (name: string, number: number): boolean =>
    [...names.formerly].some(([other, earlier]) => other !== number && earlier.includes(name));
  const again = [...renamesOf(names, assigned)].filter(([name, number]) => others(name, number));
  return new Map([...Object.entries(known?.latest ?? {}), ...again]);
}

function problemOf(
  fault: Fault,
  { resource, name, field }: { readonly resource: string; readonly name: string; readonly field: RawField },
): Problem {
  const was = field.attributes?.[fault.name]?.was ?? fault.name;
  const owner = fault.kind === 'taken' ? fault.owner : '';
  const isTwice = fault.kind === 'taken' && field.attributes?.[owner]?.was === was;
  const kind = fault.kind === 'taken' ? (isTwice ? 'twice' : 'exists') : fault.kind;
  return { kind, resource, field: name, value: fault.name, was, other: owner, known: [] };
}

/** The numbers of all values. */
export function valueNumbers(values: LedgerEntry['values'] = {}): readonly number[] {
  return Object.values(values).flatMap(({ names, retired = {} }) => [
    ...Object.values(names),
    ...Object.values(retired),
  ]);
}
