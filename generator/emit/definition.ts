// The definition of one resource as data. The kit's `define` adds what every record has, and what follows from the rest or is
// empty.

import type { Reference } from '../../runtime/contract/definition.js';
import { tokenOf } from '../model/find.js';
import { FIXED_NAMES, FIXED_PROPERTIES, TYPE_PROPERTY } from '../model/fixed.js';
import type { Action, Column, Parameter, Property, Resource } from '../model/model.js';
import { carriedNeeds, rolesOf } from '../model/needs.js';
import { undoneAction } from '../model/routes.js';
import { Printed } from './print.js';

type Data = Readonly<Record<string, unknown>>;

/** @returns the settings in the order in which they are printed; empty settings are undefined */
export function definitionData(resource: Resource): Data {
  const { name, columns, properties, parameters, typeFields } = resource;
  const fixed = new Set([...FIXED_PROPERTIES, ...typeFields]);
  return withoutEmpty({
    name,
    plural: resource.plural,
    title: resource.title,
    constant: resource.constant === name ? null : resource.constant,
    typeField: typeFields.find((one) => one !== TYPE_PROPERTY),
    principal: resource.principal,
    upload: resource.upload,
    servedBy: resource.servedBy,
    operations: resource.operations,
    aliases: resource.paths,
    oldNames: byName(resource.oldNames, ({ identity }) => identity),
    parameters: byName(parameters, parameterData),
    synonyms: Object.fromEntries(parameters.flatMap((one) => one.synonyms.map((other) => [other, one.name]))),
    ignored: resource.ignored,
    validate: new Printed('validate'),
    references: resource.references.map(referenceData),
    access: withoutEmpty({ ...resource.access }),
    ...listData(resource),
    options: byName(parameters.filter(isChoice), ({ schema }) => schema.enum),
    titles: resource.titles,
    removed: removedNames(columns),
    sizes: resource.sizes,
    catalogue: catalogueData(resource),
    uniques: resource.uniques.map((unique) => unique.columns),
    lookups: resource.lookups,
    match: resource.match,
    existing: resource.existing,
    brief: resource.brief,
    actions: byName(resource.actions, actionData),
    lifecycle: resource.lifecycle,
    reads: resource.reads,
    needs: carriedNeeds(rolesOf(resource), columns),
    deprecations: resource.deprecations,
    columns: byName(
      columns.filter((one) => !FIXED_NAMES.includes(one.name)),
      columnData,
    ),
    properties: byName(
      properties.filter((one) => !fixed.has(one.name) && one.source.kind !== 'shown_once'),
      propertyData,
    ),
    token: tokenOf(resource),
    handlers: new Printed('{ create, update }'),
  });
}

/** The lists, with their order and filters. */
function listData({ lists, whole, order, sortable, filters, ranges, finds }: Resource): Data {
  return {
    lists: lists.map((list) => withoutEmpty({ ...list })),
    whole,
    order,
    sortable: sortable.filter((one) => !FIXED_NAMES.includes(one)),
    filters,
    ranges,
    finds,
  };
}

/** The settings without false, null, and empty lists and objects. */
function withoutEmpty(settings: Data): Data {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === false || value === null || value === undefined;
  return !(value instanceof Printed) && Object.keys(value).length === 0;
}

function byName<T extends { readonly name: string }>(all: readonly T[], data: (one: T) => unknown): Data {
  return Object.fromEntries(all.map((one) => [one.name, data(one)]));
}

function removedNames(columns: readonly Column[]): Data {
  return Object.fromEntries(columns.flatMap(({ name, removed }) => (removed.length > 0 ? [[name, removed]] : [])));
}

function isChoice({ schema }: Parameter): boolean {
  return Array.isArray(schema.enum);
}

/** The relation is named like the column without `_id`, unless it is given. */
function referenceData({ relation, ...reference }: Reference): Data {
  return withoutEmpty({ ...reference, relation: `${relation}_id` === reference.column ? null : relation });
}

function parameterData({ kind, set, nullable, proves, words }: Parameter): Data {
  return withoutEmpty({ kind, set, nullable, proves, words });
}

function columnData({ storage, copies, check, write }: Column): Data {
  const values = check?.rule === 'choice' && write.by === 'service' ? check.names.map(({ name }) => name) : [];
  return withoutEmpty({ type: storage, copies, values });
}

/** How a property gets its value and who sees it. */
function propertyData({ source, view, whenSet }: Property): Data {
  return withoutEmpty({ ...source, view, whenSet });
}

function catalogueData({ catalogue }: Resource): Data | null {
  if (catalogue === null) return null;
  const { title, attributes, identities } = catalogue;
  return { title, attributes, identities: isEmpty(identities) ? undefined : identities };
}

function actionData(action: Action): Data {
  const { name, by, parameters, sets, copies, reads, renews } = action;
  const validate = new Printed(`validate.${name}Action`);
  const settings = withoutEmpty({
    by,
    parameters: byName(parameters, parameterData),
    validate,
    ...undoneAction(action),
    copies,
    reads,
    renews,
  });
  return { ...settings, sets: sets ?? undefined };
}
