// Compares a cut with today's model (D68): a table for each resource, with which the service answers callers of the cut.

import type { RouteDefinition } from '../../runtime/contract/definition.js';
import { routesOf as definedRoutes } from '../../runtime/contract/kit/routes.js';
import type { EarlierField, EarlierResource, FillRule } from '../../runtime/contract/versions.js';
import type { Column, Model, Parameter, Property, Resource } from '../model/model.js';
import { undone } from '../model/routes.js';
import { formOf } from './forms.js';
import {
  cut,
  defaultOf,
  keyedLists,
  listKey,
  parameterKey,
  propertyKey,
  type Shape,
  type ShapeField,
  type ShapeResource,
  valuesOf,
  visible,
} from './shape.js';

/** A resource of a cut that still exists. */
export interface SurvivingResource {
  readonly shape: ShapeResource;
  readonly current: Resource;
  /** The complete table, whether or not anything in it differs from today. */
  readonly table: EarlierResource;
}

/** Resources by today's name. */
export type SurvivingResources = ReadonlyMap<string, SurvivingResource>;

/** @returns every resource of the cut that still exists */
export function compose(shape: Shape, model: Model): SurvivingResources {
  const byNumber = new Map(model.resources.map((resource) => [resource.number, resource]));
  const all = Object.entries(shape.resources).flatMap(([name, earlier]) => {
    const current = byNumber.get(earlier.number);
    if (current === undefined) return [];
    const table: EarlierResource = {
      name,
      routes: earlierRoutes(name, { earlier, current }, { shape, model }),
      oldNames: earlierOldNames(earlier, current),
      ...earlierFields(name, earlier, { current, model }),
      relations: earlierRelations(earlier, current),
      lists: earlierLists(earlier.number, { shape, model }),
      brief: earlier.brief ?? [],
    };
    return [[current.name, { shape: earlier, current, table }] as const];
  });
  return new Map(all);
}

/** @returns the tables of resources that differ from today's, or that show a record of one that does */
export function differing(survivors: SurvivingResources, model: Model): Readonly<Record<string, EarlierResource>> {
  const today = compose(cut(model, ''), model);
  const tableToday = (name: string) => today.get(name)?.table;
  const own = [...survivors].filter(([name, { table }]) => !isSame(table, tableToday(name)));
  const names = new Set(own.map(([name]) => name));
  const shows = ({ table }: SurvivingResource) =>
    Object.values(table.fields).some(({ describes }) => describes !== undefined && names.has(describes));
  const all = [...survivors].filter(([name, earlier]) => names.has(name) || shows(earlier));
  return Object.fromEntries(all.map(([name, { table }]) => [name, withoutToday(table, tableToday(name))]));
}

/** Equal as JSON, and in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Leaves out the routes and the old names if they are today's. */
function withoutToday(
  { routes = [], oldNames, ...rest }: EarlierResource,
  today: EarlierResource | undefined,
): EarlierResource {
  const isToday = (route: RouteDefinition) => today?.routes?.some((one) => isSame(one, route)) === true;
  return {
    ...rest,
    ...(routes.every(isToday) ? {} : { routes }),
    ...(oldNames === undefined || isSame(oldNames, today?.oldNames) ? {} : { oldNames }),
  };
}

function routeSource(resource: Resource) {
  const { paths: aliases, actions } = resource;
  const named = actions.map((action) => {
    const { renews } = action;
    return [action.name, { ...undone(action), ...(renews === null ? {} : { renews }) }] as const;
  });
  return { ...resource, aliases, actions: Object.fromEntries(named) };
}

interface Comparison {
  readonly shape: Shape;
  readonly model: Model;
}

