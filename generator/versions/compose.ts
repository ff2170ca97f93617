// Compares a cut with today's model (D68): a table for each resource, with which the service answers callers of the cut.

import type { RouteDefinition, UploadDefinition } from '../../runtime/contract/definition.js';
import type { EarlierField, EarlierResource, FillRule } from '../../runtime/contract/versions.js';
import type { Column, List, Model, Parameter, Property, Resource } from '../model/model.js';
import { definedRoutesOf } from '../model/routes.js';
import { formOf } from './forms.js';
import {
  columnOf,
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
  /** What the cut offered and is still there, under its earlier names. */
  readonly offered: Offered;
  /** The complete table, whether or not anything in it differs from today. */
  readonly table: EarlierResource;
}

type Offered = Pick<Resource, 'name' | 'operations' | 'paths' | 'lists' | 'actions' | 'upload'>;

/** Resources by today's name. */
export type SurvivingResources = ReadonlyMap<string, SurvivingResource>;

/** @returns every resource of the cut that still exists */
export function compose(shape: Shape, model: Model): SurvivingResources {
  const byNumber = new Map(model.resources.map((resource) => [resource.number, resource]));
  const sides = Object.entries(shape.resources).flatMap(([name, earlier]): readonly Sides[] => {
    const current = byNumber.get(earlier.number);
    return current === undefined
      ? []
      : [{ name, earlier, current, shape, model, lists: earlierLists(earlier, current, { shape, model }) }];
  });
  const lists = sides.flatMap((one) => one.lists);
  return new Map(
    sides.map((one) => {
      const { name, earlier, current } = one;
      const offered = offeredBy(one);
      const table: EarlierResource = {
        name,
        routes: earlierRoutes(offered, one),
        oldNames: earlierOldNames(one),
        ...earlierFields(one),
        relations: earlierRelations(one),
        lists: Object.fromEntries(
          lists.flatMap(({ list, same }) => (list.parent === name ? [[list.name, same.name]] : [])),
        ),
        brief: earlier.brief ?? [],
        conflicts: earlierConflicts(one),
      };
      return [current.name, { shape: earlier, current, offered, table }];
    }),
  );
}

/** A list of the cut, and what it is today. */
interface EarlierList {
  readonly list: List;
  readonly same: List;
}

/** A resource then and now. */
interface Sides extends Comparison {
  readonly name: string;
  readonly earlier: ShapeResource;
  readonly current: Resource;
  readonly lists: readonly EarlierList[];
}

interface Comparison {
  readonly shape: Shape;
  readonly model: Model;
}

function earlierLists(
  { lists = [] }: ShapeResource,
  current: Resource,
  { shape, model }: Comparison,
): readonly EarlierList[] {
  const parents = new Map(Object.entries(shape.resources).map(([parent, { number }]) => [number, parent]));
  const today = new Map(keyedLists(current, model));
  return lists.flatMap((one) => {
    const [parent, same] = [parents.get(one.on), today.get(listKey(one))];
    if (parent === undefined || same === undefined) return [];
    const { bulk, ...rest } = same;
    return [{ list: { ...rest, parent, name: one.name, ...(bulk && one.bulk && { bulk }) }, same }];
  });
}

function offeredBy({ name, earlier, current, lists }: Sides): Offered {
  const { operations, actions, upload } = current;
  return {
    name,
    operations: Object.fromEntries(
      Object.entries(operations).map(([one, who]) => [one, Object.hasOwn(earlier.operations, one) ? who : null]),
    ) as typeof operations,
    paths: Object.entries(earlier.paths ?? {}).flatMap(([operation, bases]) =>
      bases.map((base) => ({ operation: operation as keyof typeof operations, base })),
    ),
    lists: lists.map(({ list }) => list),
    actions: actions.filter((action) => Object.hasOwn(earlier.actions ?? {}, action.name)),
    upload: upload && offeredUpload(upload, earlier),
  };
}

function offeredUpload({ uses: _, ...upload }: UploadDefinition, earlier: ShapeResource): UploadDefinition {
  const [, uses] = earlier.upload ?? [];
  return uses === undefined ? upload : { ...upload, uses };
}

