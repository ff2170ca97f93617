// Merges a descriptor with its conventions and expands the short forms of a resource, which later code never sees: operations,
// access, names of lists, values. Short forms of fields are in short-forms.ts. Expects checked input.

import type {
  FieldConditions,
  RawAccess,
  RawAction,
  RawCatalogue,
  RawClause,
  RawField,
  RawMember,
  RawOldName,
  RawRead,
  RawResource,
  RawUniqueSet,
  RawValue,
  RawWhole,
  ShortIdentity,
} from './language.js';

export type PlainMap = Readonly<Record<string, unknown>>;

/** The keys of a resource and its conventions, before any field is validated. */
export function merge(own: PlainMap, conventions: readonly PlainMap[]): PlainMap {
  const shared = conventions.reduce((before, convention) => mergeTwo(convention, before), { fields: {} } as PlainMap);
  return mergeTwo(own, shared);
}

function mergeTwo(own: PlainMap, shared: PlainMap): PlainMap {
  const both = (key: 'access' | 'operations'): PlainMap =>
    shared[key] || own[key] ? { [key]: { ...plain(shared[key]), ...plain(own[key]) } } : {};
  return {
    ...shared,
    ...own,
    fields: mergeFields(plain(own.fields), plain(shared.fields)),
    ...both('access'),
    ...both('operations'),
  };
}

/** A field of another kind than the convention's replaces it, since keys of the old kind would not fit; null drops it. */
function mergeFields(own: PlainMap, shared: PlainMap): PlainMap {
  const names = new Set([...Object.keys(shared), ...Object.keys(own)]);
  const merged = [...names].flatMap((name) => {
    if (own[name] === null) return [];
    const [first, second] = [expandKind(shared[name]), expandKind(own[name])];
    const other = second.kind !== undefined && first.kind !== undefined && second.kind !== first.kind;
    return [[name, other ? second : { ...first, ...second }] as const];
  });
  return Object.fromEntries(merged);
}

/** `quantity: integer` is short for `quantity: { kind: integer }`. */
export function expandKind(field: unknown): PlainMap {
  return typeof field === 'string' ? { kind: field } : plain(field);
}

/** The map, or an empty map for any other value. */
export function plain(value: unknown): PlainMap {
  return typeof value === 'object' && value !== null ? (value as PlainMap) : {};
}

/** The merged keys as typed values; fields that `toField` refuses are left out. */
export function toRawResource(merged: PlainMap, source: string, toField: FieldExpansion): RawResource {
  const { fields, access, actions, paths, operations, identities, default_identity, old_names, unique, ...rest } =
    merged;
  const resource = typeof rest.resource === 'string' ? rest.resource : nameOf(source);
  const plural = typeof rest.plural === 'string' ? rest.plural : pluralOf(resource);
  const complete = withIdentity({ identities, default_identity }, toFields(plain(fields), toField));
  return {
    ...rest,
    resource,
    plural,
    source,
    extends: conventionNames(merged.extends),
    fields: withListsOfValues(complete, plural),
    ...toOperations(operations),
    access: toAccess(plain(access)),
    actions: toActions(plain(actions), toField),
    ...toUniques(unique),
    ...(paths === undefined ? {} : { paths: toPaths(plain(paths)) }),
    ...(old_names === undefined ? {} : { old_names: oldNamesOf(old_names, resource, complete.get('identity')) }),
  } as RawResource;
}

/** The name of a file without folder and extension, which is the name of its resource. */
export function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
}

/** The catalogue as conventions.yaml declares it. */
export function toCatalogue({ path, of, attributes }: PlainMap, toField: FieldExpansion): RawCatalogue {
  return { path: String(path), of: String(of), attributes: toFields(plain(attributes), toField) };
}

/** The field, or null if it cannot be used. */
export type FieldExpansion = (keys: PlainMap) => RawField | null;

function toFields(fields: PlainMap, toField: FieldExpansion): ReadonlyMap<string, RawField> {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const expanded = toField(expandKind(field));
    return expanded === null ? [] : [[name, withValues(withMade(expanded))] as const];
  });
  return new Map(entries);
}