/** The routes of the cut that are still answered: earlier paths, with today's names of lists and parents. */
function earlierRoutes(
  name: string,
  { earlier, current }: Pick<FieldContext, 'earlier' | 'current'>,
  { shape, model }: Comparison,
): readonly RouteDefinition[] {
  const { operations, actions } = current;
  const parents = new Map(Object.entries(shape.resources).map(([parent, { number }]) => [number, parent]));
  const today = new Map(keyedLists(current, model));
  const lists = (earlier.lists ?? []).flatMap((list) => {
    const parent = parents.get(list.on);
    const same = today.get(listKey(list));
    if (parent === undefined || same === undefined) return [];
    return [{ list: { parent, name: list.name, ...(list.bulk && same.bulk ? { bulk: list.bulk } : {}) }, same }];
  });
  const source = {
    ...routeSource({
      ...current,
      actions: actions.filter((action) => Object.hasOwn(earlier.actions ?? {}, action.name)),
    }),
    name,
    operations: Object.fromEntries(
      Object.entries(operations).map(([one, who]) => [one, Object.hasOwn(earlier.operations, one) ? who : null]),
    ) as typeof operations,
    lists: lists.map(({ list }) => list),
    aliases: Object.entries(earlier.paths ?? {}).flatMap(([operation, bases]) =>
      bases.map((base) => ({ operation: operation as keyof typeof operations, base })),
    ),
    upload:
      current.upload === null ? null : { ...(earlier.upload?.[1] === undefined ? {} : { uses: earlier.upload[1] }) },
  };
  return definedRoutes(source).map((route) => {
    const same = lists.find(({ list }) => list.name === route.name && list.parent === route.parent)?.same;
    return same === undefined || route.parent === undefined
      ? route
      : { ...route, name: same.name, parent: same.parent };
  });
}

function earlierOldNames(earlier: ShapeResource, current: Resource): Readonly<Record<string, string | null>> {
  const identities = earlierChoices(earlier.fields.identity, columnAt(current, earlier.fields.identity?.of));
  const all = Object.entries(earlier.old_names ?? {}).filter(
    ([, identity]) => identity === null || Object.hasOwn(identities, identity),
  );
  return Object.fromEntries(
    all.map(([name, identity]) => [name, identity === null ? null : (identities[identity] ?? null)]),
  );
}

function earlierRelations(earlier: ShapeResource, current: Resource): Readonly<Record<string, string>> {
  const relation = (number: number) => {
    const column = columnAt(current, number)?.name;
    return current.references.find((one) => one.related && one.column === column)?.relation;
  };
  return defined(Object.entries(earlier.relations ?? {}).map(([name, number]) => [name, relation(number)]));
}

/** The lists below the records of a resource. */
function earlierLists(number: number, { shape, model }: Comparison): Readonly<Record<string, string>> {
  const all = Object.values(shape.resources).flatMap(({ number: of, lists = [] }) => {
    const items = model.resources.find((one) => one.number === of);
    const today = new Map(items === undefined ? [] : keyedLists(items, model));
    return lists.filter(({ on }) => on === number).map((list) => [list.name, today.get(listKey(list))?.name] as const);
  });
  return defined(all);
}

type EarlierFields = Pick<EarlierResource, 'fields' | 'adds'>;

function earlierFields(
  resource: string,
  earlier: ShapeResource,
  { current, model }: Pick<FieldContext, 'current' | 'model'>,
): EarlierFields {
  const fields: Record<string, EarlierField> = {};
  for (const [name, field] of Object.entries(earlier.fields))
    fields[name] = earlierField(name, field, { current, model, earlier, resource });
  for (const [name, { synonyms = [] }] of Object.entries(earlier.fields)) {
    const sends = fields[name]?.sends;
    const parameter = current.parameters.find((one) => one.name === sends);
    for (const synonym of synonyms) {
      if (parameter === undefined) break;
      const same = parameter.synonyms.includes(synonym) ? synonym : parameter.name;
      const { values, form } = fields[name] ?? {};
      fields[synonym] = { ...fields[synonym], ...(values && { values }), ...(form && { form }), sends: same };
    }
  }
  for (const name of earlier.ignores ?? []) fields[name] = { ...fields[name], sends: null };
  const known = new Set(Object.values(fields).map(({ sends }) => sends));
  const added = current.parameters.flatMap((parameter): readonly (readonly [string, FillRule])[] => {
    const fill = fillRuleOf(parameter, current);
    return known.has(parameter.name) || !parameter.requiredOnCreate || fill === undefined
      ? []
      : [[parameter.name, fill]];
  });
  return { fields, ...(added.length === 0 ? {} : { adds: Object.fromEntries(added) }) };
}

interface FieldContext {
  /** The earlier name of the resource. */
  readonly resource: string;
  readonly earlier: ShapeResource;
  readonly current: Resource;
  readonly model: Model;
}

