// The column, parameter and property that hold the id of another record, and what the kinds with such an id share.

import type { Reference } from '../../../runtime/contract/definition.js';
import type { RawField } from '../../language/language.js';
import type { ColumnWrite, Parameter, Property, UnnumberedColumn } from '../model.js';
import { PLAIN } from './kind.js';

/** The id of a record, as callers send and see it. */
const ID_SCHEMA = { type: 'string', minLength: 1, maxLength: 64 } as const;
export const ID_EXAMPLE = '0a01kmz3b5wqd7c8r9t2v4x6y8';

/** What all kinds that hold an id have in common. */
export const RECORD_ID = {
  ...PLAIN,
  sortable: false,
  literalDefaults: false,
  schema: () => ID_SCHEMA,
  validationSchema: () => ID_SCHEMA,
  shown: () => ID_SCHEMA,
  example: () => ID_EXAMPLE,
} as const;

export interface IdColumn {
  readonly kind: UnnumberedColumn['kind'];
  readonly to: string;
  readonly onDelete: Reference['onDelete'];
  readonly required: boolean;
  /** Whether the caller is the default. */
  readonly owned: boolean;
  readonly settable: boolean;
  readonly inside: boolean;
  readonly made?: boolean;
}

export function idColumn(name: string, id: IdColumn): UnnumberedColumn {
  return {
    name,
    storage: 'text',
    kind: id.kind,
    nullable: !id.required,
    default: null,
    check: null,
    references: { table: id.to, onDelete: id.onDelete, inside: id.inside, ...(id.made ? { made: true } : {}) },
    write: writeOf(id),
    sortable: false,
    copies: null,
  };
}

function writeOf({ owned, required, settable }: IdColumn): ColumnWrite {
  const otherwise = owned ? ({ from: 'owner' } as const) : ({ from: 'literal', value: null } as const);
  if (!settable) return { by: 'service', initial: otherwise, update: 'kept' };
  if (owned) return { by: 'caller', initial: otherwise, emptied: 'kept' };
  return { by: 'caller', initial: required ? null : otherwise, emptied: required ? 'kept' : 'initial' };
}

export function idParameter(
  name: string,
  field: RawField,
  { required, owned }: { required: boolean; owned: boolean },
): Parameter {
  return {
    name,
    kind: 'reference',
    description: field.description ?? '',
    schema: ID_SCHEMA,
    validationSchema: ID_SCHEMA,
    structured: false,
    refers: true,
    unset: null,
    requiredOnCreate: required,
    requiredOnUpdate: false,
    nullable: !required && !owned,
    synonyms: [...(field.synonyms ?? [])],
    set: field.set === 'admin' ? 'admin' : null,
    example: field.example ?? ID_EXAMPLE,
  };
}

export function idProperty(name: string, field: RawField, required: boolean): Property {
  return {
    name,
    description: field.description ?? '',
    schema: ID_SCHEMA,
    view: viewKeyOf(field),
    source: { kind: 'column', column: name },
    nullable: !required,
    whenSet: false,
    example: field.example ?? ID_EXAMPLE,
  };
}

interface DescribedRecord {
  /** The column of its id. */
  readonly column: string;
  readonly field: RawField;
  readonly target: string;
}

/** The brief description of the record that a column names (D25). @param noun `file` */
export function briefProperty(name: string, noun: string, { column, field, target }: DescribedRecord): Property {
  return {
    name,
    description: `Brief description of the ${noun} in ${column}; included if that is set.`,
    schema: { $ref: `#/components/schemas/${target}_brief` },
    view: viewKeyOf(field),
    source: { kind: 'description', through: column },
    nullable: false,
    whenSet: true,
    example: undefined,
  };
}

/** Null for everyone who may read the record. */
export function viewKeyOf({ view }: RawField): string | null {
  return view === undefined || view === 'anyone' ? null : view;
}
