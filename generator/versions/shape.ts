// The public shape of a service as a cut keeps it (D68): what callers can send and see, by the ledger's numbers.

import type { RecordsOfList } from '../../runtime/contract/definition.js';
import type { ValueForm } from '../../runtime/contract/versions.js';
import { choicesOf, columnAt, columnOf, visible } from '../model/find.js';
import type { Column, JsonSchema, List, Model, Parameter, Property, Resource } from '../model/model.js';
import { numbersIn, renamed } from '../model/names.js';
import type { Shape, ShapeField, ShapeList, ShapeResource } from './file.js';
import { type FieldHalves, formOf, schemaOfForm } from './forms.js';

export type { Shape, ShapeField, ShapeList, ShapeResource } from './file.js';

/** @returns what the service offers, as the file of a date */
export function cut(model: Model, version: string, sunset?: string): Shape {
  const resources = model.resources.map((resource) => [resource.name, shapeOf(resource, model)] as const);
  return { version, ...(sunset === undefined ? {} : { sunset }), resources: Object.fromEntries(resources) };
}

function shapeOf(resource: Resource, model: Model): ShapeResource {
  const { name, number, constant, references, oldNames, ignored, actions, brief, upload } = resource;
  const { filters, uniques, order } = resource;
  const numbered = renamed({ filters, uniques, order }, resource, numbersIn(model));
  const related = references.filter((one) => one.related);
  return withoutEmpty<ShapeResource>({
    number,
    type: constant === name ? undefined : constant,
    operations: withoutEmpty(resource.operations),
    fields: fieldsOf(resource, model),
    relations: Object.fromEntries(related.map((one) => [one.relation, columnOf(resource, one.column)?.number])),
    lists: resource.lists.map((list) => shapeOfList(list, resource, model)),
    paths: pathsOf(resource),
    old_names: Object.fromEntries(oldNames.map((one) => [one.name, one.identity])),
    ignores: ignored,
    actions: Object.fromEntries(actions.map((one) => [one.name, one.parameters.map((parameter) => parameter.name)])),
    filters: numbered.filters,
    uniques: numbered.uniques.flatMap(({ columns }) => (columns.length > 1 ? [columns] : [])),
    order: numbered.order.map(String),
    brief,
    upload: upload && [upload.part, ...(upload.uses === undefined ? [] : [upload.uses])],
  });
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

function fieldOf(resource: Resource, model: Model, halves: FieldHalves): ShapeField {
  const { property, parameter } = halves;
  const of = property === undefined ? parameterKey(resource, parameter) : propertyKey(resource, property, model);
  const column = columnAt(resource, of);
  const schema = parameter?.validationSchema ?? property?.schema;
  const form = column && formOf(halves);
  return withoutEmpty<ShapeField>({
    of,
    only: parameter === undefined ? 'shown' : property === undefined ? 'sent' : undefined,
    form,
    schema: column === undefined && parameter === undefined ? undefined : limits(schema, column?.check, form),
    values: Object.fromEntries(choicesOf(column).map(({ name, number }) => [name, number])),
    default: defaultOf(parameter),
    required: parameter?.requiredOnCreate,
    nullable: property?.nullable,
    view: property?.view,
    when_set: property?.whenSet,
    synonyms: parameter?.synonyms,
  });
}

/** Identifies a parameter across renames: the number of its column, or else its name. */
export function parameterKey(resource: Resource, parameter: Parameter | undefined): number | string {
  const { name = '', proves } = parameter ?? {};
  if (proves !== undefined) return `old ${columnOf(resource, proves)?.number}`;
  return columnOf(resource, name)?.number ?? `parameter ${name}`;
}

/** Identifies a property across renames: the number of its column, or what it is computed from, by numbers. */
export function propertyKey(resource: Resource, { source }: Property, model: Model): number | string {
  if (source.kind === 'column' || source.kind === 'bit')
    return columnOf(resource, source.column)?.number ?? source.column;
  const numbers = numbersIn(model);
  const { where = {}, ...rest } = source as typeof source & Partial<RecordsOfList>;
  const numbered: Readonly<Record<string, unknown>> = renamed(rest, resource, numbers);
  const conditions = Object.entries(where).map(([name, value]) => `${numbers.column(rest.of ?? '', name)}=${value}`);
  return [KINDS[source.kind] ?? source.kind, ...PARTS.flatMap((part) => numbered[part] ?? []), ...conditions].join(' ');
}

/** Kinds of sources that have another name in keys, and the parts of a source in the order of a key. */
const KINDS: Readonly<Record<string, string>> = {
  constant: 'type',
  shown_once: 'token',
  description: 'brief',
  template: 'text',
};
const PARTS = ['right', 'text', 'through', 'of', 'by', 'column'];

/** The literal that a create stores if the parameter is not sent; undefined: it stores none. */
export function defaultOf(parameter: Parameter | undefined): unknown {
  return parameter?.schema.default ?? parameter?.unset ?? undefined;
}

/** The keywords that the form does not imply; a decimal has its limits in place of a pattern, and a choice has its values. */
function limits(schema: JsonSchema = {}, check: Column['check'] | undefined, form: ValueForm | undefined) {
  if (check?.rule === 'choice') return undefined;
  if (check?.rule === 'decimal') return { minimum: check.min, maximum: check.max, scale: check.scale };
  const implied = schemaOfForm(form);
  const stated = Object.entries(schema).filter(([key, value]) => key !== 'default' && implied[key] !== value);
  return Object.fromEntries(stated);
}

export function shapeOfList(list: List, resource: Resource, model: Model): ShapeList {
  const numbers = numbersIn(model);
  const { parent, name, by, through, where, bulk } = renamed(list, resource, numbers);
  return withoutEmpty<ShapeList>({ on: numbers.resource(parent), name, by, through: through?.by, where, bulk });
}

/** Identifies a list across renames: which records it holds, and below which. */
export function listKey({ name: _, bulk: _bulk, ...holds }: ShapeList): string {
  return JSON.stringify(holds);
}

function pathsOf({ paths }: Resource): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, string[]> = {};
  for (const { operation, base } of paths) all[operation] = [...(all[operation] ?? []), base];
  return all;
}

/** Leaves out undefined, false, null, and empty lists and objects; a default is kept whatever it is. */
function withoutEmpty<T extends object>(all: { readonly [K in keyof T]: unknown }): T {
  const says = ([key, value]: readonly [string, unknown]): boolean => {
    if (value === undefined) return false;
    if (key === 'default') return true;
    return value !== null && value !== false && !(typeof value === 'object' && Object.keys(value).length === 0);
  };
  return Object.fromEntries(Object.entries(all).filter(says)) as T;
}