function withValues(field: RawField): RawField {
  return field.values === undefined ? field : { ...field, ...valuesOf(field.values) };
}

/** Only the service sets a reference to a record that it makes together with this one. */
function withMade(field: RawField): RawField {
  return field.make === undefined ? field : { ...field, read_only: true };
}

function withIdentity(
  { identities, default_identity }: PlainMap,
  fields: ReadonlyMap<string, RawField>,
): ReadonlyMap<string, RawField> {
  if (identities === undefined) return fields;
  return new Map([['identity', identityField(identities, default_identity)], ...fields]);
}

/** `list: anyone` is short for `list: { by: anyone }`; it is not one of the four operations. */
function toOperations(operations: unknown): Pick<RawResource, 'operations' | 'whole'> {
  if (operations === undefined) return {};
  const { list, ...four } = plain(operations);
  if (list === undefined) return { operations: four };
  const whole = { by: 'admin', where: {}, ...(typeof list === 'string' ? { by: list } : plain(list)) };
  return { operations: four, whole: whole as RawWhole };
}

function toAccess({ hidden, ...rights }: PlainMap): RawAccess {
  const lists = Object.entries(rights).map(
    ([right, clauses]) => [right, (Array.isArray(clauses) ? clauses : [clauses]).map(toClause)] as const,
  );
  return { rights: new Map(lists), ...(typeof hidden === 'boolean' ? { hidden } : {}) };
}

/** `{ read: list }` is short for `{ right: read, of: list }`. */
function toClause(written: unknown): RawClause {
  if (typeof written === 'string') return written;
  const [first] = Object.entries(plain(written));
  if (first === undefined || Object.hasOwn(plain(written), 'member')) return written as RawMember;
  return { right: first[0], of: String(first[1]) };
}

function toActions(actions: PlainMap, toField: FieldExpansion): ReadonlyMap<string, RawAction> {
  const entries = Object.entries(actions).map(([name, action]) => {
    const { by = 'editor', parameters, ...rest } = plain(action);
    return [name, { ...rest, by, parameters: toFields(plain(parameters), toField) } as RawAction] as const;
  });
  return new Map(entries);
}

/** `extends: component` is short for `extends: [component]`. */
export function conventionNames(written: unknown): readonly string[] {
  return [written ?? []].flat().filter((name) => typeof name === 'string');
}

function toPaths(paths: PlainMap): PlainMap {
  return Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, Array.isArray(path) ? path : [path]]));
}

