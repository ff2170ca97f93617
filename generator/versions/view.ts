// The model of today as a caller of an earlier version sees it (D68): in the names of then, without what came since. What differs
// between it and the model of then is what a version does not cover. Pure.

import type { Clause, PropertySource } from '../../runtime/contract/definition.js';
import { renamedTerm } from '../../runtime/schema/order.js';
import type { RawField } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import { columnOf, kindOf } from '../model/kinds/kinds.js';
import type { Column, JsonSchema, Model, ModelEvent, Parameter, Property, Resource } from '../model/model.js';
import type { Then, Thens } from './compose.js';
import { formOf, isExact, schemaOfForm } from './forms.js';
import type { ShapeField } from './shape.js';

type Where = Readonly<Record<string, string | number | null>>;

/** What today's names were. */
interface Names {
  resource(name: string): string;
  /** Of a column of a resource, both by today's names. */
  column(resource: string, name: string): string;
  value(resource: string, column: string, value: string): string;
  where(resource: string, where: Where): Where;
  property(resource: string, name: string): string;
  /** Of a list below the records of a resource. */
  list(parent: string, name: string): string;
  /** Today's name of the resource whose records the list holds. */
  listed(parent: string, name: string): string;
}

/** Events are as they are: messages are not in the shape of a request's version. */
export function viewOf(model: Model, thens: Thens): Model {
  const names = namesIn(thens);
  const resources = model.resources.flatMap((resource) => {
    const then = thens.get(resource.name);
    return then === undefined ? [] : [resourceThen(resource, then, names)];
  });
  const events = model.events.map((event) => eventThen(event, names));
  return { ...model, resources: resources.sort((one, other) => (one.name < other.name ? -1 : 1)), events };
}