function earlierField(
  name: string,
  field: ShapeField,
  { current, earlier, resource, model }: FieldContext,
): EarlierField {
  const column = columnAt(current, field.of);
  const parameter =
    field.only === 'shown' ? undefined : current.parameters.find((one) => parameterKey(current, one) === field.of);
  const property = field.only === 'sent' ? undefined : shownAs(name, field, { current, model });
  const isGone = property === undefined && field.only !== 'sent' && field.view === undefined && !field.when_set;
  const values = field.values === undefined ? undefined : earlierChoices(field, column);
  const today = column && formOf(property, parameter);
  // If several fields have the same value, only one of them carries its column, preferably one that can be sent.
  const same = Object.entries(earlier.fields).filter(([, { of }]) => of === field.of);
  const isFirst = (same.find(([, { only }]) => only !== 'shown') ?? same[0])?.[0] === name;
  return {
    ...(parameter === undefined ? {} : { sends: parameter.name }),
    ...(property === undefined ? (isGone ? { shows: null } : {}) : { shows: property.name }),
    ...(column === undefined || !isFirst ? {} : { column: column.name }),
    ...(field.of === 'type' ? { constant: earlier.type ?? resource } : {}),
    ...(property?.source.kind === 'description' ? { describes: described(property.source.through, current) } : {}),
    ...(values === undefined ? {} : { values }),
    ...(today === undefined || field.form === undefined || today === field.form ? {} : { form: field.form }),
    ...earlierDefault(field, parameter, { current, values }),
  };
}

/** If several properties show the value today, the one with the earlier name is preferred, then that of the column. */
function shownAs(
  name: string,
  field: ShapeField,
  { current, model }: Pick<FieldContext, 'current' | 'model'>,
): Property | undefined {
  const all = visible(current).filter((one) => propertyKey(current, one, model) === field.of);
  const column = columnAt(current, field.of)?.name;
  return (
    (all.length > 1 ? all.find((one) => one.name === name) : undefined) ??
    all.find((one) => one.name === column) ??
    all[0]
  );
}

/** The value that a create stored if the parameter was not sent; absent if it stores the same today. */
function earlierDefault(
  field: ShapeField,
  parameter: Parameter | undefined,
  { current, values }: { readonly current: Resource; readonly values: EarlierField['values'] },
): Pick<EarlierField, 'default'> {
  // The service cannot send it for a caller who may not: only administrators may.
  if (parameter === undefined || parameter.set === 'admin') return {};
  if (field.default !== undefined) {
    const sent = values?.[String(field.default)] ?? field.default;
    const isSame = JSON.stringify(defaultOf(parameter)) === JSON.stringify(sent);
    return isSame ? {} : { default: { value: sent } };
  }
  const fill = !field.required && parameter.requiredOnCreate ? fillRuleOf(parameter, current) : undefined;
  return fill === undefined ? {} : { default: fill };
}

/** The rule that fills existing rows, if it needs nothing but the parameters of a request. */
function fillRuleOf({ name }: Parameter, { columns }: Resource): FillRule | undefined {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) return undefined;
  const { fill, default: value, storage } = column;
  if (fill !== undefined) return fillRuleBy(fill);
  return value === null || storage === 'date' ? undefined : { value };
}

/** Functions, and copies through a reference, need more than the request. */
function fillRuleBy(fill: NonNullable<Column['fill']>): FillRule | undefined {
  if ('join' in fill) return fill;
  if ('function' in fill || fill.through !== undefined) return undefined;
  const { column, part } = fill;
  return { column, ...(part === undefined ? {} : { part }) };
}

/** The earlier choices that still exist, each with its name of today. */
function earlierChoices(field: ShapeField | undefined, column: Column | undefined): Readonly<Record<string, string>> {
  const today = new Map(Object.entries(valuesOf(column) ?? {}).map(([name, number]) => [number, name]));
  const isFree = column !== undefined && column.check?.rule !== 'choice';
  const all = Object.entries(field?.values ?? {}).map(
    ([name, number]) => [name, isFree ? name : today.get(number)] as const,
  );
  return defined(all);
}

function described(through: string, { references }: Resource): string {
  return references.find(({ column }) => column === through)?.to ?? '';
}

function columnAt({ columns }: Resource, number: number | string | undefined): Column | undefined {
  return columns.find((column) => column.number === number);
}

function defined(all: readonly (readonly [string, string | undefined])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
