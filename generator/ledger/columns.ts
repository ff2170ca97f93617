// The columns of a resource that need numbers, and the earlier names its fields declare.

import type { RawResource } from '../language/language.js';
import { columnsOf, shortOf } from '../model/kinds/kinds.js';
import type { LedgerEntry, Statements } from './ledger.js';
import type { Names, Wanted } from './names.js';

/** Columns of every resource; no descriptor speaks of them. */
const FIXED = ['id', 'date_created', 'date_updated'];

/** What a field of this name could be kept in, whatever its kind. */
export function anyColumnsOf(name: string): readonly string[] {
  return [name, `${name}_id`, `has_proofed_${name}`];
}

export interface WantedColumn extends Wanted {
  /** Field it belongs to; null for a column that no field of the descriptor makes. */
  readonly field: string | null;
}

export interface WantedField {
  readonly name: string;
  /** What the descriptor says, followed or not. */
  readonly said: string | null | undefined;
  /** What is still to be followed. */
  readonly was: string | null | undefined;
  readonly columns: readonly string[];
  /** Some column of the field is in the ledger already, so that the name is not taken up anew. */
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
    const followed = inUse && field.was !== undefined && stated(entry.was, name) === field.was;
    const was = followed ? undefined : field.was;
    return [{ name, said: field.was, was, columns: columnsOf(name, field), inUse }];
  });
}

/** The statement about a name that has been followed. */
export function stated(was: Statements | undefined, name: string): string | null | undefined {
  return was !== undefined && Object.hasOwn(was, name) ? was[name] : undefined;
}

/** All columns in the order of the table: the fixed ones, the identity, those of the fields. */
export function wantedColumns(resource: RawResource, fields: readonly WantedField[]): readonly WantedColumn[] {
  // Nothing can be said of `identities`, so the column comes back when they do.
  const given = shortOf(resource.fields.get('identity')) === null ? FIXED : [...FIXED, 'identity'];
  return [
    ...given.map((name) => ({ name, was: undefined, returns: true, field: null })),
    ...fields.flatMap((field) => ofField(resource, field)),
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
