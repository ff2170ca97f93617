// Today's model as callers of a version see it (D68): with the earlier names, and without later additions. Whatever still differs
// from the model of the cut is not covered by the version.

import { renamedTerm } from '../../runtime/schema/order.js';
import type { RawField } from '../language/language.js';
import { columnOfField, kindOf } from '../model/kinds/kinds.js';
import type { Column, JsonSchema, Model, ModelEvent, Parameter, Property, Resource } from '../model/model.js';
import { hasHookRoutes } from '../model/routes.js';
import type { SurvivingResource, SurvivingResources } from './compose.js';
import { formOf, isExact, schemaOfForm } from './forms.js';
import { isMap, type ShapeField } from './shape.js';

/** Translates today's names to those of the version. */
interface EarlierNames {
  resource(name: string): string;
  column(resource: string, name: string): string;
  value(resource: string, column: string, value: string): string;
  /** Whether a choice of the column has another name today. */
  renamesValues(resource: string, column: string): boolean;
}

/** @returns today's model with the names of the version, without the resources that were added since */
export function viewOf(model: Model, survivors: SurvivingResources): Model {
  const names = namesIn(survivors);
  const resources = [...survivors.values()].map((survivor) => earlierResource(survivor, names));
  const hook = model.resources.find(hasHookRoutes)?.name ?? '';
  const events = model.events.map((event) => earlierEvent(event, hook, names));
  return { ...model, resources: resources.sort((one, other) => (one.name < other.name ? -1 : 1)), events };
}

function namesIn(survivors: SurvivingResources): EarlierNames {
  const columns = new Map<string, string>();
  const values = new Map<string, string>();
  for (const [resource, { table }] of survivors) {
    for (const [name, { column, values: choices = {} }] of Object.entries(table.fields)) {
      if (column === undefined) continue;
      columns.set(`${resource}.${column}`, name);
      for (const [earlier, current] of Object.entries(choices)) values.set(`${resource}.${column}.${current}`, earlier);
    }
  }
  return {
    resource: (name) => survivors.get(name)?.table.name ?? name,
    column: (resource, name) => columns.get(`${resource}.${name}`) ?? name,
    value: (resource, column, value) => values.get(`${resource}.${column}.${value}`) ?? value,
    renamesValues: (resource, column) =>
      [...values].some(([key, earlier]) => key.startsWith(`${resource}.${column}.`) && !key.endsWith(`.${earlier}`)),
  };
}

function earlierResource(earlier: SurvivingResource, names: EarlierNames): Resource {
  const { current, offered, table, shape } = earlier;
  const { references, access, whole, order, uniques, existing } = current;
  const renaming = { own: current, names };
  const known = new Set(Object.values(table.fields).flatMap((one) => one.column ?? []));
  const knownOf = (all: readonly string[]) =>
    all.flatMap((name) => (known.has(name) ? [names.column(current.name, name)] : []));
  return {
    ...current,
    ...offered,
    // A record no longer links to the list, which is still answered.
    upload: current.upload?.uses === undefined ? current.upload : offered.upload,
    ...renamed({ lists: offered.lists, order, uniques, existing }, renaming),
    access: {
      ...renamed(access, renaming),
      rights: Object.fromEntries(Object.entries(access.rights).map(([right, all]) => [right, renamed(all, renaming)])),
    },
    constant: shape.type ?? table.name,
    typeFields: Object.keys(table.fields).filter((name) => table.fields[name]?.constant !== undefined),
    oldNames: Object.entries(shape.old_names ?? {}).map(([name, identity]) => ({ name, identity })),
    sortable: knownOf(current.sortable),
    filters: knownOf(current.filters),
    ranges: knownOf(current.ranges),
    columns: earlierColumns(earlier, names, known),
    parameters: earlierParameters(earlier, names),
    properties: earlierProperties(earlier, names),
    ...earlierIdentities(earlier, names),
    references: references.map((one) => ({
      ...one,
      ...renamed({ column: one.column, to: one.to }, renaming),
      relation: names.column(current.name, one.column).replace(/_id$/, ''),
    })),
    ignored: shape.ignores ?? [],
    whole: whole && { ...renamed(whole, renaming), by: whole.by },
    brief: table.brief.filter((name) => current.brief.includes(table.fields[name]?.shows ?? '')),
    stated: earlierStated(earlier, names),
    actions: offered.actions.map(({ sets, copies, parameters, ...action }) => ({
      ...action,
      ...renamed({ sets, copies }, renaming),
      // The name of a copy is sent under the name of its field.
      parameters: parameters.map((one) => ({ ...one, name: copies ? names.column(current.name, one.name) : one.name })),
    })),
  };
}

