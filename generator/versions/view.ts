// Today's model as callers of a version see it (D68): with the earlier names, and without later additions. Whatever still differs
// from the model of the cut is not covered by the version.

import type { Clause, PropertySource } from '../../runtime/contract/definition.js';
import type { ValueForm } from '../../runtime/contract/versions.js';
import { renamedTerm } from '../../runtime/schema/order.js';
import type { RawField } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import { columnOf, kindOf } from '../model/kinds/kinds.js';
import type { Column, JsonSchema, Model, ModelEvent, Parameter, Property, Resource } from '../model/model.js';
import { hasHookRoutes } from '../model/routes.js';
import type { SurvivingResource, SurvivingResources } from './compose.js';
import { formOf, isExact, schemaOfForm } from './forms.js';
import type { ShapeField } from './shape.js';

type Where = Readonly<Record<string, string | number | null>>;

/** Translates today's names to those of the version. */
interface EarlierNames {
  resource(name: string): string;
  column(resource: string, name: string): string;
  value(resource: string, column: string, value: string): string;
  where(resource: string, where: Where): Where;
  property(resource: string, name: string): string;
  /** The name of a list below the records of `parent`. */
  list(parent: string, name: string): string;
  /** Today's name of the resource whose records the list holds. */
  listed(parent: string, name: string): string;
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
    for (const [name, { column, values: choices = {}, sends }] of Object.entries(table.fields)) {
      if (column === undefined || (columns.has(`${resource}.${column}`) && sends !== column)) continue;
      columns.set(`${resource}.${column}`, name);
      for (const [earlier, current] of Object.entries(choices)) values.set(`${resource}.${column}.${current}`, earlier);
    }
  }
  const names: EarlierNames = {
    resource: (name) => survivors.get(name)?.table.name ?? name,
    column: (resource, name) => columns.get(`${resource}.${name}`) ?? name,
    value: (resource, column, value) => values.get(`${resource}.${column}.${value}`) ?? value,
    property: (resource, name) => nameOf(survivors.get(resource)?.table.fields, ({ shows }) => shows === name) ?? name,
    list: (parent, name) => nameOf(survivors.get(parent)?.table.lists, (one) => one === name) ?? name,
    listed: (parent, name) =>
      [...survivors.values()].find(({ current }) =>
        current.lists.some((one) => one.parent === parent && one.name === name),
      )?.current.name ?? '',
    where: (resource, where) =>
      Object.fromEntries(
        Object.entries(where).map(([column, value]) => [
          names.column(resource, column),
          typeof value === 'string' ? names.value(resource, column, value) : value,
        ]),
      ),
  };
  return names;
}

function nameOf<T>(all: Readonly<Record<string, T>> = {}, isIt: (one: T) => boolean): string | undefined {
  return Object.entries(all).find(([, one]) => isIt(one))?.[0];
}

