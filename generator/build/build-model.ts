// Turns checked descriptors into the model: expands fields, applies defaults of the language, resolves names.

import { isDeepStrictEqual } from 'node:util';
import type { Access, Operation, WholeList } from '../../runtime/contract/definition.js';
import { renamedTerm } from '../../runtime/schema/order.js';
import { VERSION } from '../../runtime/schema/version.js';
import type {
  FieldConditions,
  RawAction,
  RawClause,
  RawField,
  RawOperation,
  RawResource,
  RawSpec,
} from '../language/language.js';
import { uniqueSetsOf } from '../language/normalize.js';
import { columnNumber, columnValues, formerNames, type Ledger, resourceNumber } from '../ledger/ledger.js';
import { undoName } from '../model/find.js';
import { FIXED_COLUMNS, TYPE_PROPERTY, withFixedProperties } from '../model/fixed.js';
import type { FieldParts } from '../model/kinds/kind.js';
import { columnOfField, expand, kindOf } from '../model/kinds/kinds.js';
import { storedWhere } from '../model/kinds/reference.js';
import { TEXT_MAX } from '../model/kinds/text.js';
import type { Action, Column, Model, PathAlias, Property, Resource, UnnumberedColumn } from '../model/model.js';
import { buildAccess } from './access.js';
import { buildCatalogue, buildCatalogueEntry } from './catalogue.js';
import { buildDeprecations } from './deprecations.js';
import { buildEvents } from './events.js';
import { buildIndexes } from './indexes.js';
import { buildReads } from './neighbours.js';

/**
 * @param spec the merged descriptors, free of errors
 * @param ledger with the numbers of all names in the spec
 */
export function buildModel(spec: RawSpec, ledger: Ledger): Model {
  return {
    title: spec.title,
    version: spec.version,
    summary: spec.summary,
    imageTypes: spec.imageTypes,
    revision: ledger.next - 1,
    content: ledger.content ?? null,
    catalogue: buildCatalogue(spec),
    resources: spec.resources.map((resource) => unchanged(numbered(buildResource({ spec, resource }), ledger))),
    events: buildEvents(spec),
  };
}

/** The object of an earlier run if the resource is equal to it, since results remembered for that object still apply. */
function unchanged(resource: Resource): Resource {
  const before = BUILT.get(resource.stated);
  if (before !== undefined && isDeepStrictEqual(before, resource)) return before;
  BUILT.set(resource.stated, resource);
  return resource;
}

const BUILT = new WeakMap<RawResource, Resource>();

function numbered(resource: UnnumberedResource, ledger: Ledger): Resource {
  return {
    ...resource,
    number: resourceNumber(ledger, resource.name),
    formerly: formerNames(ledger, resource.name),
    version: columnNumber(ledger, resource.name, VERSION),
    columns: resource.columns.map((column) => {
      const { check, removed } = valuesIn(ledger, resource.name, column);
      const number = columnNumber(ledger, resource.name, column.name);
      return { ...column, number, formerly: formerNames(ledger, resource.name, column.name), check, removed };
    }),
  };
}

/** The numbers of the names that a column may hold, and the removed names that rows may still hold. */
function valuesIn(
  ledger: Ledger,
  resource: string,
  { name: column, check }: UnnumberedColumn,
): Pick<Column, 'check' | 'removed'> {
  if (check?.rule !== 'choice') return { check, removed: [] };
  const { names: numbers, formerly = {}, retired = {}, latest = {} } = columnValues(ledger, resource, column);
  const live = new Set(check.names.map(({ name }) => name));
  const names = check.names.map(({ name }) => {
    const number = numbers[name] ?? 0;
    const earlier = (formerly[number] ?? []).filter((one) => one !== name);
    const last = earlier.filter((one) => latest[one] === number);
    const former = earlier.length === 0 ? {} : { formerly: earlier };
    const other = Object.hasOwn(retired, name) ? { reused: true as const } : {};
    return { number, name, ...former, ...(last.length === 0 ? {} : { latest: last }), ...other };
  });
  return { check: { rule: 'choice', names }, removed: Object.keys(retired).filter((name) => !live.has(name)) };
}

/** The resource without the ledger's numbers, which are added later. */
type UnnumberedResource = Omit<Resource, 'number' | 'formerly' | 'version' | 'columns'> & {
  readonly columns: readonly UnnumberedColumn[];
};

interface ResourceContext {
  readonly spec: RawSpec;
  readonly resource: RawResource;
}