function namesIn(thens: Thens): Names {
  const columns = new Map<string, string>();
  const values = new Map<string, string>();
  for (const [resource, { table }] of thens) {
    for (const [name, { column, values: choices = {}, sends }] of Object.entries(table.fields)) {
      if (column === undefined || (columns.has(`${resource}.${column}`) && sends !== column)) continue;
      columns.set(`${resource}.${column}`, name);
      for (const [then, now] of Object.entries(choices)) values.set(`${resource}.${column}.${now}`, then);
    }
  }
  const names: Names = {
    resource: (name) => thens.get(name)?.table.name ?? name,
    column: (resource, name) => columns.get(`${resource}.${name}`) ?? name,
    value: (resource, column, value) => values.get(`${resource}.${column}.${value}`) ?? value,
    property: (resource, name) => nameOf(thens.get(resource)?.table.fields, ({ shows }) => shows === name) ?? name,
    list: (parent, name) => nameOf(thens.get(parent)?.table.lists, (one) => one === name) ?? name,
    listed: (parent, name) =>
      [...thens.values()].find(({ now }) => now.lists.some((one) => one.parent === parent && one.name === name))?.now
        .name ?? '',
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

function resourceThen(now: Resource, then: Then, names: Names): Resource {
  const { table, shape } = then;
  const column = (name: string) => names.column(now.name, name);
  return {
    ...now,
    name: table.name,
    constant: shape.type ?? table.name,
    typeFields: Object.keys(table.fields).filter((name) => table.fields[name]?.constant !== undefined),
    operations: Object.fromEntries(
      Object.entries(now.operations).map(([one, who]) => [one, Object.hasOwn(shape.operations, one) ? who : null]),
    ) as Resource['operations'],
    paths: Object.entries(shape.paths ?? {}).flatMap(([operation, bases]) =>
      bases.map((base) => ({ operation: operation as Resource['paths'][number]['operation'], base })),
    ),
    oldNames: Object.entries(shape.old_names ?? {}).map(([name, identity]) => ({ name, identity })),
    columns: columnsThen(now, then, names),
    parameters: parametersThen(now, then, names),
    properties: propertiesThen(now, then, names),
    ...identitiesThen(now, then, names),
    references: now.references.map((one) => ({
      ...one,
      column: column(one.column),
      to: names.resource(one.to),
      relation: nameOf(table.relations, (relation) => relation === one.relation) ?? one.relation,
    })),
    ignored: shape.ignores ?? [],
    access: accessThen(now, names),
    ...listsThen(now, then, names),
    uniques: now.uniques.map(({ columns, where }) => ({
      columns: columns.map(column),
      where: where === null ? null : names.where(now.name, where),
    })),
    existing: now.existing?.map(column) ?? null,
    brief: table.brief.filter((name) => now.brief.includes(table.fields[name]?.shows ?? '')),
    stated: statedThen(now, names),
    actions: now.actions
      .filter(({ name }) => Object.hasOwn(shape.actions ?? {}, name))
      .map((action) => ({
        ...action,
        sets: action.sets === null ? null : names.where(now.name, action.sets),
        copies: action.copies === null ? null : { ...action.copies, column: column(action.copies.column) },
      })),
  };
}

/** What is said of each of its values. */
function identitiesThen(
  now: Resource,
  { table }: Then,
  names: Names,
): Pick<Resource, 'titles' | 'sizes' | 'catalogue'> {
  const identity = (value: string) => names.value(now.name, 'identity', value);
  const known = (value: string) => Object.hasOwn(table.fields.identity?.values ?? {}, value);
  const renamed = <T>(all: Readonly<Record<string, T>>, of = 'identity') =>
    Object.fromEntries(Object.entries(all).map(([value, one]) => [names.value(now.name, of, value), one]));
  const titles = Object.entries(now.titles).map(([name, all]) => [names.column(now.name, name), renamed(all, name)]);
  const { catalogue } = now;
  return {
    titles: Object.fromEntries(titles) as Resource['titles'],
    sizes: renamed(now.sizes),
    catalogue: catalogue && {
      ...catalogue,
      identities: renamed(catalogue.identities),
      rows: catalogue.rows.map(identity).filter(known),
    },
  };
}

type ListsOfResource = Pick<Resource, 'lists' | 'whole' | 'order' | 'sortable' | 'filters' | 'ranges'>;

function listsThen(now: Resource, { table }: Then, names: Names): ListsOfResource {
  const column = (name: string) => names.column(now.name, name);
  const known = new Set(Object.values(table.fields).flatMap((one) => one.column ?? []));
  const knownOf = (all: readonly string[]) => all.filter((name) => known.has(name)).map(column);
  const lists = (table.routes ?? []).flatMap((route) => {
    const same = now.lists.find(({ name, parent }) => name === route.name && parent === route.parent);
    if (route.operation !== 'list' || same === undefined) return [];
    const [, , parent = '', , name = ''] = route.path.split('/');
    const { through } = same;
    return [
      {
        ...same,
        ...{ parent, name, by: column(same.by), where: names.where(now.name, same.where) },
        ...(through && {
          through: { resource: names.resource(through.resource), by: names.column(through.resource, through.by) },
        }),
      },
    ];
  });
  const { whole } = now;
  return {
    lists,
    whole: whole && {
      ...whole,
      where: names.where(now.name, whole.where),
      ...(whole.search && { search: whole.search.map(column) }),
    },
    order: now.order.map((term) => renamedTerm(term, column)),
    sortable: knownOf(now.sortable),
    filters: knownOf(now.filters),
    ranges: knownOf(now.ranges),
  };
}

/** Without those that came since under a name of then. */
function columnsThen(now: Resource, { table }: Then, names: Names): readonly Column[] {
  const known = new Set(Object.values(table.fields).flatMap((one) => one.column ?? []));
  return now.columns
    .filter(({ name }) => known.has(name) || (table.fields[name]?.shows ?? name) === name)
    .map((one) => ({ ...one, name: names.column(now.name, one.name), check: checkThen(one, now, names) }));
}

function checkThen({ name, check }: Column, now: Resource, names: Names): Column['check'] {
  if (check?.rule !== 'choice') return check;
  return { rule: 'choice', names: check.names.map((one) => ({ ...one, name: names.value(now.name, name, one.name) })) };
}

function parametersThen(now: Resource, { table, shape }: Then, names: Names): readonly Parameter[] {
  const shownOf = (name: string) => now.properties.find((one) => one.name === name);
  const own = Object.entries(shape.fields).flatMap(([name, field]) => {
    const today = table.fields[name] ?? {};
    const same = now.parameters.find((one) => one.name === today.sends);
    if (same === undefined || field.only === 'shown') return [];
    const choices = Object.keys(today.values ?? {});
    const schema = schemaThen(same.schema, field, isExact(field.form, formOf(shownOf(same.name), same), 'sent'));
    const isFilled = today.default !== undefined;
    const { default: _, ...rest } = choices.length > 0 && schema.enum ? { ...schema, enum: choices } : schema;
    const parameter: Parameter = {
      ...same,
      name,
      schema: today.default === undefined ? keptDefault(rest, same, now, names) : { ...rest, default: field.default },
      synonyms: field.synonyms ?? [],
      requiredOnCreate: isFilled ? field.required === true : same.requiredOnCreate,
      requiredOnUpdate: same.requiredOnUpdate && (!isFilled || field.required === true),
    };
    return [parameter];
  });
  const known = new Set(Object.values(table.fields).map(({ sends }) => sends));
  // What nobody can send for them is still asked for.
  const asked = now.parameters.filter(
    ({ name, requiredOnCreate }) => requiredOnCreate && !known.has(name) && !Object.hasOwn(table.adds ?? {}, name),
  );
  return [...own, ...asked];
}

/** A default that came since is stored for old callers, too. */
function keptDefault(schema: JsonSchema, { name, schema: today }: Parameter, now: Resource, names: Names): JsonSchema {
  if (today.default === undefined) return schema;
  const value = typeof today.default === 'string' ? names.value(now.name, name, today.default) : today.default;
  return { ...schema, default: value };
}

function propertiesThen(now: Resource, { table, shape }: Then, names: Names): readonly Property[] {
  const sentAs = (name: string) => now.parameters.find((one) => one.name === name);
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const today = table.fields[name];
    const same = now.properties.find((one) => one.name === today?.shows);
    if (same === undefined) return [];
    const { schema } = same;
    const renamed = today?.constant === undefined ? refThen(schema, names) : { ...schema, const: today.constant };
    const source = sourceThen(same.source, now, names);
    return [
      {
        ...same,
        name,
        schema: schemaThen(renamed, field, isExact(field.form, formOf(same, sentAs(same.name)), 'shown')),
        source: today?.constant === undefined ? source : { kind: 'constant' as const, value: today.constant },
      },
    ];
  });
}

