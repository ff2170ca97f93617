// Lists the columns of a resource that need numbers, and the earlier names that its fields declare.

import type { RawResource } from '../language/language.js';
import { columnsOf, shortOf } from '../model/kinds/kinds.js';
import type { LedgerEntry, Statements } from './ledger.js';
import type { Names, Wanted } from './names.js';

/** Columns of every resource, which no descriptor mentions. */
export const FIXED: readonly string[] = ['id', 'date_created', 'date_updated'];

/** The columns that a field of this name could have, whatever its kind. */
export function anyColumnsOf(name: string): readonly string[] {
  return [name, `${name}_id`, `has_proofed_${name}`];
}

export interface WantedColumn extends Wanted {
  /** Field it belongs to; null for a column that comes from no field of the descriptor. */
  readonly field: string | null;
}

export interface WantedField {
  readonly name: string;
  /** The descriptor's `was`, whether applied before or not. */
  readonly statedWas: string | null | undefined;
  /** The `was` that remains to be applied. */
  readonly was: string | null | undefined;
  readonly columns: readonly string[];
  /** A column of the field is already in the ledger, so the name is not being reused. */
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
    const isApplied = inUse && field.was !== undefined && stated(entry.was, name) === field.was;
    const was = isApplied ? undefined : field.was;
    return [{ name, statedWas: field.was, was, columns: columnsOf(name, field), inUse }];
  });
}

/** The statement about a name that was applied before. */
export function stated(was: Statements | undefined, name: string): string | null | undefined {
  return was !== undefined && Object.hasOwn(was, name) ? was[name] : undefined;
}

/** All columns in the order of the table: the fixed ones, the identity, those of the fields. */
export function wantedColumns(resource: RawResource, fields: readonly WantedField[]): readonly WantedColumn[] {
  // `identities` cannot have a `was`, so the column returns whenever they do.
  const fixed = shortOf(resource.fields.get('identity')) === null ? FIXED : [...FIXED, 'identity'];
  return [
    ...fixed.map((name) => ({ name, was: undefined, returns: true, field: null })),
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
