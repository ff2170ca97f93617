// Compares a cut with today's model (D68): a table for each resource, with which the service answers callers of the cut.

import type { Operation, RouteDefinition, UploadDefinition } from '../../runtime/contract/definition.js';
import type { EarlierField, EarlierResource, FillRule, ValueForm } from '../../runtime/contract/versions.js';
import { choicesOf, columnAt, columnOf, visible } from '../model/find.js';
import type { Column, List, Model, Parameter, Property, Resource } from '../model/model.js';
import { definedRoutesOf } from '../model/routes.js';
import { type FieldHalves, formOf } from './forms.js';
import {
  cut,
  defaultOf,
  listKey,
  parameterKey,
  propertyKey,
  type Shape,
  type ShapeField,
  type ShapeResource,
  shapeOfList,
} from './shape.js';

/** A resource of a cut that still exists. */
export interface SurvivingResource {
  readonly name: string;
  readonly shape: ShapeResource;
  readonly current: Resource;
  /** Today's resource that offers only what the cut did, under the earlier names of resources, lists and paths. */
  readonly offered: Resource;
  readonly fields: readonly SurvivingField[];
  /** The complete table, whether or not anything in it differs from today. */
  readonly table: EarlierResource;
}

/** A field of a cut, and what it is today. */
export interface SurvivingField extends FieldHalves {
  readonly name: string;
  readonly shape: ShapeField;
  /** Today's form of its values. */
  readonly form: ValueForm | undefined;
  /** Its part of the table. */
  readonly row: EarlierField;
}

/** Resources by today's name. */
export type SurvivingResources = ReadonlyMap<string, SurvivingResource>;

/** @returns every resource of the cut that still exists */
export function compose(shape: Shape, model: Model): SurvivingResources {
  const today = new Map(model.resources.map((resource) => [resource.number, resource]));
  const parents = new Map(Object.entries(shape.resources).map(([name, { number }]) => [number, name]));
  const sides = Object.entries(shape.resources).flatMap(([name, earlier]): readonly Sides[] => {
    const current = today.get(earlier.number);
    if (current === undefined) return [];
    return [{ name, earlier, current, shape, model, lists: earlierLists(earlier, current, { parents, model }) }];
  });
  const lists = sides.flatMap((one) => one.lists);
  return new Map(
    sides.map((one) => {
      const { name, earlier, current } = one;
      const offered = offeredBy(one);
      const fields = Object.entries(earlier.fields).map(([field, of]) => survivingField(field, of, one));
      const own = lists.filter(({ list }) => list.parent === name);
      const table: EarlierResource = {
        name,
        routes: earlierRoutes(offered, one),
        oldNames: earlierOldNames(earlier, fields),
        ...earlierFields(fields, one),
        relations: earlierRelations(one),
        lists: Object.fromEntries(own.map(({ list, same }) => [list.name, same.name])),
        brief: earlier.brief ?? [],
        conflicts: earlierConflicts(one),
      };
      return [current.name, { name, shape: earlier, current, offered, fields, table }];
    }),
  );
}

/** A list of the cut, and what it is today. */
interface EarlierList {
  readonly list: List;
  readonly same: List;
}

/** A resource then and now. */
interface Sides {
  readonly name: string;
  readonly earlier: ShapeResource;
  readonly current: Resource;
  readonly lists: readonly EarlierList[];
  readonly shape: Shape;
  readonly model: Model;
}

function earlierLists(
  { lists = [] }: ShapeResource,
  current: Resource,
  { parents, model }: { readonly parents: ReadonlyMap<number, string>; readonly model: Model },
): readonly EarlierList[] {
  const today = new Map(current.lists.map((list) => [listKey(shapeOfList(list, current, model)), list]));
  return lists.flatMap((one) => {
    const [parent, same] = [parents.get(one.on), today.get(listKey(one))];
    if (parent === undefined || same === undefined) return [];
    return [{ list: defined<List>({ ...same, parent, name: one.name, bulk: one.bulk && same.bulk }), same }];
  });
}

function offeredBy({ name, earlier, current, lists }: Sides): Resource {
  const { operations, paths = {}, actions = {}, upload: [, uses] = [] } = earlier;
  return {
    ...current,
    name,
    operations: mapped(current.operations, (who, one) => (Object.hasOwn(operations, one) ? who : null)),
    paths: Object.entries(paths).flatMap(([operation, bases]) =>
      bases.map((base) => ({ operation: operation as Operation, base })),
    ),
    lists: lists.map(({ list }) => list),
    actions: current.actions.filter((action) => Object.hasOwn(actions, action.name)),
    upload: current.upload && defined<UploadDefinition>({ ...current.upload, uses }),
  };
}

