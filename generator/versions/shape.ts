// The public shape of a service as a cut keeps it (D68): what callers can send and see, by the ledger's numbers.

import type { ValueForm } from '../../runtime/contract/versions.js';
import type { Column, JsonSchema, List, Model, Parameter, Property, Resource } from '../model/model.js';
import type { Shape, ShapeField, ShapeList, ShapeResource } from './file.js';
import { formOf, schemaOfForm } from './forms.js';

export type { Shape, ShapeField, ShapeList, ShapeResource } from './file.js';

/** @returns what the service offers, as the file of a date */
export function cut(model: Model, version: string, sunset?: string): Shape {
  const resources = model.resources.map((resource) => [resource.name, shapeOf(resource, model)] as const);
  return { version, ...(sunset === undefined ? {} : { sunset }), resources: Object.fromEntries(resources) };
}

function shapeOf(resource: Resource, model: Model): ShapeResource {
  const { name, constant, references, lists, oldNames, ignored, actions, filters, uniques, order, brief, upload } =
    resource;
  const numberOf = (column: string) => columnOf(resource, column)?.number ?? 0;
  return withoutEmpty({
    number: resource.number,
    type: constant === name ? undefined : constant,
    operations: withoutEmpty(resource.operations),
    fields: fieldsOf(resource, model),
    relations: Object.fromEntries(
      references.filter(({ related }) => related).map(({ relation, column }) => [relation, numberOf(column)]),
    ),
    lists: lists.map((list) => shapeOfList(list, resource, model)),
    paths: pathsOf(resource),
    old_names: Object.fromEntries(oldNames.map((one) => [one.name, one.identity])),
    ignores: ignored,
    actions: Object.fromEntries(actions.map((one) => [one.name, one.parameters.map((parameter) => parameter.name)])),
    filters: filters.map(numberOf),
    uniques: uniques.flatMap(({ columns }) => (columns.length > 1 ? [columns.map(numberOf)] : [])),
    order: order.map((term) => term.replace(/[^-]+/, (column) => String(numberOf(column)))),
    brief,
    upload: upload === null ? undefined : [upload.part, ...(upload.uses === undefined ? [] : [upload.uses])],
  }) as unknown as ShapeResource;
}

function fieldsOf(resource: Resource, model: Model): ShapeResource['fields'] {
  const shown = visible(resource);
  const names = shown.map(({ name }) => name);
  let after = names.indexOf('identity');
  for (const { name } of resource.parameters) {
    const at = names.indexOf(name);
    if (at < 0) names.splice(after + 1, 0, name);
    after = at < 0 ? after + 1 : at;
  }
  return Object.fromEntries(
    names.map((name) => {
      const property = shown.find((one) => one.name === name);
      const parameter = resource.parameters.find((one) => one.name === name);
      return [name, fieldOf(resource, model, { property, parameter })];
    }),
  );
}

interface FieldHalves {
  readonly property: Property | undefined;
  readonly parameter: Parameter | undefined;
}

function fieldOf(resource: Resource, model: Model, { property, parameter }: FieldHalves): ShapeField {
  const of = property === undefined ? parameterKey(resource, parameter) : propertyKey(resource, property, model);
  const column = resource.columns.find(({ number }) => number === of);
  const schema = parameter?.validationSchema ?? property?.schema;
  const form = column === undefined ? undefined : formOf(property, parameter);
  return withoutEmpty({
    of,
    only: parameter === undefined ? 'shown' : property === undefined ? 'sent' : undefined,
    form,
    schema: column === undefined && parameter === undefined ? undefined : limits(schema, column, form),
    values: valuesOf(column),
    default: defaultOf(parameter),
    required: parameter?.requiredOnCreate,
    nullable: property?.nullable,
    view: property?.view,
    when_set: property?.whenSet,
    synonyms: parameter?.synonyms,
  }) as unknown as ShapeField;
}

/** The properties that some caller sees. */
export function visible({ properties }: Resource): readonly Property[] {
  return properties.filter(({ view }) => view !== 'nobody');
}

export function columnOf(resource: Resource, name: string): Column | undefined {
  return resource.columns.find((column) => column.name === name);
}

/** Identifies a parameter across renames: the number of its column, or else its name. */
export function parameterKey(resource: Resource, parameter: Parameter | undefined): number | string {
  const { name = '', proves } = parameter ?? {};
  if (proves !== undefined) return `old ${columnOf(resource, proves)?.number}`;
  return columnOf(resource, name)?.number ?? `parameter ${name}`;
}