function earlierResource(earlier: SurvivingResource, names: EarlierNames): Resource {
  const { current, table, shape } = earlier;
  const column = (name: string) => names.column(current.name, name);
  return {
    ...current,
    name: table.name,
    constant: shape.type ?? table.name,
    typeFields: Object.keys(table.fields).filter((name) => table.fields[name]?.constant !== undefined),
    operations: Object.fromEntries(
      Object.entries(current.operations).map(([one, who]) => [one, Object.hasOwn(shape.operations, one) ? who : null]),
    ) as Resource['operations'],
    paths: Object.entries(shape.paths ?? {}).flatMap(([operation, bases]) =>
      bases.map((base) => ({ operation: operation as Resource['paths'][number]['operation'], base })),
    ),
    oldNames: Object.entries(shape.old_names ?? {}).map(([name, identity]) => ({ name, identity })),
    columns: earlierColumns(earlier, names),
    parameters: earlierParameters(earlier, names),
    properties: earlierProperties(earlier, names),
    ...earlierIdentities(earlier, names),
    references: current.references.map((one) => ({
      ...one,
      column: column(one.column),
      to: names.resource(one.to),
      relation: nameOf(table.relations, (relation) => relation === one.relation) ?? one.relation,
    })),
    ignored: shape.ignores ?? [],
    access: earlierAccess(current, names),
    ...earlierLists(earlier, names),
    uniques: current.uniques.map(({ columns, where }) => ({
      columns: columns.map(column),
      where: where === null ? null : names.where(current.name, where),
    })),
    existing: current.existing?.map(column) ?? null,
    brief: table.brief.filter((name) => current.brief.includes(table.fields[name]?.shows ?? '')),
    stated: earlierStated(current, names),
    actions: current.actions
      .filter(({ name }) => Object.hasOwn(shape.actions ?? {}, name))
      .map((action) => ({
        ...action,
        sets: action.sets === null ? null : names.where(current.name, action.sets),
        copies: action.copies === null ? null : { ...action.copies, column: column(action.copies.column) },
      })),
  };
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

type ListsOfResource = Pick<Resource, 'lists' | 'whole' | 'order' | 'sortable' | 'filters' | 'ranges'>;

function earlierLists({ current, table }: SurvivingResource, names: EarlierNames): ListsOfResource {
  const column = (name: string) => names.column(current.name, name);
  const known = new Set(Object.values(table.fields).flatMap((one) => one.column ?? []));
  const knownOf = (all: readonly string[]) => all.filter((name) => known.has(name)).map(column);
  const lists = (table.routes ?? []).flatMap((route) => {
    const same = current.lists.find(({ name, parent }) => name === route.name && parent === route.parent);
    if (route.operation !== 'list' || same === undefined) return [];
    const [, , parent = '', , name = ''] = route.path.split('/');
    const { through } = same;
    return [
      {
        ...same,
        ...{ parent, name, by: column(same.by), where: names.where(current.name, same.where) },
        ...(through && {
          through: { resource: names.resource(through.resource), by: names.column(through.resource, through.by) },
        }),
      },
    ];
  });
  const { whole } = current;
  return {
    lists,
    whole: whole && {
      ...whole,
      where: names.where(current.name, whole.where),
      ...(whole.search && { search: whole.search.map(column) }),
    },
    order: current.order.map((term) => renamedTerm(term, column)),
    sortable: knownOf(current.sortable),
    filters: knownOf(current.filters),
    ranges: knownOf(current.ranges),
  };
}

/** Leaves out new columns that have the name of an earlier field. */
function earlierColumns({ current, table }: SurvivingResource, names: EarlierNames): readonly Column[] {
  const known = new Set(Object.values(table.fields).flatMap((one) => one.column ?? []));
  return current.columns
    .filter(({ name }) => known.has(name) || (table.fields[name]?.shows ?? name) === name)
    .map((one) => ({ ...one, name: names.column(current.name, one.name), check: earlierCheck(one, current, names) }));
}

function earlierCheck({ name, check }: Column, current: Resource, names: EarlierNames): Column['check'] {
  if (check?.rule !== 'choice') return check;
  return {
    rule: 'choice',
    names: check.names.map((one) => ({ ...one, name: names.value(current.name, name, one.name) })),
  };
}

function earlierParameters({ current, table, shape }: SurvivingResource, names: EarlierNames): readonly Parameter[] {
  const own = Object.entries(shape.fields).flatMap(([name, field]) => {
    const today = table.fields[name] ?? {};
    const same = current.parameters.find((one) => one.name === today.sends);
    if (same === undefined || field.only === 'shown') return [];
    const choices = Object.keys(today.values ?? {});
    const schema = earlierSchema(same.schema, field, isExact(field.form, formToday(same.name, current), 'sent'));
    const isFilled = today.default !== undefined;
    const { default: _, ...rest } = choices.length > 0 && schema.enum ? { ...schema, enum: choices } : schema;
    const parameter: Parameter = {
      ...same,
      name,
      schema:
        today.default === undefined ? keptDefault(rest, same, current, names) : { ...rest, default: field.default },
      synonyms: field.synonyms ?? [],
      requiredOnCreate: isFilled ? field.required === true : same.requiredOnCreate,
      requiredOnUpdate: same.requiredOnUpdate && (!isFilled || field.required === true),
    };
    return [parameter];
  });
  const known = new Set(Object.values(table.fields).map(({ sends }) => sends));
  // A new required parameter that nothing fills is still required.
  const asked = current.parameters.filter(
    ({ name, requiredOnCreate }) => requiredOnCreate && !known.has(name) && !Object.hasOwn(table.adds ?? {}, name),
  );
  return [...own, ...asked];
}

/** A default that was added since applies to earlier callers, too. */
function keptDefault(
  schema: JsonSchema,
  { name, schema: today }: Parameter,
  current: Resource,
  names: EarlierNames,
): JsonSchema {
  if (today.default === undefined) return schema;
  const value = typeof today.default === 'string' ? names.value(current.name, name, today.default) : today.default;
  return { ...schema, default: value };
}

function earlierProperties({ current, table, shape }: SurvivingResource, names: EarlierNames): readonly Property[] {
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const today = table.fields[name];
    const same = current.properties.find((one) => one.name === today?.shows);
    if (same === undefined) return [];
    const { schema } = same;
    const renamed =
      today?.constant === undefined ? renamedReferences(schema, names) : { ...schema, const: today.constant };
    const source = earlierSource(same.source, current, names);
    return [
      {
        ...same,
        name,
        schema: earlierSchema(renamed, field, isExact(field.form, formToday(same.name, current), 'shown')),
        source: today?.constant === undefined ? source : { kind: 'constant' as const, value: today.constant },
      },
    ];
  });
}