type NameUse = 'own' | 'about' | 'resource' | 'where' | 'text';

/**
 * The keys whose values are names, by what they name: a column of the resource itself or of the resource that the part is about,
 * a resource, columns with values, or columns in the braces of a text.
 */
const KEYS: Readonly<Record<NameUse, readonly string[]>> = {
  own: ['through', 'in', 'when', 'columns', 'existing', 'order', 'search'],
  about: ['column', 'by', 'user'],
  resource: ['of', 'to', 'member', 'resource'],
  where: ['where', 'sets'],
  text: ['text'],
};

const USES = Object.keys(KEYS) as readonly NameUse[];

interface Renaming {
  readonly own: Resource;
  readonly names: EarlierNames;
}

/** The same part of a resource with the names of the version. @param about today's name of a resource */
function renamed<T>(part: T, renaming: Renaming, place?: NameUse, about = renaming.own.name): T {
  const { own, names } = renaming;
  if (typeof part === 'string') return (place === undefined ? part : renamedText(part, renaming, place, about)) as T;
  if (Array.isArray(part)) return part.map((one: unknown) => renamed(one, renaming, place, about)) as T;
  if (!isMap(part)) return part;
  const copied = 'column' in part ? own.references.find(({ column }) => column === part.through)?.to : undefined;
  const other = String(part.of ?? part.member ?? part.resource ?? copied ?? own.name);
  const all = Object.entries(part).map(([key, one]) => {
    if (place !== 'where')
      return [
        key,
        renamed(
          one,
          renaming,
          USES.find((use) => KEYS[use].includes(key)),
          other,
        ),
      ];
    return [names.column(about, key), typeof one === 'string' ? names.value(about, key, one) : one];
  });
  return Object.fromEntries(all) as T;
}

function renamedText(text: string, { own, names }: Renaming, place: NameUse, about: string): string {
  if (place === 'resource') return names.resource(text);
  // A text has its values as they are called today.
  if (place === 'text')
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      return `{${names.column(own.name, name)}${names.renamesValues(own.name, name) ? ' as today' : ''}}`;
    });
  return renamedTerm(text, (name) => names.column(place === 'own' ? own.name : about, name));
}

/** Titles, sizes and catalogue rows of the identities, by their earlier names. */
function earlierIdentities(
  { current, table }: SurvivingResource,
  names: EarlierNames,
): Pick<Resource, 'titles' | 'sizes' | 'catalogue'> {
  const identity = (value: string) => names.value(current.name, 'identity', value);
  const known = (value: string) => Object.hasOwn(table.fields.identity?.values ?? {}, value);
  const renamed = <T>(all: Readonly<Record<string, T>>, of = 'identity') =>
    Object.fromEntries(Object.entries(all).map(([value, one]) => [names.value(current.name, of, value), one]));
  const titles = Object.entries(current.titles).map(([name, all]) => [
    names.column(current.name, name),
    renamed(all, name),
  ]);
  const { catalogue } = current;
  return {
    titles: Object.fromEntries(titles) as Resource['titles'],
    sizes: renamed(current.sizes),
    catalogue: catalogue && {
      ...catalogue,
      identities: renamed(catalogue.identities),
      rows: catalogue.rows.map(identity).filter(known),
    },
  };
}

/** Leaves out new columns that have the name of an earlier field. */
function earlierColumns(
  earlier: SurvivingResource,
  names: EarlierNames,
  known: ReadonlySet<string>,
): readonly Column[] {
  const { current, table } = earlier;
  return current.columns
    .filter(({ name }) => known.has(name) || (table.fields[name]?.shows ?? name) === name)
    .map((one) => ({
      ...one,
      name: names.column(current.name, one.name),
      copies: renamed(one.copies, { own: current, names }),
      check: earlierCheck(one, earlier, names),
    }));
}

/** Leaves out new choices likewise: the earlier one with that name is gone. */
function earlierCheck(
  { name: column, number: of, check }: Column,
  { current, shape }: SurvivingResource,
  names: EarlierNames,
): Column['check'] {
  if (check?.rule !== 'choice') return check;
  const earlier = Object.values(shape.fields).find((field) => field.of === of)?.values ?? {};
  const all = check.names.map((one) => ({ ...one, name: names.value(current.name, column, one.name) }));
  return { rule: 'choice', names: all.filter(({ name, number }) => (earlier[name] ?? number) === number) };
}

