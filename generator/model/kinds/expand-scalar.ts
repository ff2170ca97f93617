// What a field of a scalar kind becomes: one column, one parameter, one property and its further names.

import { literal } from '../../emit/typescript.js';
import { defaultOf } from '../../language/default-of.js';
import type { Column, JsonSchema, Parameter, Property, UnnumberedColumn } from '../model.js';
import type { Part } from './part.js';
import { type Scalar, type ScalarField, scalar } from './scalars.js';

/** @returns the part of a text, integer, decimal, boolean, date, enum, url, json or password field called `name` */
export function expandScalar(name: string, field: ScalarField): Part {
  const kind = scalar(field);
  const settable = !field.read_only && field.from === undefined;
  return {
    columns: [{ ...column(name, field, kind, settable), ...copiedDefault(name, field) }],
    parameters: settable ? [parameter(name, field, kind), ...oldPassword(name, field)] : [],
    properties:
      field.kind === 'password' ? [] : [name, ...(field.shown_as ?? [])].map((as) => property(as, name, field, kind)),
  };
}

function column(name: string, field: ScalarField, kind: Scalar<ScalarField>, settable: boolean): UnnumberedColumn {
  const source = settable ? sent(name, field, kind) : filled(name, field, kind);
  return {
    name,
    storage: kind.storage,
    kind: field.kind,
    rowType: source.nullable ? `${kind.row(field)} | null` : kind.row(field),
    nullable: source.nullable,
    default: fallbackValue(field, kind),
    check: kind.check(field),
    references: null,
    create: source.create,
    update: source.update,
    copies: null,
  };
}

interface Source {
  readonly create: string;
  readonly update: string;
  readonly nullable: boolean;
}

/** A value the caller sends: required, or with the default of its kind. */
function sent(name: string, field: ScalarField, kind: Scalar<ScalarField>): Source {
  const value = kind.convert ? `${kind.convert}(input.${name})` : `input.${name}`;
  if (field.required) return { create: value, update: `${value} ?? row.${name}`, nullable: false };
  const fallback = fallbackExpression(name, field, kind);
  return {
    create: `${value} ?? ${fallback.create}`,
    update: `kept(${value}, row.${name}, ${fallback.update})`,
    nullable: fallback.nullable,
  };
}

/** What an optional value is without the caller's word: a literal, the upload's name, or a copy of a referenced record's. */
function fallbackExpression(name: string, field: ScalarField, kind: Scalar<ScalarField>): Source {
  const value = fallbackValue(field, kind);
  if (value !== null) return { create: literal(value), update: literal(value), nullable: false };
  if (defaultOf(field).is === 'upload.name') {
    return { create: 'uploaded(context).name', update: `row.${name}`, nullable: false };
  }
  return { create: 'null', update: 'null', nullable: true };
}

/** A value the service sets: from the upload, the session or chance, or a constant until something else writes it. */
function filled(name: string, field: ScalarField, kind: Scalar<ScalarField>): Source {
  const update = `row.${name}`;
  const from = field.from;
  if (from === undefined) {
    const value = fallbackValue(field, kind);
    return { create: literal(value), update, nullable: value === null };
  }
  if (from === 'random') return { create: 'context.random()', update, nullable: false };
  if (from === 'session.user') return { create: 'owner(context)', update, nullable: false };
  const what = from.slice('upload.'.length);
  return { create: `uploaded(context).${what}`, update, nullable: what === 'width' || what === 'height' };
}

function fallbackValue(field: ScalarField, kind: Scalar<ScalarField>): string | number | null {
  if (field.kind === 'boolean') return kind.stored(field.default ?? false);
  const said = defaultOf(field);
  return said.is === 'literal' ? kind.stored(said.value) : null;
}

/** A default that is another record's value is read by the insert itself, so that nothing changes in between. */
function copiedDefault(name: string, field: ScalarField): Partial<Column> {
  const said = defaultOf(field);
  if (said.is !== 'copied') return {};
  const [reference, column] = said.path;
  return {
    nullable: false,
    rowType: 'string | null',
    update: `kept(input.${name}, row.${name}, row.${name})`,
    copies: { through: `${reference}_id`, column },
  };
}

function parameter(name: string, field: ScalarField, kind: Scalar<ScalarField>): Parameter {
  return {
    name,
    kind: kind.parameter,
    description: field.description ?? '',
    schema: withDefault(kind.schema(field), field),
    type: kind.input(field),
    requiredOnCreate: field.required === true,
    requiredOnUpdate: false,
    nullable: !field.required && field.kind !== 'boolean' && field.default === undefined,
    synonyms: [...(field.synonyms ?? [])],
    set: field.set === 'admin' ? 'admin' : null,
    example: exampleOf(field, kind),
  };
}

/** Who changes a password that others may set as well has to know the old one (D47), whatever limits hold for a new one. */
function oldPassword(name: string, field: ScalarField): readonly Parameter[] {
  if (field.kind !== 'password' || field.set === 'admin') return [];
  return [
    {
      name: oldPasswordName(name),
      kind: 'password',
      description: `The current ${name}, required from everyone except administrators to change it.`,
      schema: { type: 'string', minLength: 1, format: 'password' },
      type: 'string',
      requiredOnCreate: false,
      requiredOnUpdate: false,
      nullable: false,
      synonyms: [],
      set: null,
      proves: name,
      example: 'battery staple',
    },
  ];
}

/** The parameter that takes the old value of the password `name`. */
export function oldPasswordName(name: string): string {
  return `old_${name}`;
}

function exampleOf(field: ScalarField, kind: Scalar<ScalarField>): unknown {
  return field.example ?? literalDefault(field) ?? kind.example(field);
}

function withDefault(schema: JsonSchema, field: ScalarField): JsonSchema {
  const value = literalDefault(field);
  return value === undefined ? schema : { ...schema, default: value };
}

/** As a client would send it: a decimal is text, also where the descriptor has a number. */
function literalDefault(field: ScalarField): unknown {
  const said = defaultOf(field);
  if (said.is !== 'literal') return undefined;
  return field.kind === 'decimal' ? String(said.value) : said.value;
}

function property(name: string, columnName: string, field: ScalarField, kind: Scalar<ScalarField>): Property {
  const source =
    field.read_only || field.from !== undefined ? filled(columnName, field, kind) : sent(columnName, field, kind);
  return {
    name,
    description: field.description ?? '',
    schema: kind.shownSchema(field) ?? kind.schema(field),
    type: kind.shownType(field),
    view: field.view === undefined || field.view === 'anyone' ? null : field.view,
    source: { kind: kind.shownAs(field), column: columnName },
    nullable: source.nullable && defaultOf(field).is !== 'copied',
    whenSet: false,
    // A bit is sent as a boolean and shown as a number (D06).
    example: field.kind === 'boolean' && field.as === 'bit' ? Number(exampleOf(field, kind)) : exampleOf(field, kind),
  };
}