function buildResource(place: ResourceContext): UnnumberedResource {
  const raw = place.resource;
  const { fields } = raw;
  const parts = [...fields].map(([name, field]) => expand(name, field, place));
  const access: Access = buildAccess(place);
  const columns = [...FIXED_COLUMNS, ...parts.flatMap((part) => part.columns ?? [])];
  const constant = { value: raw.type_name ?? raw.resource, names: typeFields(raw) };
  const shown = parts.flatMap((part) => part.properties ?? []);
  const properties = withFixedProperties(shown, constant);
  const uniques = buildUniques(raw);
  const order = (raw.order ?? []).map((term) => renamedTerm(term, (field) => columnOfField(field, fields.get(field))));
  const whole = buildWhole(place);
  const sorted = sortable(columns, properties);
  const filtered = buildFilters(raw);
  return {
    name: raw.resource,
    plural: raw.plural,
    title: raw.title,
    summary: raw.summary,
    source: raw.source,
    constant: constant.value,
    typeFields: constant.names,
    principal: raw.principal === true,
    upload: raw.upload ? buildUpload(raw.upload, fields) : null,
    servedBy: raw.served_by ?? null,
    operations: buildOperations(raw),
    paths: buildPaths(raw),
    oldNames: raw.old_names ?? [],
    columns,
    parameters: buildParameters(raw, parts),
    properties,
    titles: titlesOf(fields),
    sizes: attributeOf(fields.get('identity'), 'size'),
    catalogue: buildCatalogueEntry(raw, place.spec.catalogue),
    references: parts.flatMap((part) => part.references ?? []),
    ignored: raw.ignores ?? [],
    access,
    lists: parts.flatMap((part) => part.lists ?? []),
    whole,
    order,
    sortable: sorted,
    ...filtered,
    ...{ uniques, lookups: buildLookups(raw) },
    ...buildIdentified(raw, uniques),
    indexes: buildIndexes(parts, { uniques, order, whole, finds: filtered.finds }),
    brief: raw.brief ?? [],
    actions: buildAllActions(place, parts),
    lifecycle: raw.lifecycle ?? [],
    reads: buildReads(raw.reads, place),
    deprecations: buildDeprecations(raw, { fields, parts, listed: [...sorted, ...filtered.filters] }),
    stated: raw,
  };
}

function buildFilters({ fields }: RawResource): Pick<Resource, 'filters' | 'ranges' | 'finds'> {
  const columns = (by: (field: RawField) => boolean) =>
    [...fields].flatMap(([name, field]) => (by(field) ? [columnOfField(name, field)] : []));
  return {
    filters: columns(({ filter = false }) => filter !== false),
    ranges: columns(({ filter }) => filter === 'range'),
    finds: columns(({ find }) => find === true),
  };
}

function buildUniques(raw: RawResource): Resource['uniques'] {
  return uniqueSetsOf(raw).map(({ fields, where }) => ({
    columns: fields.map((name) => columnOfField(name, raw.fields.get(name))),
    where: where === undefined ? null : storedWhere(where, raw, kindOf),
  }));
}

function buildLookups({ fields }: RawResource): Resource['lookups'] {
  const columns = [...fields].flatMap(([name, field]) =>
    typeof field.unique === 'string' ? [[field.unique, columnOfField(name, field)] as const] : [],
  );
  return Object.fromEntries(columns);
}

function buildUpload(
  { part, max_bytes: maxBytes, uses }: NonNullable<RawResource['upload']>,
  fields: ReadonlyMap<string, RawField>,
): Resource['upload'] {
  const [size] = [...fields].find(([, { from }]) => from === 'upload.size') ?? [];
  return { part, maxBytes, ...(uses === undefined ? {} : { uses }), ...(size === undefined ? {} : { size }) };
}

/** How an update and a create identify the record that they change. */
function buildIdentified(raw: RawResource, uniques: Resource['uniques']): Pick<Resource, 'match' | 'existing'> {
  const updatesExisting = typeof raw.operations?.create === 'object';
  return { match: declaredUpdate(raw).match ?? null, existing: updatesExisting ? (uniques[0]?.columns ?? null) : null };
}

/** The declaration of an update, unless it only says who may do it. */
function declaredUpdate({ operations }: RawResource): { readonly required?: 'all'; readonly match?: 'required' } {
  const declared = operations?.update;
  return typeof declared === 'object' && !('existing' in declared) ? declared : {};
}

function buildParameters(raw: RawResource, parts: readonly FieldParts[]): Resource['parameters'] {
  const updateAll = declaredUpdate(raw).required === 'all';
  // An update never requires what only administrators may send, or what has a default.
  const isRequired = ({ set, schema }: Pick<Resource['parameters'][number], 'set' | 'schema'>) =>
    updateAll && set !== 'admin' && schema.default === undefined;
  const all = parts.flatMap((part) => part.parameters ?? []);
  return all.map((parameter) => ({ ...parameter, requiredOnUpdate: isRequired(parameter) }));
}

/** The type constant is shown under the declared name, and always as object_type too (D28). */
function typeFields(raw: RawResource): readonly string[] {
  return [...new Set([TYPE_PROPERTY, ...(raw.type_field ? [raw.type_field] : [])])];
}

const OPERATIONS: readonly Operation[] = ['create', 'fetch', 'update', 'delete'];

