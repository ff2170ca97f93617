// Today's model as callers of a version see it (D68): with the earlier names, and without later additions. Whatever still differs
// from the model of the cut is not covered by the version.

import type { RawField } from '../language/language.js';
import { choiceOrderOf, choicesOf } from '../model/find.js';
import { columnOfField } from '../model/kinds/kinds.js';
import type { Column, JsonSchema, Model, ModelEvent, Parameter, Property, Resource } from '../model/model.js';
import { type Naming, renamed, renamedKeys } from '../model/names.js';
import { hasHookRoutes } from '../model/routes.js';
import type { SurvivingField, SurvivingResource, SurvivingResources } from './compose.js';
import { isExact, schemaOfForm } from './forms.js';

/** Names of the version in place of today's. */
type EarlierNames = Naming<string>;

/** @returns today's model with the names of the version, without the resources that were added since */
export function viewOf(model: Model, survivors: SurvivingResources): Model {
  const names = namesIn(survivors);
  const hook = model.resources.find(hasHookRoutes)?.name ?? '';
  return {
    ...model,
    resources: [...survivors.values()].map((survivor) => earlierResource(survivor, names)),
    events: model.events.map((event) => earlierEvent(event, hook, names)),
  };
}

function namesIn(survivors: SurvivingResources): EarlierNames {
  const fieldOf = (resource: string, column: string) =>
    survivors.get(resource)?.fields.find(({ row }) => row.column === column);
  const valuesOf = (resource: string, name: string) => Object.entries(fieldOf(resource, name)?.row.values ?? {});
  const column = (resource: string, name: string) => fieldOf(resource, name)?.name ?? name;
  return {
    resource: (name) => survivors.get(name)?.name ?? name,
    column,
    value: (resource, name, value) => valuesOf(resource, name).find(([, today]) => today === value)?.[0] ?? value,
    // A text shows the values of a choice by their current names.
    inText: (resource, name) => {
      const isRenamed = valuesOf(resource, name).some(([earlier, today]) => earlier !== today);
      return `${column(resource, name)}${isRenamed ? ' as today' : ''}`;
    },
  };
}

function earlierResource(survivor: SurvivingResource, names: EarlierNames): Resource {
  const { name, current, offered, shape, fields } = survivor;
  const { access, order, uniques, existing, titles, sortable, filters, ranges, whole } = current;
  const rename = <T>(part: T) => renamed(part, current, names);
  const column = (one: string) => names.column(current.name, one);
  const isKnown = (one: string) => fields.some(({ row }) => row.column === one);
  const known = {
    sortable: sortable.filter(isKnown),
    filters: filters.filter(isKnown),
    ranges: ranges.filter(isKnown),
  };
  return {
    ...offered,
    // A record no longer links to the list, which is still answered.
    upload: current.upload?.uses === undefined ? current.upload : offered.upload,
    ...rename({ lists: offered.lists, access, order, uniques, existing, titles, ...known }),
    whole: whole && { ...rename(whole), by: whole.by },
    constant: shape.type ?? name,
    typeFields: fields.flatMap((one) => (one.row.constant === undefined ? [] : [one.name])),
    oldNames: Object.entries(shape.old_names ?? {}).map(([old, identity]) => ({ name: old, identity })),
    columns: current.columns.flatMap((one) => earlierColumn(one, survivor, names)),
    parameters: earlierParameters(survivor, names),
    properties: earlierProperties(survivor, names),
    ...earlierIdentities(survivor, names),
    references: current.references.map((one) => ({
      ...one,
      ...rename({ column: one.column, to: one.to }),
      relation: column(one.column).replace(/_id$/, ''),
    })),
    ignored: shape.ignores ?? [],
    brief: (shape.brief ?? []).filter((one) => current.brief.includes(survivor.table.fields[one]?.shows ?? '')),
    stated: { ...current.stated, fields: earlierStated(survivor, names) },
    actions: offered.actions.map(({ sets, copies, parameters, ...action }) => ({
      ...action,
      ...rename({ sets, copies }),
      // The name of a copy is sent under the name of its field.
      parameters: parameters.map((one) => ({ ...one, name: copies ? column(one.name) : one.name })),
    })),
  };
}

/** Sizes and catalogue rows of the identities, by their earlier names. */
function earlierIdentities(
  { current, fields }: SurvivingResource,
  names: EarlierNames,
): Pick<Resource, 'sizes' | 'catalogue'> {
  const { sizes, catalogue } = current;
  const identity = (value: string) => String(names.value(current.name, 'identity', value));
  const known = fields.find(({ name }) => name === 'identity')?.row.values ?? {};
  return {
    sizes: renamedKeys(sizes, identity),
    catalogue: catalogue && {
      ...catalogue,
      identities: renamedKeys(catalogue.identities, identity),
      rows: Object.keys(known).filter((one) => catalogue.rows.some((row) => identity(row) === one)),
    },
  };
}