/** `boxtop` becomes `boxtops`, `hookbox` becomes `hookboxes`. An irregular plural is stated. */
export function pluralOf(name: string): string {
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** The list of all records that refer to a target by the field; null if there is none. */
export function listOf(
  { list = false }: Pick<RawField, 'list'>,
  { plural }: Pick<RawResource, 'plural'>,
): string | null {
  if (list === false) return null;
  return list === true ? plural : list;
}

/** The lists that a reference adds to its target, with their conditions. */
export function listsBy(field: RawField, resource: Pick<RawResource, 'plural'>): ReadonlyMap<string, FieldConditions> {
  const defaultList = listOf(field, resource);
  const others = Object.entries(field.lists ?? {}).filter(([, { through }]) => through === undefined);
  return new Map([
    ...(defaultList === null ? [] : [[defaultList, {}] as const]),
    ...others.map(([name, { where = {} }]) => [name, where] as const),
  ]);
}

/** What a computed field aggregates: the records of a list, or the values of one of their fields. */
export interface Aggregate {
  readonly key: 'count' | 'sum' | 'latest';
  readonly list: string;
  /** Null for a count. */
  readonly field: string | null;
}

export function aggregateOf(keys: Pick<RawField, Aggregate['key']>): Aggregate | null {
  const [key] = (['count', 'sum', 'latest'] as const).filter((one) => keys[one] !== undefined);
  if (key === undefined) return null;
  const [list = '', field = null] = String(keys[key]).split('.');
  return { key, list, field };
}

/** The reference that a read goes through, and the list that it reads; null if none. */
export function pathOfRead({ list, record }: RawRead): {
  readonly reference: string | null;
  readonly list: string | null;
} {
  if (list === undefined) return { reference: record ?? null, list: null };
  const [first = '', second] = list.split('.');
  return second === undefined ? { reference: null, list: first } : { reference: first, list: second };
}

/** `list_each: identity` on a reference is short for an entry in `lists` for each value; a stated entry takes precedence. */
function withListsOfValues(fields: ReadonlyMap<string, RawField>, plural: string): ReadonlyMap<string, RawField> {
  const expanded = [...fields].map(([name, field]) => {
    const { list_each: by } = field;
    const chosen = by === undefined ? undefined : fields.get(by);
    if (by === undefined || chosen === undefined) return [name, field] as const;
    const lists = listsOfValues(by, chosen, listOf(field, { plural }));
    return [name, { ...field, lists: { ...lists, ...field.lists } }] as const;
  });
  return new Map(expanded);
}

/** The only value of a field needs no list besides the list of all records, if that has its name. */
function listsOfValues(by: string, field: RawField, all: string | null): RawField['lists'] {
  const { values = [], attributes = {} } = field;
  const lists = values.flatMap((value) => {
    const { list = pluralOf(String(value).toLowerCase()) } = attributes[value] ?? {};
    return list === false ? [] : [[list, value] as const];
  });
  const needed = lists.length === 1 ? lists.filter(([name]) => name !== all) : lists;
  return Object.fromEntries(needed.map(([name, value]) => [name, { where: { [by]: value }, of: value }]));
}

/** The keys of a field or resource that declare the values. */
type Values = Required<Pick<RawField, 'values'>> & Pick<RawField, 'attributes'>;

/** `{ Small: 600x800, Large: { list: large }, Huge: null }` becomes the list of the three and the attributes of the first two. */
function valuesOf(written: unknown): Values {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return { values: written as NonNullable<RawField['values']> };
  }
  const attributes = Object.entries(written).flatMap(([value, keys]) =>
    keys === null ? [] : [[value, typeof keys === 'string' ? { size: keys } : (keys as RawValue)] as const],
  );
  return {
    values: Object.keys(written),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  };
}

/** `old_names: identities` is short for all identities in lower case, without the resource's own name. */
function oldNamesOf(written: unknown, resource: string, identity: RawField | undefined): readonly RawOldName[] {
  const byName = new Map((identity?.values ?? []).map((value) => [String(value).toLowerCase(), String(value)]));
  const names = Array.isArray(written) ? (written as readonly string[]) : [...byName.keys()];
  const others = Array.isArray(written) ? names : names.filter((name) => name !== resource);
  return others.map((name) => ({ name, identity: byName.get(name) ?? null }));
}

/** `identities` is short for an enum field called identity, with the first as its default (D17). */
function identityField(identities: unknown, default_identity: unknown): RawField {
  const { values, attributes } = valuesOf(identities);
  const short: ShortIdentity = {
    identities: values as readonly string[],
    ...(default_identity === undefined ? {} : { default_identity: String(default_identity) }),
  };
  return {
    kind: 'enum',
    values,
    ...(attributes === undefined ? {} : { attributes }),
    default: values.find((value) => value === default_identity) ?? values[0],
    description: 'Product, chosen from a fixed list.',
    filter: true,
    short,
  };
}

/** `[club, user]` is short for `{ fields: [club, user] }`. */
function toUniques(sets: unknown): Pick<RawResource, 'unique'> {
  if (!Array.isArray(sets)) return {};
  return { unique: sets.map((set: unknown) => (Array.isArray(set) ? { fields: set } : set) as RawUniqueSet) };
}

/** @returns a set for each field that is unique by itself, then the sets of `unique` */
export function uniqueSetsOf({ fields, unique = [] }: RawResource): readonly RawUniqueSet[] {
  const alone = [...fields].flatMap(([name, field]) => (field.unique ? [{ fields: [name] }] : []));
  return [...alone, ...unique];
}