function buildOperations(raw: RawResource): Resource['operations'] {
  const who = (operation: Operation): 'session' | 'anyone' | 'admin' | null => {
    const declared: RawOperation = raw.operations?.[operation] ?? true;
    if (declared === false) return null;
    if (declared === true || typeof declared === 'object') return operation === 'fetch' ? 'anyone' : 'session';
    return declared;
  };
  return { create: who('create'), fetch: who('fetch'), update: who('update'), delete: who('delete') };
}

/** The list of all records that anyone may read: if a flag decides that, it is a condition of the list. */
function buildWhole({ resource }: ResourceContext): WholeList | null {
  const { whole, access, fields } = resource;
  if (whole === undefined) return null;
  const { by, search } = whole;
  const clauses = access.rights.get('read') ?? ['anyone'];
  const isFlag = (clause: RawClause) => typeof clause === 'string' && grants(fields.get(clause)) === 'when_true';
  const flags = clauses.filter(isFlag);
  const open =
    clauses.includes('anyone') || whole.by === 'admin' || flags.some((flag) => whole.where[String(flag)] === true);
  const where = open
    ? whole.where
    : { ...whole.where, ...Object.fromEntries(flags.slice(0, 1).map((flag) => [flag, true])) };
  return { by, where: storedWhere(where, resource, kindOf), ...(search === undefined ? {} : { search }) };
}

function grants(field: RawField | undefined): string | null {
  return field === undefined ? null : kindOf(field).grants;
}

function titlesOf(fields: RawResource['fields']): Resource['titles'] {
  const all = [...fields].map(([name, field]) => [name, attributeOf(field, 'title')] as const);
  return Object.fromEntries(all.filter(([, titles]) => Object.keys(titles).length > 0));
}

/** The given attribute of all values that have it, by value. */
function attributeOf(field: RawField | undefined, key: 'title' | 'size'): Readonly<Record<string, string>> {
  const values = Object.entries(field?.attributes ?? {});
  return Object.fromEntries(values.flatMap(([value, { [key]: one }]) => (one === undefined ? [] : [[value, one]])));
}

/** Aliases of the canonical path (D32). */
function buildPaths(raw: RawResource): readonly PathAlias[] {
  const bases = (operation: Operation): readonly string[] => [
    ...(raw.paths?.all ?? []),
    ...(raw.paths?.[operation] ?? []),
  ];
  return OPERATIONS.flatMap((operation) => bases(operation).map((base) => ({ operation, base })));
}

/** Properties that everyone sees and by which the table can sort. */
function sortable(columns: readonly UnnumberedColumn[], properties: readonly Property[]): readonly string[] {
  const shown = new Set(properties.filter(({ view }) => view === null).map(({ name }) => name));
  return columns.filter((column) => column.sortable && shown.has(column.name)).map(({ name }) => name);
}

/** Builds the declared actions, and those that fields add. */
function buildAllActions(place: ResourceContext, parts: readonly FieldParts[]): readonly Action[] {
  const declared = [...place.resource.actions].flatMap(([name, action]) => buildActions(name, action, place));
  return [...declared, ...parts.flatMap((part) => part.actions ?? [])];
}

/** The action, and the action that undoes it. */
function buildActions(name: string, action: RawAction, place: ResourceContext): readonly Action[] {
  const { title, by, sets, undo } = action;
  const { copies, parameter } = copiesOf(action, place);
  const fields = new Map([...action.parameters, ...parameter]);
  const parameters = [...fields].flatMap(([field, raw]) => expand(field, raw, place).parameters ?? []);
  const stored = (values: FieldConditions) => storedWhere(values, place.resource, kindOf);
  const built: Action = {
    name,
    title,
    by,
    // An action stores nothing, so there is no old password to check.
    parameters: parameters.filter(({ proves }) => proves === undefined),
    sets: sets === undefined ? null : stored(sets),
    copies,
    reads: buildReads(action.reads, place),
    renews: null,
    method: 'POST',
    segment: name,
  };
  if (undo === undefined) return [built];
  return [built, { ...built, name: undoName(name), title: undo.title, sets: stored(undo.sets), method: 'DELETE' }];
}

const NAME_OF_COPY = 'By default that of the original, with " (Copy)" after it.';

/** The column that names a copy, and the parameter for it. */
function copiesOf({ copies: name }: RawAction, { resource }: ResourceContext) {
  const field = name === undefined ? undefined : resource.fields.get(name);
  if (name === undefined || field === undefined) return { copies: null, parameter: [] };
  const { kind, description = '', example } = field;
  const { min, max } = kindOf(field).limits(field) ?? { min: 0, max: TEXT_MAX };
  const sent: RawField = { kind, min, max, description: `${description} ${NAME_OF_COPY}`, example };
  return { copies: { column: name, max }, parameter: [[name, sent]] as const };
}
