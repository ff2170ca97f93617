// Values for the parameters of any resource, made from the model: examples, and ids of the records that somebody holds.
import type { Model, Parameter, Resource } from '../../generator/model/model.js';
import type { Reference } from '../../runtime/contract/definition.js';

/** Ids of records by resource; files by use: `file` (an image), `file svg`, `file download`. */
export type Holdings = Readonly<Record<string, string>>;

export interface Source {
  readonly model: Model;
  readonly holdings: Holdings;
  /** The holder's user id. */
  readonly user: string;
  /** Id of a record of that resource which nobody else has used. */
  spare(resource: string): string;
}

/** Texts that are not free: ids, names to log in with, and versions of the API. */
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

/** What a create needs to be one under the holder's records: the required parameters, and whose it is. */
export function placed(resource: Resource, source: Source): Record<string, unknown> {
  const place = resource.references.find((reference) => reference.place);
  const own = place !== undefined && resource.parameters.some(({ name }) => name === place.column);
  return {
    ...parametersOf(resource, source, 'required'),
    ...(own ? { [place.column]: heldFor(place, source) } : {}),
  };
}

/** Those of `values` that name something to use (files, keys), of the caller's own. */
export function usedOf(resource: Resource, values: Record<string, unknown>, source: Source): Record<string, unknown> {
  const used = resource.references.filter(({ column, need }) => need === 'use' && values[column] !== undefined);
  return Object.fromEntries(used.map((reference) => [reference.column, heldFor(reference, source)]));
}

/** One parameter with a new value that anyone who may update the record may send; with all where all are required. */
export function changeOf(resource: Resource, source: Source): Record<string, unknown> {
  const needed = resource.parameters.filter(({ requiredOnUpdate }) => requiredOnUpdate);
  const all = needed.map((parameter) => [parameter.name, sampleOf(resource, parameter, source)] as const);
  const plain = resource.parameters.filter(
    ({ kind, set }) => set === null && !['reference', 'password'].includes(kind),
  );
  const text = plain.find(({ kind, name }) => kind === 'text' && !PARTICULAR.has(name));
  const found = text ?? plain[0];
  if (found === undefined) return Object.fromEntries(all);
  const value = text === undefined ? sampleOf(resource, found, source) : `changed ${counter++}`;
  return { ...Object.fromEntries(all), [found.name]: value };
}

/** The record of the holder that a reference takes; undefined: none is there yet. */
export function heldFor(reference: Reference, { model, holdings, user, spare }: Source): string | undefined {
  const { to, place, accepts } = reference;
  // Whose record it is stands in the reference that places it; any other names somebody new.
  if (model.resources.some(({ name, principal }) => principal && name === to)) return place ? user : spare(to);
  if (identifies(model, reference)) return spare(to);
  const uploads = model.resources.some(({ name, upload }) => upload !== null && name === to);
  if (!uploads) return holdings[to];
  if (isPublic(model, reference)) return holdings[`${to} picture`];
  return holdings[accepts === undefined ? `${to} download` : acceptable(to, accepts)];
}

/** Whether a create with the same target would be an update: the matrix makes a record of its own for each probe. */
export function identifies({ resources }: Model, reference: Reference): boolean {
  const of = resources.find(({ references }) => references.includes(reference));
  return reference.place !== true && of?.existing?.includes(reference.column) === true;
}

/** Whether everybody is shown the file, so that it must not be one that others keep to themselves. */
function isPublic({ resources }: Model, reference: Reference): boolean {
  const of = resources.find(({ references }) => references.includes(reference));
  const { accepts, column } = reference;
  return accepts !== undefined && of?.properties.find(({ name }) => name === column)?.view === null;
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
  // The one id that is no reference: its class stands beside it.
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