/** Of a value that is told, or sent, as it was, the schema of then. */
function schemaThen(schema: JsonSchema, field: ShapeField, isExactly: boolean): JsonSchema {
  return isExactly ? { ...schemaOfForm(field.form), ...field.schema } : schema;
}

function refThen(schema: JsonSchema, names: Names): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema).replace(
      /#\/components\/schemas\/(\w+?)(_brief)?"/g,
      (_, name: string, brief = '') => `#/components/schemas/${names.resource(name)}${brief}"`,
    ),
  ) as JsonSchema;
}

function eventThen(event: ModelEvent, names: Names): ModelEvent {
  const record = event.record === null ? null : names.resource(event.record);
  return { ...event, record, owner: names.resource(event.owner), payload: refThen(event.payload, names) };
}

function sourceThen(source: Property['source'], now: Resource, names: Names): Property['source'] {
  const column = (name: string) => names.column(now.name, name);
  switch (source.kind) {
    case 'constant':
    case 'right':
      return source;
    case 'template':
      return { ...source, text: source.text.replace(/\{(\w+)\}/g, (_, name: string) => `{${column(name)}}`) };
    case 'description':
      return { ...source, through: column(source.through) };
    case 'copy': {
      const to = now.references.find((one) => one.column === source.through)?.to ?? '';
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

/** What computed fields are computed from, as a descriptor of then would state it. */
function statedThen({ name: own, stated, references }: Resource, names: Names): Resource['stated'] {
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

function accessThen({ name, access }: Resource, names: Names): Resource['access'] {
  const clauses = (all: readonly Clause[]) => all.map((clause) => clauseThen(clause, name, names));
  const rights = Object.entries(access.rights).map(([right, all]) => [right, clauses(all)]);
  return {
    ...access,
    read: clauses(access.read),
    edit: clauses(access.edit),
    rights: Object.fromEntries(rights) as Resource['access']['rights'],
  };
}

function clauseThen(clause: Clause, of: string, names: Names): Clause {
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