/** Leaves out a new column, or a new choice, that has the name of an earlier one. */
function earlierColumn(column: Column, { current, fields }: SurvivingResource, names: EarlierNames): readonly Column[] {
  const { name, copies, check } = column;
  const field = fields.find(({ row }) => row.column === name);
  const isTaken = fields.some((one) => one.name === name && (one.row.shows ?? name) !== name);
  if (field === undefined && isTaken) return [];
  const values = field?.shape.values ?? {};
  const choices = choicesOf(column)
    .map((one) => ({ ...one, name: String(names.value(current.name, name, one.name)) }))
    .filter((one) => (values[one.name] ?? one.number) === one.number);
  const earlier = check?.rule === 'choice' ? { ...check, names: choices } : check;
  const same = { copies: renamed(copies, current, names), choiceOrder: choiceOrderOf(column) };
  return [{ ...column, name: field?.name ?? name, check: earlier, ...same }];
}

function earlierParameters({ current, fields, table }: SurvivingResource, names: EarlierNames): readonly Parameter[] {
  const own = fields.flatMap((field): readonly Parameter[] => {
    const { name, parameter, shape, row } = field;
    if (parameter === undefined) return [];
    const { default: today, ...schema } = earlierSchema(parameter.schema, field, 'sent');
    const choices = Object.keys(row.values ?? {});
    const isFilled = row.default !== undefined;
    // A default that was added since applies to earlier callers, too.
    const preset = isFilled ? shape.default : names.value(current.name, parameter.name, parameter.schema.default);
    const earlier: Parameter = {
      ...parameter,
      name,
      schema: { ...schema, ...(choices.length > 0 && schema.enum ? { enum: choices } : {}), default: preset },
      synonyms: shape.synonyms ?? [],
      requiredOnCreate: isFilled ? shape.required === true : parameter.requiredOnCreate,
    };
    return [earlier];
  });
  const known = new Set(Object.values(table.fields).map(({ sends }) => sends));
  // A new required parameter that nothing fills is still required. An update fills none: it would overwrite what others have sent.
  const asked = current.parameters.filter(
    ({ name, requiredOnCreate, requiredOnUpdate }) =>
      !known.has(name) && (requiredOnUpdate || (requiredOnCreate && !Object.hasOwn(table.adds ?? {}, name))),
  );
  return [...own, ...asked];
}

function earlierProperties({ current, fields }: SurvivingResource, names: EarlierNames): readonly Property[] {
  return fields.flatMap((field): readonly Property[] => {
    const { name, property, row } = field;
    if (property === undefined) return [];
    const { constant: value } = row;
    const schema = renamedReferences(earlierSchema(property.schema, field, 'shown'), names);
    if (value === undefined) return [{ ...property, name, schema, source: renamed(property.source, current, names) }];
    return [{ ...property, name, schema: { ...schema, const: value }, source: { kind: 'constant', value } }];
  });
}

/** The earlier schema of a property or parameter if every value can be converted to its form. */
function earlierSchema(today: JsonSchema, { shape, form }: SurvivingField, direction: 'shown' | 'sent'): JsonSchema {
  return isExact(shape.form, form, direction) ? { ...schemaOfForm(shape.form), ...shape.schema } : today;
}

function renamedReferences(schema: JsonSchema, names: EarlierNames): JsonSchema {
  const text = JSON.stringify(schema).replace(
    REFERENCE,
    (_, before: string, name: string, after: string) => before + names.resource(name) + after,
  );
  return JSON.parse(text) as JsonSchema;
}

const REFERENCE = /("#\/components\/schemas\/)(\w+?)((?:_brief)?")/g;

/** Events and the classes of their owners have the names that web hooks of the version have for them, as messages do. */
function earlierEvent(event: ModelEvent, hook: string, names: EarlierNames): ModelEvent {
  return {
    ...event,
    name: String(names.value(hook, 'event', event.name)),
    ownerClass: String(names.value(hook, 'owner_class', event.ownerClass)),
    record: event.record === null ? null : names.resource(event.record),
    owner: names.resource(event.owner),
    payload: renamedReferences(event.payload, names),
  };
}

/** The fields of the descriptor with their earlier names; what states a source, other than a text, keeps today's. */
function earlierStated({ current, fields }: SurvivingResource, names: EarlierNames): ReadonlyMap<string, RawField> {
  const field = (name: string) =>
    (fields.find(({ row }) => row.column === name) ?? fields.find(({ row }) => row.shows === name))?.name ?? name;
  const all = [...current.stated.fields].map(([name, raw]): [string, RawField] => {
    const column = columnOfField(name, raw);
    const earlier = column === name ? field(name) : field(column).replace(/_id$/, '');
    const { text, shown_as } = raw;
    return [
      earlier,
      { ...raw, ...(text && renamed({ text }, current, names)), ...(shown_as && { shown_as: shown_as.map(field) }) },
    ];
  });
  return new Map(all);
}
