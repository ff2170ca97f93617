// The column, parameter and property that hold the id of another record.

import type { ReferenceField } from '../../language/language.js';
import type { Parameter, Property, UnnumberedColumn } from '../model.js';

/** What the id of a record looks like, wherever one is named. */
export const ID_SCHEMA = { type: 'string', minLength: 1, maxLength: 64 } as const;
const ID_EXAMPLE = '0a01kmz3b5wqd7c8r9t2v4x6y8';

export interface IdColumn {
  readonly kind: 'reference' | 'image' | 'file';
  readonly to: string;
  readonly onDelete: 'cascade' | 'set_null' | 'restrict';
  readonly required: boolean;
  /** The caller's own unless given. */
  readonly owned: boolean;
  readonly settable: boolean;
  readonly inside: boolean;
}

export function idColumn(name: string, id: IdColumn): UnnumberedColumn {
  const sent = id.owned ? `input.${name} ?? owner(context)` : id.required ? `input.${name}` : `input.${name} ?? null`;
  const kept = id.required ? `input.${name} ?? row.${name}` : `kept(input.${name}, row.${name}, null)`;
  return {
    name,
    storage: 'text',
    kind: id.kind,
    rowType: id.required ? 'string' : 'string | null',
    nullable: !id.required,
    default: null,
    check: null,
    references: { table: id.to, onDelete: id.onDelete, inside: id.inside },
    create: id.settable ? sent : id.owned ? 'owner(context)' : 'null',
    update: id.settable ? kept : `row.${name}`,
    copies: null,
  };
}

export type Described = Pick<ReferenceField, 'description' | 'synonyms' | 'set' | 'example' | 'view'>;

export function idParameter(
  name: string,
  field: Described,
  { required, owned }: { required: boolean; owned: boolean },
): Parameter {
  return {
    name,
    kind: 'reference',
    description: field.description ?? '',
    schema: ID_SCHEMA,
    type: 'string',
    requiredOnCreate: required,
    requiredOnUpdate: false,
    nullable: !required && !owned,
    synonyms: [...(field.synonyms ?? [])],
    set: field.set === 'admin' ? 'admin' : null,
    example: field.example ?? ID_EXAMPLE,
  };
}

export function idProperty(name: string, field: Described, required: boolean): Property {
  return {
    name,
    description: field.description ?? '',
    schema: ID_SCHEMA,
    type: 'string',
    view: viewOf(field),
    source: { kind: 'column', column: name },
    nullable: !required,
    whenSet: false,
    example: field.example ?? ID_EXAMPLE,
  };
}

/** Null: whoever may read the record. */
export function viewOf(field: Described): string | null {
  return field.view === undefined || field.view === 'anyone' ? null : field.view;
}
