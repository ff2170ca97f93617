// The kinds that expand to one column, one parameter and one property, and their common parts.

import type { ParameterKind, StorageType } from '../../../runtime/contract/definition.js';
import type { Check, Kind as ConvertsAs } from '../../../runtime/schema/schema.js';
import type { RawField } from '../../language/language.js';
import type { ColumnWrite, Parameter, Property, UnnumberedColumn, ValueSource } from '../model.js';
import { type DefaultOf, fillColumns, readDefault, readFill } from './default-of.js';
import { type FieldContext, type FieldKind, type FieldParts, maySet, PLAIN } from './kind.js';

/** What a kind of value must define; it may define any other member of FieldKind, too. */
export type ValueRow<F extends RawField> = Required<
  Pick<FieldKind<F>, 'makes' | 'keys' | 'expects' | 'schema' | 'example'>
> &
  Partial<FieldKind<F>> &
  StoredAs<F>;

interface StoredAs<F> {
  readonly parameter: ParameterKind;
  readonly storage: StorageType;
  /** How stored values convert when the field changes its kind. */
  readonly convertsAs: ConvertsAs;
  /** The limit that the database enforces. */
  check(field: F): Check | null;
  /** Whether every wire profile shows it as 0 or 1. */
  isBit?(field: F): boolean;
}

type Value = ValueRow<RawField> & FieldKind;

/** @returns the kind defined by `row` */
export function valueKind<F extends RawField>(row: ValueRow<F>): FieldKind<F> {
  const { schema } = row;
  const kind = { ...PLAIN, validationSchema: schema, shown: schema, isBit: () => false, ...row };
  const value = kind as unknown as Value;
  return {
    ...kind,
    mayBeEmpty: (field) => mayBeEmpty(field, value),
    expand: (name, field, place) => expandValue(name, field, value, place),
  };
}

/** A default that is copied from another record is never empty: if that record has no value, callers have to send one. */
function mayBeEmpty(field: RawField, kind: Value): boolean {
  if (field.from !== undefined) return field.from === 'upload.width' || field.from === 'upload.height';
  return field.required !== true && field.default === undefined && kind.unset === undefined;
}

function expandValue(name: string, field: RawField, kind: Value, place: FieldContext): FieldParts {
  const settable = maySet(field);
  const declared = readDefault(field, kind);
  const write = settable ? sentWrite(field, declared, kind) : filledWrite(field, declared, kind);
  const column = columnOf(name, field, kind, { declared, write, place });
  const names = kind.secret ? [] : [name, ...(field.shown_as ?? [])];
  return {
    columns: [column],
    parameters: settable ? [parameter(name, field, kind), ...kind.furtherParameters(name, field)] : [],
    properties: names.map((as) => property(as, field, kind, column)),
  };
}

interface WrittenDefault {
  readonly declared: DefaultOf;
  readonly write: ColumnWrite;
  readonly place: FieldContext;
}

function columnOf(
  name: string,
  field: RawField,
  kind: Value,
  { declared, write, place }: WrittenDefault,
): UnnumberedColumn {
  return {
    name,
    storage: kind.storage,
    kind: kind.convertsAs,
    nullable: mayBeEmpty(field, kind),
    default: fallback(declared, kind),
    ...filledRows(field, kind, place),
    check: kind.check(field),
    references: null,
    write,
    sortable: kind.sortable,
    // The insert itself reads the value, so that it cannot change in between.
    copies: declared.is === 'copied' ? { through: `${declared.path[0]}_id`, column: declared.path[1] } : null,
  };
}

/** The values of existing rows when the column is added, if they do not get the default. */
function filledRows(field: RawField, kind: Value, { resource }: FieldContext): Partial<UnnumberedColumn> {
  const fill = readFill(field);
  if (fill.is === 'literal') return { default: kind.stored(fill.value) };
  if (fill.is === 'by_function')
    return { default: null, fill: { function: fill.function, schema: kind.validationSchema(field) } };
  return fill.is === 'none' ? {} : { default: null, ...fillColumns(field, resource) };
}

/** A value that the caller sends, which is required or has a default. */
function sentWrite(field: RawField, declared: DefaultOf, kind: Value): ColumnWrite {
  if (field.required) return { by: 'caller', initial: null, emptied: 'kept' };
  const value = fallback(declared, kind);
  const worked = declared.is === 'upload.name' && value === null;
  const initial: ValueSource = worked ? { from: 'upload', what: 'name' } : { from: 'literal', value };
  return { by: 'caller', initial, emptied: worked || declared.is === 'copied' ? 'kept' : 'initial' };
}

/** A value that the service sets: from the upload, the session or a random source, or a constant until it is written. */
function filledWrite({ from }: RawField, declared: DefaultOf, kind: Value): ColumnWrite {
  const by = (initial: ValueSource): ColumnWrite => ({ by: 'service', initial, update: 'kept' });
  if (from === undefined) return by({ from: 'literal', value: fallback(declared, kind) });
  if (from === 'random') return by({ from: 'random' });
  if (from === 'session.user') return by({ from: 'owner' });
  return by({ from: 'upload', what: from.slice('upload.'.length) as UploadFact });
}

type UploadFact = Extract<ValueSource, { from: 'upload' }>['what'];

function fallback(declared: DefaultOf, kind: Value): string | number | null {
  if (declared.is === 'literal') return kind.stored(declared.value);
  return kind.unset === undefined ? null : kind.stored(kind.unset);
}

function parameter(name: string, field: RawField, kind: Value): Parameter {
  const value = literalDefault(field, kind);
  const schema = kind.schema(field);
  return {
    name,
    kind: kind.parameter,
    description: field.description ?? '',
    schema: value === undefined ? schema : { ...schema, default: value },
    validationSchema: kind.validationSchema(field),
    structured: kind.structured,
    refers: false,
    unset: kind.unset ?? null,
    requiredOnCreate: field.required === true,
    requiredOnUpdate: false,
    nullable: mayBeEmpty(field, kind),
    synonyms: [...(field.synonyms ?? [])],
    ...(field.words && { words: field.words }),
    set: field.set === 'admin' ? 'admin' : null,
    example: exampleOf(name, field, kind),
  };
}

function exampleOf(name: string, field: RawField, kind: Value): unknown {
  return field.example ?? literalDefault(field, kind) ?? kind.example(field, name);
}

/** The default as a client would send it: a decimal is text, even if the descriptor has a number. */
function literalDefault(field: RawField, kind: Value): unknown {
  const declared = readDefault(field, kind);
  return declared.is === 'literal' ? kind.sent(declared.value) : undefined;
}

function property(name: string, field: RawField, kind: Value, column: UnnumberedColumn): Property {
  const isBit = kind.isBit?.(field) === true;
  return {
    name,
    description: field.description ?? '',
    schema: kind.shown(field),
    view: field.view === undefined || field.view === 'anyone' ? null : field.view,
    source: { kind: isBit ? 'bit' : 'column', column: column.name },
    nullable: column.nullable,
    whenSet: false,
    // A bit is sent as a boolean and shown as a number (D06).
    example: isBit ? Number(exampleOf(name, field, kind)) : exampleOf(name, field, kind),
  };
}