/** The routes of the cut that are still answered: earlier paths, with today's names of lists and parents. */
function earlierRoutes(offered: Offered, { current, lists }: Sides): readonly RouteDefinition[] {
  return definedRoutesOf({ ...current, ...offered }).map((route) => {
    const same = lists.find(({ list }) => list.name === route.name && list.parent === route.parent)?.same;
    return same === undefined ? route : { ...route, name: same.name, parent: same.parent };
  });
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

/** A conflict names the last column of a set, which may have been stated in another order. */
function earlierConflicts({ earlier: { uniques = [] }, current }: Sides): Readonly<Record<string, string>> {
  const all = uniques.map((numbers) => {
    const names = numbers.map((number) => columnAt(current, number)?.name ?? '');
    const same = current.uniques.find(({ columns }) => isSame([...columns].sort(), [...names].sort()));
    return [same?.columns.at(-1) ?? '', same && names.at(-1)] as const;
  });
  return defined(all.filter(([today, earlier]) => today !== earlier));
}

function earlierOldNames({ earlier, current }: Sides): Readonly<Record<string, string | null>> {
  const { identity } = earlier.fields;
  const identities = earlierChoices(identity, columnAt(current, identity?.of));
  const today = (of: string | null) => (of === null ? null : identities[of]);
  return defined(Object.entries(earlier.old_names ?? {}).map(([name, of]) => [name, today(of)]));
}

function earlierRelations({ earlier, current }: Sides): Readonly<Record<string, string>> {
  const relation = (number: number) => {
    const column = columnAt(current, number)?.name;
    return current.references.find((one) => one.related && one.column === column)?.relation;
  };
  return defined(Object.entries(earlier.relations ?? {}).map(([name, number]) => [name, relation(number)]));
}

function earlierFields(sides: Sides): Pick<EarlierResource, 'fields' | 'adds'> {
  const { earlier, current } = sides;
  const fields: Record<string, EarlierField> = {};
  for (const [name, field] of Object.entries(earlier.fields)) fields[name] = earlierField(name, field, sides);
  for (const [name, { synonyms = [] }] of Object.entries(earlier.fields)) {
    const { sends, values, form } = fields[name] ?? {};
    const parameter = current.parameters.find((one) => one.name === sends);
    if (parameter === undefined) continue;
    for (const synonym of synonyms) {
      const same = parameter.synonyms.includes(synonym) ? synonym : parameter.name;
      fields[synonym] = { ...fields[synonym], ...(values && { values }), ...(form && { form }), sends: same };
    }
  }
  for (const name of earlier.ignores ?? []) fields[name] = { ...fields[name], sends: null };
  const known = new Set(Object.values(fields).map(({ sends }) => sends));
  const added = current.parameters.filter(({ name, requiredOnCreate }) => requiredOnCreate && !known.has(name));
  const adds = defined(added.map((parameter) => [parameter.name, fillRuleOf(parameter, current)]));
  return { fields, ...(Object.keys(adds).length === 0 ? {} : { adds }) };
}

function earlierField(name: string, field: ShapeField, sides: Sides): EarlierField {
  const { current, earlier } = sides;
  const column = columnAt(current, field.of);
  const parameter =
    field.only === 'shown' ? undefined : current.parameters.find((one) => parameterKey(current, one) === field.of);
  const property = field.only === 'sent' ? undefined : shownAs(name, field, sides);
  const isGone = property === undefined && field.only !== 'sent' && field.view === undefined && !field.when_set;
  const values = earlierValues(field, sides);
  const today = column && formOf(property, parameter);
  const source = property?.source;
  const described = current.references.find((one) => source?.kind === 'description' && one.column === source.through);
  // If several fields have the same value, only one of them carries its column, preferably one that can be sent.
  const same = Object.entries(earlier.fields).filter(([, { of }]) => of === field.of);
  const isFirst = (same.find(([, { only }]) => only !== 'shown') ?? same[0])?.[0] === name;
  return {
    ...(parameter === undefined ? {} : { sends: parameter.name }),
    ...(property === undefined ? (isGone ? { shows: null } : {}) : { shows: property.name }),
    ...(column === undefined || !isFirst ? {} : { column: column.name }),
    ...(field.of === 'type' ? { constant: earlier.type ?? sides.name } : {}),
    ...(described === undefined ? {} : { describes: described.to }),
    ...(values === undefined ? {} : { values }),
    ...(today === undefined || field.form === undefined || today === field.form ? {} : { form: field.form }),
    ...earlierDefault(field, parameter, { current, values }),
  };
}

/** If several properties show the value today, the one with the earlier name is preferred, then that of the column. */
function shownAs(name: string, field: ShapeField, { current, model }: Sides): Property | undefined {
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
function fillRuleOf({ name }: Parameter, current: Resource): FillRule | undefined {
  const { fill, default: value = null, storage } = columnOf(current, name) ?? {};
  if (fill === undefined) return value === null || storage === 'date' ? undefined : { value };
  if ('join' in fill) return fill;
  // Functions, and copies through a reference, need more than the request.
  if ('function' in fill || fill.through !== undefined) return undefined;
  const { column, part } = fill;
  return { column, ...(part && { part }) };
}

/** The choices of the column that the field shows, or copies from another record. */
function earlierValues(field: ShapeField, { current, shape, model }: Sides): EarlierField['values'] {
  const [, copied] = /^copy \S+ (\d+)$/.exec(String(field.of)) ?? [];
  if (copied === undefined) return field.values && earlierChoices(field, columnAt(current, field.of));
  const all = Object.values(shape.resources).flatMap(({ fields }) => Object.values(fields));
  const source = all.find(({ of, values }) => of === Number(copied) && values !== undefined);
  const column = model.resources.flatMap((one) => columnAt(one, Number(copied)) ?? []);
  return source && earlierChoices(source, column[0]);
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

function columnAt({ columns }: Resource, number: number | string | undefined): Column | undefined {
  return columns.find((column) => column.number === number);
}

function defined<T>(all: readonly (readonly [string, T | undefined])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