/** The routes of the cut that are still answered: earlier paths, with today's names of lists and parents. */
function earlierRoutes(offered: Resource, { lists }: Sides): readonly RouteDefinition[] {
  return definedRoutesOf(offered).map((route) => {
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
    Object.values(table.fields).some(({ describes = '' }) => names.has(describes));
  const all = [...survivors].filter(([name, earlier]) => names.has(name) || shows(earlier));
  return Object.fromEntries(all.map(([name, { table }]) => [name, withoutToday(table, tableToday(name))]));
}

/** Equal as JSON, and in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Leaves out the routes and the old names if they are today's. */
function withoutToday({ routes = [], oldNames, ...rest }: EarlierResource, today?: EarlierResource): EarlierResource {
  const isToday = (route: RouteDefinition) => today?.routes?.some((one) => isSame(one, route)) === true;
  return defined<EarlierResource>({
    ...rest,
    routes: routes.every(isToday) ? undefined : routes,
    oldNames: isSame(oldNames, today?.oldNames) ? undefined : oldNames,
  });
}

/** A conflict names the last column of a set, which may have been stated in another order. */
function earlierConflicts({ earlier: { uniques = [] }, current }: Sides): Readonly<Record<string, string>> {
  const all = uniques.map((numbers) => {
    const names = numbers.map((number) => columnAt(current, number)?.name ?? '');
    const same = current.uniques.find(({ columns }) => isSame([...columns].sort(), [...names].sort()));
    return [same?.columns.at(-1) ?? '', same && names.at(-1)] as const;
  });
  return defined(Object.fromEntries(all.filter(([today, earlier]) => today !== earlier)));
}

function earlierOldNames({ old_names }: ShapeResource, fields: readonly SurvivingField[]) {
  const identities = fields.find(({ name }) => name === 'identity')?.row.values;
  return mapped(old_names, (identity) => (identity === null ? null : identities?.[identity]));
}

function earlierRelations({ earlier, current }: Sides): Readonly<Record<string, string>> {
  return mapped(earlier.relations, (number) => {
    const column = columnAt(current, number)?.name;
    return current.references.find((one) => one.related && one.column === column)?.relation;
  });
}

function earlierFields(
  all: readonly SurvivingField[],
  { earlier: { ignores = [] }, current }: Sides,
): Pick<EarlierResource, 'fields' | 'adds'> {
  const fields: Record<string, EarlierField> = Object.fromEntries(all.map(({ name, row }) => [name, row]));
  for (const { shape, parameter, row } of all) {
    for (const synonym of (parameter && shape.synonyms) ?? []) {
      const sends = parameter?.synonyms.includes(synonym) ? synonym : parameter?.name;
      fields[synonym] = { ...fields[synonym], ...defined({ values: row.values, form: row.form, sends }) };
    }
  }
  for (const name of ignores) fields[name] = { ...fields[name], sends: null };
  const known = new Set(Object.values(fields).map(({ sends }) => sends));
  const added = current.parameters.filter(({ name, requiredOnCreate }) => requiredOnCreate && !known.has(name));
  const adds = mapped(Object.fromEntries(added.map((one) => [one.name, one])), (one) => fillRuleOf(one, current));
  return { fields, ...(Object.keys(adds).length > 0 && { adds }) };
}

function survivingField(name: string, shape: ShapeField, sides: Sides): SurvivingField {
  const { current, earlier } = sides;
  const { of, only } = shape;
  const column = columnAt(current, of);
  const parameter = only === 'shown' ? undefined : current.parameters.find((one) => parameterKey(current, one) === of);
  const property = only === 'sent' ? undefined : shownAs(name, of, sides);
  const isGone = property === undefined && only !== 'sent' && shape.view === undefined && !shape.when_set;
  const values = earlierValues(shape, sides);
  const form = column && formOf({ property, parameter });
  const source = property?.source;
  const described = current.references.find((one) => source?.kind === 'description' && one.column === source.through);
  // If several fields have the same value, only one of them carries its column, preferably one that can be sent.
  const same = Object.entries(earlier.fields).filter(([, one]) => one.of === of);
  const isFirst = (same.find(([, one]) => one.only !== 'shown') ?? same[0])?.[0] === name;
  const row = defined<EarlierField>({
    sends: parameter?.name,
    shows: isGone ? null : property?.name,
    column: isFirst ? column?.name : undefined,
    constant: of === 'type' ? (earlier.type ?? sides.name) : undefined,
    describes: described?.to,
    values,
    form: form === undefined || form === shape.form ? undefined : shape.form,
    default: earlierDefault(shape, parameter, { current, values }),
  });
  return { name, shape, property, parameter, form, row };
}

/** If several properties show the value today, the one with the earlier name is preferred, then that of the column. */
function shownAs(name: string, of: ShapeField['of'], { current, model }: Sides): Property | undefined {
  const all = visible(current).filter((one) => propertyKey(current, one, model) === of);
  const named = (wanted: string | undefined) => all.find((one) => one.name === wanted);
  return named(name) ?? named(columnAt(current, of)?.name) ?? all[0];
}

/** The value that a create stored if the parameter was not sent; undefined if it stores the same today. */
function earlierDefault(
  field: ShapeField,
  parameter: Parameter | undefined,
  { current, values }: { readonly current: Resource; readonly values: EarlierField['values'] },
): FillRule | undefined {
  // The service cannot send it for a caller who may not: only administrators may.
  if (parameter === undefined || parameter.set === 'admin') return undefined;
  if (field.default === undefined)
    return field.required || !parameter.requiredOnCreate ? undefined : fillRuleOf(parameter, current);
  const value = values?.[String(field.default)] ?? field.default;
  return isSame(defaultOf(parameter), value) ? undefined : { value };
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

/** The earlier choices that still exist, each with its name of today; a text takes any of them. */
function earlierChoices({ values }: ShapeField, column: Column | undefined): Readonly<Record<string, string>> {
  const isFree = column !== undefined && column.check?.rule !== 'choice';
  const today = (number: number) => choicesOf(column).find((choice) => choice.number === number)?.name;
  return mapped(values, (number, name) => (isFree ? name : today(number)));
}

/** The same keys with other values; undefined leaves a key out. */
function mapped<T, U>(all: Readonly<Record<string, T>> = {}, change: (one: T, key: string) => U | undefined) {
  const entries = Object.entries(all).map(([key, one]) => [key, change(one, key)]);
  return defined<Readonly<Record<string, U>>>(Object.fromEntries(entries));
}

function defined<T extends object>(all: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as T;
}
