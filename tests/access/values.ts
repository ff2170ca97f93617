// Values for the parameters of any resource, derived from the model: examples, and ids of the records that somebody holds.
import type { Model, Parameter, Resource } from '../../generator/model/model.js';
import type { Reference } from '../../runtime/contract/definition.js';

/** Ids of records by resource; files by use: `file` (an image), `file svg`, `file download`. */
export type Holdings = Readonly<Record<string, string>>;

export interface Source {
  readonly model: Model;
  readonly holdings: Holdings;
  /** The holder's user id. */
  readonly user: string;
  /** The id of a record of that resource that nothing else has used. */
  spare(resource: string): string;
}

/** Texts that are not free: ids, user names, and versions of the API. */
const PARTICULAR: ReadonlySet<string> = new Set(['owner_id', 'username', 'api_version']);

let counter = 0;

/** @param which `all`: with every optional parameter that can have a value; `required`: what a create needs */
export function parametersOf(resource: Resource, source: Source, which: 'all' | 'required'): Record<string, unknown> {
  const taken = resource.parameters.filter(
    ({ requiredOnCreate, set }) => requiredOnCreate || (which === 'all' && set !== 'admin'),
  );
  const values = taken.map((parameter) => [parameter.name, sampleOf(resource, parameter, source)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The parameters of a create below the holder's records: the required ones, and the reference that decides the owner. */
export function placed(resource: Resource, source: Source): Record<string, unknown> {
  const place = resource.references.find((reference) => reference.place);
  const isSettable = place !== undefined && resource.parameters.some(({ name }) => name === place.column);
  return {
    ...parametersOf(resource, source, 'required'),
    ...(isSettable ? { [place.column]: heldFor(place, source) } : {}),
  };
}

/** Replaces the files and keys that `values` name by the caller's own. */
export function usedOf(resource: Resource, values: Record<string, unknown>, source: Source): Record<string, unknown> {
  const used = resource.references.filter(({ column, need }) => need === 'use' && values[column] !== undefined);
  return Object.fromEntries(used.map((reference) => [reference.column, heldFor(reference, source)]));
}

/** One parameter with a new value that anyone who may update the record may send, and all required ones. */
export function changeOf(resource: Resource, source: Source): Record<string, unknown> {
  const needed = resource.parameters.filter(({ requiredOnUpdate }) => requiredOnUpdate);
  const all = needed.map((parameter) => [parameter.name, sampleOf(resource, parameter, source)] as const);
  const plain = resource.parameters.filter(
    ({ kind, set }) => set === null && !['reference', 'password'].includes(kind),
  );
  const text = plain.find(({ kind, name }) => kind === 'text' && !PARTICULAR.has(name));
  const parameter = text ?? plain[0];
  if (parameter === undefined) return Object.fromEntries(all);
  const value = text === undefined ? sampleOf(resource, parameter, source) : `changed ${counter++}`;
  return { ...Object.fromEntries(all), [parameter.name]: value };
}

/** The record of the holder that a reference can name; undefined: there is none yet. */
export function heldFor(reference: Reference, { model, holdings, user, spare }: Source): string | undefined {
  const { to, place, accepts } = reference;
  // The reference that places a record names its owner; any other names somebody new.
  if (model.resources.some(({ name, principal }) => principal && name === to)) return place ? user : spare(to);
  if (identifies(model, reference)) return spare(to);
  const uploads = model.resources.some(({ name, upload }) => upload !== null && name === to);
  if (!uploads) return holdings[to];
  if (isPublic(model, reference)) return holdings[`${to} picture`];
  return holdings[accepts === undefined ? `${to} download` : acceptable(to, accepts)];
}

/** Whether a create with the same target would be an update, so that the matrix needs a new target for each probe. */
export function identifies({ resources }: Model, reference: Reference): boolean {
  const holder = resources.find(({ references }) => references.includes(reference));
  return reference.place !== true && holder?.existing?.includes(reference.column) === true;
}

/** Whether everybody sees the file, so that it must not be one that is hidden elsewhere. */
function isPublic({ resources }: Model, reference: Reference): boolean {
  const holder = resources.find(({ references }) => references.includes(reference));
  const { accepts, column } = reference;
  return accepts !== undefined && holder?.properties.find(({ name }) => name === column)?.view === null;
}

/** The key of a file of one of these media types. */
export function acceptable(to: string, accepts: readonly string[]): string {
  if (accepts.includes('image/png')) return to;
  return accepts.includes('application/pdf') ? `${to} pdf` : `${to} svg`;
}

function sampleOf(resource: Resource, parameter: Parameter, source: Source): unknown {
  const { name, kind, example } = parameter;
  const reference = resource.references.find(({ column }) => column === name);
  if (reference !== undefined) return heldFor(reference, source);
  // The only id that is not a reference, as `owner_class` says what it names.
  if (name === 'owner_id') return source.holdings.designer;
  if (kind === 'json') return withIds(example, source.holdings);
  if (kind !== 'text') return example;
  return resource.uniques.some(({ columns }) => columns.includes(name)) ? `unique-${counter++}` : example;
}

/** Example JSON in which `game_id` is the id of a game. */
function withIds(value: unknown, holdings: Holdings): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, holdings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, holdings[key.replace(/_id$/, '')] ?? withIds(inner, holdings)]),
  );
}