function earlierParameters({ current, table, shape }: SurvivingResource, names: EarlierNames): readonly Parameter[] {
  const own = Object.entries(shape.fields).flatMap(([name, field]) => {
    const today = table.fields[name] ?? {};
    const same = current.parameters.find((one) => one.name === today.sends);
    if (same === undefined || field.only === 'shown') return [];
    const choices = Object.keys(today.values ?? {});
    const schema = earlierSchema(same, field, current, 'sent');
    const isFilled = today.default !== undefined;
    const { default: _, ...rest } = choices.length > 0 && schema.enum ? { ...schema, enum: choices } : schema;
    const { default: value } = same.schema;
    // A default that was added since applies to earlier callers, too.
    const kept = typeof value === 'string' ? names.value(current.name, same.name, value) : value;
    const preset = isFilled ? field.default : kept;
    const parameter: Parameter = {
      ...same,
      name,
      schema: { ...rest, ...((isFilled || kept !== undefined) && { default: preset }) },
      synonyms: field.synonyms ?? [],
      requiredOnCreate: isFilled ? field.required === true : same.requiredOnCreate,
    };
    return [parameter];
  });
  const known = new Set(Object.values(table.fields).map(({ sends }) => sends));
  // A new required parameter that nothing fills is still required. An update fills none: it would overwrite what others have sent.
  const asked = current.parameters.filter(
    ({ name, requiredOnCreate, requiredOnUpdate }) =>
      !known.has(name) && (requiredOnUpdate || (requiredOnCreate && !Object.hasOwn(table.adds ?? {}, name))),
  );
  return [...own, ...asked];
}

function earlierProperties({ current, table, shape }: SurvivingResource, names: EarlierNames): readonly Property[] {
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const { shows, constant: value } = table.fields[name] ?? {};
    const same = current.properties.find((one) => one.name === shows);
    if (same === undefined) return [];
    const { schema, source } =
      value === undefined
        ? { schema: renamedReferences(same.schema, names), source: renamed(same.source, { own: current, names }) }
        : { schema: { ...same.schema, const: value }, source: { kind: 'constant' as const, value } };
    return [{ ...same, name, schema: earlierSchema({ ...same, schema }, field, current, 'shown'), source }];
  });
}

/** The earlier schema of a property or parameter if every value can be converted to its form. */
function earlierSchema(
  today: Property | Parameter,
  { form, schema }: ShapeField,
  { properties, parameters }: Resource,
  direction: 'shown' | 'sent',
): JsonSchema {
  const isIt = ({ name }: Property | Parameter) => name === today.name;
  const formToday = formOf(properties.find(isIt), parameters.find(isIt));
  return isExact(form, formToday, direction) ? { ...schemaOfForm(form), ...schema } : today.schema;
}

function renamedReferences(schema: JsonSchema, names: EarlierNames): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema).replace(
      /#\/components\/schemas\/(\w+?)(_brief)?"/g,
      (_, name: string, brief = '') => `#/components/schemas/${names.resource(name)}${brief}"`,
    ),
  ) as JsonSchema;
}

/** Events and the classes of their owners have the names that web hooks of the version have for them, as messages do. */
function earlierEvent(event: ModelEvent, hook: string, names: EarlierNames): ModelEvent {
  return {
    ...event,
    name: names.value(hook, 'event', event.name),
    ownerClass: names.value(hook, 'owner_class', event.ownerClass),
    record: event.record === null ? null : names.resource(event.record),
    owner: names.resource(event.owner),
    payload: renamedReferences(event.payload, names),
  };
}

/** The descriptor with the earlier names of its fields; what states a source, other than a text, keeps today's. */
function earlierStated({ current, table }: SurvivingResource, names: EarlierNames): Resource['stated'] {
  const { name: own, stated } = current;
  const property = (name: string) => Object.keys(table.fields).find((one) => table.fields[one]?.shows === name) ?? name;
  const column = (name: string, raw: RawField) =>
    columnOfField(name, raw) === name
      ? names.column(own, name)
      : names.column(own, columnOfField(name, raw)).replace(/_id$/, '');
  const fields = [...stated.fields].map(([name, raw]): [string, RawField] => [
    kindOf(raw).derived ? property(name) : column(name, raw),
    {
      ...raw,
      ...(raw.text && renamed({ text: raw.text }, { own: current, names })),
      ...(raw.shown_as && { shown_as: raw.shown_as.map(property) }),
    },
  ]);
  return { ...stated, fields: new Map(fields) };
}
