// The values of enum fields and identities in the ledger: a number for each, so that a rename and a removal can be told apart.

import type { RawField, RawResource } from '../language/language.js';
import { columnsOf, kindOf } from '../model/kinds/kinds.js';
import type { LedgerEntry, LedgerValues } from './ledger.js';
import { claim, type Fault, isRenaming, namesOf, settle } from './names.js';
import type { Problem } from './problems.js';
import { type AssignNumber, byNumber, formerNamesKey, optionalKey } from './written.js';

export interface ExtendedValues {
  readonly entries: readonly (readonly [column: string, LedgerValues])[];
  readonly problems: readonly Problem[];
  readonly renamed: boolean;
}

/** @param numbers of the columns, by name */
export function extendValues(
  entry: LedgerEntry,
  { resource, fields }: RawResource,
  { numbers, assign }: { readonly numbers: ReadonlyMap<string, number>; readonly assign: AssignNumber },
): ExtendedValues {
  const listed = [...fields].filter(([, field]) => kindOf(field).listed?.type === 'string');
  const all = listed.map(([name, field]) => {
    const column = String(numbers.get(columnsOf(name, field)[0] ?? ''));
    const { values, faults, renamed } = extendOne(entry.values?.[column], field, assign);
    const problems = faults.map((fault) => problemOf(fault, { resource, name, field }));
    return { entry: [column, values] as const, problems, renamed };
  });
  const known = new Set(all.map((one) => one.entry[0]));
  // A column that is gone, or holds something else, keeps its values, in case it returns.
  const lasting = Object.entries(entry.values ?? {}).filter(([column]) => !known.has(column));
  return {
    entries: [...lasting, ...all.map((one) => one.entry)],
    problems: all.flatMap((one) => one.problems),
    renamed: all.some((one) => one.renamed),
  };
}

function extendOne(
  known: LedgerValues | undefined,
  { values = [], attributes = {} }: RawField,
  assign: AssignNumber,
): { readonly values: LedgerValues; readonly faults: readonly Fault[]; readonly renamed: boolean } {
  const names = namesOf({
    live: new Map(Object.entries(known?.names ?? {})),
    retired: new Map(Object.entries(known?.retired ?? {})),
    formerly: byNumber(known?.formerly),
  });
  const stated = values.map(String).map((name) => ({ name, was: attributes[name]?.was }));
  const wanted = stated.map(({ name, was }) => {
    const isApplied = names.live.has(name) && known?.was?.[name] === was;
    // A name that was removed returns without a statement: its rows have kept it.
    return { name, was: isApplied ? undefined : was, returns: true };
  });
  const claims = claim(names, wanted);
  const assigned = new Map(wanted.map(({ name }) => [name, claims.numbers.get(name) ?? assign()]));
  const settled = settle(names, assigned);
  const live = new Set(stated.map(({ name }) => name));
  // A name that is still there is not an earlier name of another one.
  const taken = stated.flatMap(({ name, was }): readonly Fault[] =>
    was !== undefined && live.has(was) ? [{ kind: 'taken', name, owner: was }] : [],
  );
  const named = new Set(taken.map(({ name }) => name));
  return {
    faults: [...taken, ...claims.faults.filter(({ name }) => !named.has(name))],
    renamed: isRenaming(names, assigned),
    values: {
      names: Object.fromEntries([...settled.live].sort(([, a], [, b]) => a - b)),
      ...optionalKey('retired', settled.retired),
      ...formerNamesKey(settled.formerly),
      ...optionalKey(
        'was',
        stated.flatMap(({ name, was }) => (was === undefined ? [] : [[name, was] as [string, string]])),
      ),
    },
  };
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

/** Every number that values have. */
export function valueNumbers(values: LedgerEntry['values'] = {}): readonly number[] {
  return Object.values(values).flatMap(({ names, retired = {} }) => [
    ...Object.values(names),
    ...Object.values(retired),
  ]);
}
