// Problems with the earlier names of a descriptor, in terms of fields and resources.

import { anyColumnsOf, type WantedColumn, type WantedField } from './columns.js';
import type { Fault, Names, Wanted } from './names.js';

/**
 * exists: `was` names what is still there; twice: another claims the same; unknown: there never was such a name;
 * reused: a name that was given up is used again, and nothing says whether the old one is meant.
 */
export interface Trouble {
  readonly kind: 'exists' | 'twice' | 'unknown' | 'reused';
  readonly resource: string;
  /** Null: it is the name of the resource itself. */
  readonly field: string | null;
  /** What `was` says; for `reused` the name itself. */
  readonly was: string;
  /** Who holds or claims what `was` asks for; '' where it is nobody. */
  readonly other: string;
  /** Names that may have been meant. */
  readonly known: readonly string[];
}

interface Said {
  readonly name: string;
  /** What the descriptor says, followed or not. */
  readonly said: string | null | undefined;
  /** What is still to be followed. */
  readonly was: string | null | undefined;
}

export type WantedResource = Wanted & Said;

/** Faults in the names of resources. */
export function resourceTroubles(
  faults: readonly Fault[],
  resources: readonly WantedResource[],
  names: Names,
): readonly Trouble[] {
  const said = new Map(resources.map((one) => [one.name, one]));
  const known = givenUp(allNames(names), said);
  const found = faults.map((fault) => ({
    field: fault.name,
    ...trouble(fault, fault.name, fault.kind === 'taken' ? fault.holder : '', said),
  }));
  const told = once([...found, ...staying(said)]);
  return told.map(({ field: resource, ...one }) => ({ ...one, resource, field: null, known }));
}

export interface Columns {
  readonly resource: string;
  readonly fields: readonly WantedField[];
  readonly wanted: readonly WantedColumn[];
  readonly names: Names;
}

/** Faults in the names of columns, told once for the field they belong to. */
export function fieldTroubles(faults: readonly Fault[], columns: Columns): readonly Trouble[] {
  const { resource, fields, wanted, names } = columns;
  const owner = new Map(wanted.map(({ name, field }) => [name, field]));
  const said = new Map(fields.map((field) => [field.name, field]));
  const unknown = new Set(faults.filter(({ kind }) => kind === 'unknown').map(({ name }) => name));
  const ofColumns = faults.flatMap((fault) => {
    const field = owner.get(fault.name) ?? fault.name;
    const holder = fault.kind === 'taken' ? (owner.get(fault.holder) ?? fault.holder) : '';
    // Another proof flag than before is no mistake, as long as something of the old field is there.
    const partly = fault.kind === 'unknown' && said.get(field)?.columns.some((column) => !unknown.has(column));
    return partly ? [] : [{ field, ...trouble(fault, field, holder, said) }];
  });
  const ofFields = allNames(names).filter((column) => owner.get(column) !== null);
  const known = givenUp(fieldNames(ofFields), said);
  const found = [...ofColumns, ...staying(said), ...otherForm(columns)];
  return once(found).map((one) => ({ ...one, resource, known }));
}

type Told = Pick<Trouble, 'kind' | 'was' | 'other'>;
type Found = Told & { readonly field: string };

/** One of each kind for a name; what still exists is not unknown too. */
function once(found: readonly Found[]): readonly Found[] {
  const kept = new Map(found.map((one) => [`${one.kind} ${one.field}`, one]));
  return [...kept.values()].filter(({ kind, field }) => kind !== 'unknown' || !kept.has(`exists ${field}`));
}

function trouble(fault: Fault, name: string, holder: string, said: ReadonlyMap<string, Said>): Told {
  const was = said.get(name)?.said ?? name;
  if (fault.kind !== 'taken') return { kind: fault.kind, was, other: '' };
  const other = said.get(holder);
  const claims = typeof other?.was === 'string' || (typeof other?.said === 'string' && other.said === was);
  return { kind: claims ? 'twice' : 'exists', was, other: holder };
}

/** A field whose name another takes over while it stays as it is; of another kind, it shares no column with it. */
function staying(said: ReadonlyMap<string, Said>): readonly Found[] {
  return [...said.values()].flatMap(({ name, was }) => {
    if (typeof was !== 'string' || was === name) return [];
    const stays = said.get(was);
    return stays !== undefined && stays.was === undefined
      ? [{ kind: 'exists' as const, field: name, was, other: was }]
      : [];
  });
}

/** A name that was given up by a field of another kind, so that no column is the same. */
function otherForm({ fields, wanted, names }: Columns): readonly Found[] {
  const owner = new Map(wanted.map(({ name, field }) => [name, field]));
  return fields.flatMap(({ name, was, inUse }) => {
    if (was !== undefined || inUse) return [];
    const before = anyColumnsOf(name).some(
      (column) => (owner.get(column) ?? name) === name && (names.retired.has(column) || names.former.has(column)),
    );
    return before ? [{ kind: 'reused' as const, field: name, was: name, other: '' }] : [];
  });
}

function allNames({ live, retired, former }: Names): readonly string[] {
  return [...live.keys(), ...retired.keys(), ...former.keys()];
}

/** Names of the ledger that the descriptors no longer use. */
function givenUp(names: readonly string[], used: ReadonlyMap<string, Said>): readonly string[] {
  return [...new Set(names)].filter((name) => !used.has(name)).sort();
}

/** Column names as the fields they may have come from. */
function fieldNames(columns: readonly string[]): readonly string[] {
  return columns.filter((name) => !name.startsWith('has_proofed_')).map((name) => name.replace(/_id$/, ''));
}