/** Identifies a property across renames: the number of its column, or what it is computed from, by numbers. */
export function propertyKey(resource: Resource, { name, source }: Property, model: Model): number | string {
  const number = (column: string, of: Resource | undefined = resource) =>
    (of && columnOf(of, column)?.number) ?? column;
  const named = (other: string) => model.resources.find((one) => one.name === other);
  switch (source.kind) {
    case 'column':
    case 'bit':
      return columnOf(resource, source.column)?.number ?? name;
    case 'constant':
      return 'type';
    case 'right':
      return `right ${source.right}`;
    case 'shown_once':
      return `token ${number(source.column)}`;
    case 'description':
      return `brief ${number(source.through)}`;
    case 'template':
      return `text ${source.text.replace(/\{(\w+)\}/g, (_, column: string) => `{${number(column)}}`)}`;
    case 'copy': {
      const to = resource.references.find(({ column }) => column === source.through)?.to ?? '';
      return `copy ${number(source.through)} ${number(source.column, named(to))}`;
    }
    default: {
      const of = named(source.of);
      const where = Object.entries(source.where ?? {}).map(([column, value]) => `${number(column, of)}=${value}`);
      const what = 'column' in source ? [number(source.column, of)] : [];
      return [source.kind, of?.number ?? source.of, number(source.by, of), ...what, ...where].join(' ');
    }
  }
}

/** The literal that a create stores if the parameter is not sent; undefined: it stores none. */
export function defaultOf(parameter: Parameter | undefined): unknown {
  return parameter?.schema.default ?? parameter?.unset ?? undefined;
}

/** The numbers of a column's choices. */
export function valuesOf(column: Column | undefined): Readonly<Record<string, number>> | undefined {
  if (column?.check?.rule !== 'choice') return undefined;
  return Object.fromEntries(column.check.names.map(({ name, number }) => [name, number]));
}

/** The keywords that the form does not imply; a decimal has its limits in place of a pattern, and a choice has its values. */
function limits(
  schema: JsonSchema | undefined,
  column: Column | undefined,
  form: ValueForm | undefined,
): JsonSchema | undefined {
  const { default: _, ...rest } = schema ?? {};
  if (column?.check?.rule === 'choice') return undefined;
  if (column?.check?.rule === 'decimal') {
    const { min, max, scale } = column.check;
    return { minimum: min, maximum: max, scale };
  }
  const implied = Object.entries(schemaOfForm(form));
  return Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => !implied.some(([k, v]) => k === key && v === value)),
  );
}

function shapeOfList(list: List, resource: Resource, model: Model): ShapeList {
  const named = (name: string) => model.resources.find((one) => one.name === name);
  const through = list.through === undefined ? undefined : named(list.through.resource);
  return withoutEmpty({
    on: named(list.parent)?.number ?? 0,
    name: list.name,
    by: columnOf(resource, list.by)?.number ?? 0,
    through: through && columnOf(through, list.through?.by ?? '')?.number,
    where: Object.fromEntries(
      Object.entries(list.where).map(([name, value]) => {
        const column = columnOf(resource, name);
        return [String(column?.number ?? name), valuesOf(column)?.[String(value)] ?? value];
      }),
    ),
    bulk: list.bulk,
  }) as unknown as ShapeList;
}

/** Identifies a list across renames: which records it holds, and below which. */
export function listKey({ name: _, bulk: _bulk, ...holds }: ShapeList): string {
  return JSON.stringify(holds);
}

/** The lists of a resource, each with its key. */
export function keyedLists(resource: Resource, model: Model): readonly (readonly [string, List])[] {
  return resource.lists.map((list) => [listKey(shapeOfList(list, resource, model)), list]);
}

function pathsOf({ paths }: Resource): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, string[]> = {};
  for (const { operation, base } of paths) all[operation] = [...(all[operation] ?? []), base];
  return all;
}

/** Leaves out undefined, false, null, and empty lists and objects; a default is kept whatever it is. */
function withoutEmpty(all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const says = ([key, value]: readonly [string, unknown]): boolean => {
    if (value === undefined) return false;
    if (key === 'default') return true;
    return value !== null && value !== false && !(typeof value === 'object' && Object.keys(value).length === 0);
  };
  return Object.fromEntries(Object.entries(all).filter(says));
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
