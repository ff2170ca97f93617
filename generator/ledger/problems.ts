// Translates faults in names into problems with the `was` of fields and resources; lists the columns that need numbers.

import { VERSION } from '../../runtime/schema/version.js';
import type { RawResource } from '../language/language.js';
import { FIXED_NAMES } from '../model/fixed.js';
import { columnsOf, shortOf } from '../model/kinds/kinds.js';
import type { LedgerEntry, RenameStatements } from './ledger.js';
import type { Fault, Names, WantedName } from './names.js';

/**
 * exists: `was` names something that still exists; twice: another name claims the same; unknown: the name never existed;
 * reused: a name that was given up is used again without a statement about its former owner.
 */
export interface Problem {
  readonly kind: 'exists' | 'twice' | 'unknown' | 'reused';
  readonly resource: string;
  /** Null for the name of the resource itself. */
  readonly field: string | null;
  /** The value of the field that has the statement; absent if it is about the field itself. */
  readonly value?: string;
  /** The value of `was`; for `reused`, the name itself. */
  readonly was: string;
  /** The owner or claimant of the name in `was`; empty if there is none. */
  readonly other: string;
  /** Names that may have been meant. */
  readonly known: readonly string[];
}

interface Statement {
  readonly name: string;
  /** The descriptor's `was`, whether applied already or not. */
  readonly statedWas: string | null | undefined;
  /** The `was` that has yet to be applied. */
  readonly was: string | null | undefined;
}

export type WantedResource = WantedName & Statement;

/** Faults in the names of resources. */
export function resourceProblems(
  faults: readonly Fault[],
  resources: readonly WantedResource[],
  names: Names,
): readonly Problem[] {
  const byName = new Map(resources.map((one) => [one.name, one]));
  const known = unusedNames(allNames(names), byName);
  const fromFaults = faults.map((fault) => ({
    field: fault.name,
    ...problemOf(fault, fault.name, fault.kind === 'taken' ? fault.owner : '', byName),
  }));
  const problems = withoutRepeats([...fromFaults, ...stillPresent(byName)]);
  return problems.map(({ field: resource, ...one }) => ({ ...one, resource, field: null, known }));
}

export interface Columns {
  readonly resource: string;
  readonly fields: readonly WantedField[];
  readonly wanted: readonly WantedColumn[];
  readonly names: Names;
}

/** Faults in the names of columns, reported once per field. */
export function fieldProblems(faults: readonly Fault[], columns: Columns): readonly Problem[] {
  const { resource, fields, wanted, names } = columns;
  const fieldOf = new Map(wanted.map(({ name, field }) => [name, field]));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const unknown = new Set(faults.filter(({ kind }) => kind === 'unknown').map(({ name }) => name));
  const ofColumns = faults.flatMap((fault) => {
    const field = fieldOf.get(fault.name) ?? fault.name;
    const owner = fault.kind === 'taken' ? (fieldOf.get(fault.owner) ?? fault.owner) : '';
    // A missing proof flag is not a mistake as long as another column of the old field exists.
    const partly = fault.kind === 'unknown' && byName.get(field)?.columns.some((column) => !unknown.has(column));
    return partly ? [] : [{ field, ...problemOf(fault, field, owner, byName) }];
  });
  const ofFields = allNames(names).filter((column) => fieldOf.get(column) !== null);
  const known = unusedNames(fieldNames(ofFields), byName);
  const problems = [...ofColumns, ...stillPresent(byName), ...reusedByOtherKind(columns)];
  return withoutRepeats(problems).map((one) => ({ ...one, resource, known }));
}

type ProblemText = Pick<Problem, 'kind' | 'was' | 'other'>;
type FieldProblem = ProblemText & { readonly field: string };

/** Keeps one problem of each kind per name; a name that still exists is not also reported as unknown. */
function withoutRepeats(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const byKey = new Map(problems.map((one) => [`${one.kind} ${one.field}`, one]));
  return [...byKey.values()].filter(({ kind, field }) => kind !== 'unknown' || !byKey.has(`exists ${field}`));
}

function problemOf(fault: Fault, name: string, owner: string, byName: ReadonlyMap<string, Statement>): ProblemText {
  const was = byName.get(name)?.statedWas ?? name;
  if (fault.kind !== 'taken') return { kind: fault.kind, was, other: '' };
  const other = byName.get(owner);
  const claims = typeof other?.was === 'string' || (typeof other?.statedWas === 'string' && other.statedWas === was);
  return { kind: claims ? 'twice' : 'exists', was, other: owner };
}

