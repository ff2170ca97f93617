// The model as it would be without one key of a descriptor: what the key makes is what is missing then. Changes nothing in place.

import { buildModel } from '../build.js';
import type { Subject } from '../check/subject.js';
import type { RawResource, RawSpec } from '../language.js';
import type { Pointer } from '../load.js';
import { merge, type Plain, toRawResource } from '../merge.js';
import type { Model, Resource } from '../model.js';
import { fieldPointer, fieldsOf, partOf, type Workshop } from './workshop.js';

/** Keys that cannot be missing are given another text instead. */
const CHANGED = new Set(['title', 'summary', 'plural', 'version']);

/** Keys without which a field is not the same field any more. */
const ESSENTIAL = new Set(['kind', 'to', 'values', 'copy', 'count', 'text']);

/**
 * @param resources whose key it is; several where it stands in a convention
 * @returns null: without this key there is nothing at all, such as the name of the resource
 */
export function modelWithout(shop: Workshop, resources: readonly string[], pointer: Pointer): Model | null {
  if (pointer.length === 0 || pointer[0] === 'resource' || pointer[0] === 'extends') return null;
  const all = shop.spec.resources.filter(({ resource }) => resources.includes(resource));
  const names = all.map((raw) => fieldAt(raw, pointer));
  if (names.some((name) => name !== null)) return withoutFields(shop, all, String(names.find((name) => name !== null)));
  const spec = {
    ...shop.spec,
    resources: shop.spec.resources.map((one) => (all.includes(one) ? (without(one, pointer) as RawResource) : one)),
  };
  return rebuilt(shop, spec) ?? modelWithout(shop, resources, pointer.slice(0, -1));
}

/**
 * The model without a key that a resource says over its convention: what the convention says is back then.
 * @returns null: the convention says nothing there, or the rest makes no sense
 */
export function modelWithoutOwn(
  shop: Workshop,
  { document, convention, raw }: Subject,
  pointer: Pointer,
): Model | null {
  const shared = convention === null ? null : ['conventions', convention.name, ...pointer];
  if (convention === null || shared === null || !convention.document.has(shared)) return null;
  const all = convention.document.value.conventions as Readonly<Record<string, Plain>>;
  const merged = merge(without(document.value, pointer, () => []) as Plain, all[convention.name] ?? null);
  const back = toRawResource(merged, raw.source, (field) => field.kind !== undefined);
  return rebuilt(shop, {
    ...shop.spec,
    resources: shop.spec.resources.map((one) => (one.resource === raw.resource ? back : one)),
  });
}

function withoutFields(shop: Workshop, all: readonly RawResource[], name: string): Model {
  return all.reduce((model, raw) => withoutField(shop, model, { raw, name }), shop.model);
}

/**
 * The model without a key of conventions.yaml or events.yaml that belongs to no resource.
 * @returns null: everything hangs on it
 */
export function modelWithoutShared(shop: Workshop, pointer: Pointer): Model | null {
  const [first, ...rest] = pointer;
  const { spec } = shop;
  if (first === 'conventions') return null;
  if (CHANGED.has(String(first))) return rebuilt(shop, without(spec, pointer) as RawSpec);
  if (first === 'image_types') return rebuilt(shop, { ...spec, imageTypes: [] });
  if (first === 'owner_classes') {
    return rebuilt(shop, { ...spec, ownerClasses: inner(spec.ownerClasses, rest) as RawSpec['ownerClasses'] });
  }
  // The further maps of events.yaml are read by the module that emits the events alone.
  if (first !== 'events') return shop.model;
  const eventBodies = inner(spec.eventBodies, rest) as RawSpec['eventBodies'];
  return rebuilt(shop, { ...spec, eventBodies, events: Object.keys(eventBodies).sort() });
}

/** Everything of a map goes where nothing of it is named. */
function inner(value: unknown, pointer: Pointer): unknown {
  return pointer.length === 0 ? {} : without(value, pointer);
}

/** The whole field that a key belongs to, where the key cannot be taken away alone. */
function fieldAt(raw: RawResource, pointer: Pointer): string | null {
  if (pointer[0] === 'identities') return 'identity';
  if (pointer[0] !== 'fields') return null;
  const whole = pointer.length === 2 || (pointer.length > 2 && ESSENTIAL.has(String(pointer[2])));
  return whole && fieldsOf(raw).has(String(pointer[1])) ? String(pointer[1]) : null;
}

/** Null where the rest makes no sense without it. */
function rebuilt({ ledger }: Workshop, spec: RawSpec): Model | null {
  try {
    return buildModel(spec, ledger).model;
  } catch {
    return null;
  }
}

/** The value without what the pointer leads to; an item of a list closes up. */
function without(value: unknown, [first, ...rest]: Pointer, instead: Instead = needed): unknown {
  if (first === undefined) return value;
  const last = rest.length === 0;
  if (value instanceof Map) {
    const entries = [...value].filter(([key]) => !last || key !== first);
    return new Map(entries.map(([key, inner]) => [key, key === first ? without(inner, rest, instead) : inner]));
  }
  if (Array.isArray(value)) {
    return value.flatMap((inner, at) => (at !== first ? [inner] : last ? [] : [without(inner, rest, instead)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  // Rights are a map below `access`, beside `hidden`.
  if ('rights' in value && value.rights instanceof Map && first !== 'hidden') {
    return { ...value, rights: without(value.rights, [first, ...rest], instead) };
  }
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    if (key !== first) return [[key, inner] as const];
    if (!last) return [[key, without(inner, rest, instead)] as const];
    return [...instead(key, inner)].map((other) => [key, other] as const);
  });
  return Object.fromEntries(entries);
}

/** What stands where a key is taken away: none or one value. */
type Instead = (key: string, value: unknown) => readonly unknown[];

/** For a spec that is checked: some keys have to be there. */
function needed(key: string, value: unknown): readonly unknown[] {
  if (CHANGED.has(key)) return [`${String(value)}*`];
  if (value instanceof Map) return [new Map()];
  return key === 'access' ? [{ rights: new Map() }] : [];
}

/** Taken out of what was made: other descriptors may copy or count it, and stay as they are. */
function withoutField(shop: Workshop, model: Model, { raw, name }: { raw: RawResource; name: string }): Model {
  const part = partOf(shop, raw, name);
  const columns = new Set(part.columns?.map((one) => one.name));
  const parameters = new Set(part.parameters?.map((one) => one.name));
  const properties = new Set(part.properties?.map((one) => one.name));
  const free = (names: readonly string[]): boolean => !names.some((one) => columns.has(one));
  const drop = (one: Resource): Resource => ({
    ...one,
    columns: one.columns.filter((column) => !columns.has(column.name)),
    parameters: one.parameters.filter((parameter) => !parameters.has(parameter.name)),
    properties: one.properties.filter((property) => !properties.has(property.name)),
    references: one.references.filter(({ column }) => !columns.has(column)),
    endings: one.endings.filter(({ field }) => field !== name),
    lists: one.lists.filter(({ by }) => !columns.has(by)),
    order: one.order.filter((column) => !columns.has(column)),
    sortable: one.sortable.filter((column) => !columns.has(column)),
    filters: one.filters.filter((column) => !columns.has(column)),
    uniques: one.uniques.filter(free),
    indexes: one.indexes.filter((index) => free(index.columns)),
    brief: one.brief.filter((property) => !properties.has(property)),
    stated: without(raw, fieldPointer(raw, name)) as RawResource,
  });
  return { ...model, resources: model.resources.map((one) => (one.name === raw.resource ? drop(one) : one)) };
}