/** @param name of a property, a parameter, or both */
function formToday(name: string, { properties, parameters }: Resource): ValueForm | undefined {
  return formOf(
    properties.find((one) => one.name === name),
    parameters.find((one) => one.name === name),
  );
}

/** The earlier schema if every value can be converted to its form. */
function earlierSchema(schema: JsonSchema, field: ShapeField, isExactly: boolean): JsonSchema {
  return isExactly ? { ...schemaOfForm(field.form), ...field.schema } : schema;
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

function earlierSource(source: Property['source'], current: Resource, names: EarlierNames): Property['source'] {
  const column = (name: string) => names.column(current.name, name);
  switch (source.kind) {
    case 'constant':
    case 'right':
      return source;
    case 'template':
      return { ...source, text: source.text.replace(/\{(\w+)\}/g, (_, name: string) => `{${column(name)}}`) };
    case 'description':
      return { ...source, through: column(source.through) };
    case 'copy': {
      const to = current.references.find((one) => one.column === source.through)?.to ?? '';
      return { ...source, through: column(source.through), column: names.column(to, source.column) };
    }
    case 'count':
    case 'sum':
    case 'latest': {
      const where = source.where === undefined ? {} : { where: names.where(source.of, source.where) };
      const of = { of: names.resource(source.of), by: names.column(source.of, source.by), ...where };
      if (source.kind === 'count') return { ...source, ...of };
      return { ...source, ...of, column: names.column(source.of, source.column) } as PropertySource;
    }
    default:
      return { ...source, column: column(source.column) };
  }
}

/** The sources of computed fields, as an earlier descriptor would state them. */
function earlierStated({ name: own, stated, references }: Resource, names: EarlierNames): Resource['stated'] {
  const field = (of: string, name: string, raw: RawField | undefined): string =>
    raw?.to === undefined ? names.column(of, name) : names.column(of, columnOf(name, raw)).replace(/_id$/, '');
  const fields = [...stated.fields].map(([name, raw]): [string, RawField] => {
    const { copy, text, shown_as: others } = raw;
    const [through = '', of] = (copy ?? '').split('.');
    const reference = references.find(({ column }) => column === `${through}_id`);
    const copied = of === undefined ? names.column(own, through) : names.column(reference?.to ?? '', of);
    const path = of === undefined ? copied : `${names.column(own, `${through}_id`).replace(/_id$/, '')}.${copied}`;
    const aggregate = aggregateOf(raw);
    const list = aggregate === null ? '' : names.list(own, aggregate.list);
    const column =
      aggregate?.field == null ? '' : `.${names.column(names.listed(own, aggregate.list), aggregate.field)}`;
    return [
      kindOf(raw).derived ? names.property(own, name) : field(own, name, raw),
      {
        ...raw,
        ...(copy === undefined ? {} : { copy: path }),
        ...(text === undefined
          ? {}
          : { text: text.replace(/\{(\w+)\}/g, (_, one: string) => `{${names.column(own, one)}}`) }),
        ...(aggregate === null ? {} : { [aggregate.key]: `${list}${column}` }),
        ...(others === undefined ? {} : { shown_as: others.map((one) => names.property(own, one)) }),
      },
    ];
  });
  return { ...stated, fields: new Map(fields) };
}

function earlierAccess({ name, access }: Resource, names: EarlierNames): Resource['access'] {
  const clauses = (all: readonly Clause[]) => all.map((clause) => earlierClause(clause, name, names));
  const rights = Object.entries(access.rights).map(([right, all]) => [right, clauses(all)]);
  return {
    ...access,
    read: clauses(access.read),
    edit: clauses(access.edit),
    rights: Object.fromEntries(rights) as Resource['access']['rights'],
  };
}

function earlierClause(clause: Clause, of: string, names: EarlierNames): Clause {
  const column = (name: string) => names.column(of, name);
  if ('user' in clause && !('member' in clause)) return { user: column(clause.user) };
  if ('through' in clause) return { ...clause, through: column(clause.through), to: names.resource(clause.to) };
  if ('when' in clause) return { when: column(clause.when) };
  if (!('member' in clause)) return clause;
  const { member } = clause;
  return {
    ...clause,
    member: names.resource(member),
    by: names.column(member, clause.by),
    user: names.column(member, clause.user),
    ...(clause.in === undefined ? {} : { in: column(clause.in) }),
    ...(clause.where === undefined ? {} : { where: names.where(member, clause.where) }),
  };
}