/** Fields that stay although another one claims their names; if their kinds differ, they share no column. */
function stillPresent(byName: ReadonlyMap<string, Statement>): readonly FieldProblem[] {
  return [...byName.values()].flatMap(({ name, was }) => {
    if (typeof was !== 'string' || was === name) return [];
    const stays = byName.get(was);
    return stays !== undefined && stays.was === undefined
      ? [{ kind: 'exists' as const, field: name, was, other: was }]
      : [];
  });
}

/** Names that were given up by fields of another kind, so that they share no column. */
function reusedByOtherKind({ fields, wanted, names }: Columns): readonly FieldProblem[] {
  const fieldOf = new Map(wanted.map(({ name, field }) => [name, field]));
  return fields.flatMap(({ name, was, inUse }) => {
    if (was !== undefined || inUse) return [];
    const before = anyColumnsOf(name).some(
      (column) => (fieldOf.get(column) ?? name) === name && (names.retired.has(column) || names.former.has(column)),
    );
    return before ? [{ kind: 'reused' as const, field: name, was: name, other: '' }] : [];
  });
}

function allNames({ live, retired, former }: Names): readonly string[] {
  return [...live.keys(), ...retired.keys(), ...former.keys()];
}

/** Names of the ledger that the descriptors no longer use. */
function unusedNames(names: readonly string[], used: ReadonlyMap<string, Statement>): readonly string[] {
  return [...new Set(names)].filter((name) => !used.has(name)).sort();
}

/** The names of fields that the columns may have come from. */
function fieldNames(columns: readonly string[]): readonly string[] {
  return columns.filter((name) => !name.startsWith('has_proofed_')).map((name) => name.replace(/_id$/, ''));
}

/** The columns that a field of this name could have, of any kind. */
function anyColumnsOf(name: string): readonly string[] {
  return [name, `${name}_id`, `has_proofed_${name}`];
}

export interface WantedColumn extends WantedName {
  /** The field of the column; null if it does not come from a field of the descriptor. */
  readonly field: string | null;
}

export interface WantedField {
  readonly name: string;
  /** The descriptor's `was`, whether applied already or not. */
  readonly statedWas: string | null | undefined;
  /** The `was` that has yet to be applied. */
  readonly was: string | null | undefined;
  readonly columns: readonly string[];
  /** Whether the ledger has a column of the field, so that the name is not being reused. */
  readonly inUse: boolean;
}

/** The stored fields of a resource, in the order of the descriptor. */
export function wantedFields(resource: RawResource, entry: LedgerEntry, names: Names): readonly WantedField[] {
  const owners = new Map(
    [...resource.fields].flatMap(([name, field]) => columnsOf(name, field).map((column) => [column, name] as const)),
  );
  return [...resource.fields].flatMap(([name, field]) => {
    if (columnsOf(name, field).length === 0 || shortOf(field) !== null) return [];
    const inUse = anyColumnsOf(name).some((column) => names.live.has(column) && (owners.get(column) ?? name) === name);
    const isApplied = inUse && field.was !== undefined && renameStatement(entry.was, name) === field.was;
    const was = isApplied ? undefined : field.was;
    return [{ name, statedWas: field.was, was, columns: columnsOf(name, field), inUse }];
  });
}

/** The statement that was applied for a name. */
export function renameStatement(was: RenameStatements | undefined, name: string): string | null | undefined {
  return was !== undefined && Object.hasOwn(was, name) ? was[name] : undefined;
}

/** All columns in the order of the table: the fixed ones, the identity, the fields', the version. */
export function wantedColumns(resource: RawResource, fields: readonly WantedField[]): readonly WantedColumn[] {
  // `identities` cannot have a `was`, so the column returns whenever they do.
  const fixed = shortOf(resource.fields.get('identity')) === null ? FIXED_NAMES : [...FIXED_NAMES, 'identity'];
  return [
    ...fixed.map((name) => ({ name, was: undefined, returns: true, field: null })),
    ...fields.flatMap((field) => ofField(resource, field)),
    { name: VERSION, was: undefined, returns: true, field: null },
  ];
}

function ofField(resource: RawResource, { name, was, columns, inUse }: WantedField): readonly WantedColumn[] {
  const raw = resource.fields.get(name);
  const earlier = typeof was === 'string' && raw !== undefined ? columnsOf(was, raw) : [];
  return columns.map((column, at) => ({
    name: column,
    was: was === null ? null : earlier[at],
    returns: inUse,
    field: name,
  }));
}
