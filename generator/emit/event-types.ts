// The types of what hand-written functions publish: each event with the records that it can be about, and its payload.

import type { Model, ModelEvent, Resource } from '../model/model.js';
import { schemaType } from './client/types.js';
import { literal, property } from './typescript.js';

export interface EventTypes {
  /** The records of an owner, and those placed below it. */
  readonly owners: readonly { readonly key: string; readonly resources: readonly string[] }[];
  /** Those that functions can publish, as members of a union. */
  readonly events: readonly string[];
}

/** @returns what the events of the spec are; without any, functions publish nothing */
export function eventTypes({ events, resources }: Model): EventTypes {
  const owners = [...new Set(events.map(({ owner }) => owner))].sort();
  const below = new Map(owners.map((owner) => [owner, placedBelow(owner, resources)]));
  const named = new Set(events.flatMap(({ owner, record }) => (record === null ? [owner] : [])));
  return {
    owners: [...named].sort().map((owner) => ({
      key: property(owner),
      resources: (below.get(owner) ?? []).map(literal),
    })),
    events: [
      ...events.flatMap((event) => eventType(event, below.get(event.owner) ?? [])),
      ...owners.map(
        (owner) => `{ readonly kind: 'owner_deleted'; readonly resource: ${literal(owner)}; readonly id: string }`,
      ),
    ],
  };
}

/** The names of the resources whose records have an owner of that name above them, itself among them. */
function placedBelow(owner: string, resources: readonly Resource[]): readonly string[] {
  const places = new Map(resources.map(({ name, references }) => [name, references.find(({ place }) => place)?.to]));
  const isBelow = (name: string | undefined): boolean =>
    name !== undefined && (name === owner || isBelow(places.get(name)));
  return resources.map(({ name }) => name).filter(isBelow);
}

/** None for an event whose record is not below its owner: such an event comes from outside alone. */
function eventType({ name, owner, payload, record }: ModelEvent, below: readonly string[]): readonly string[] {
  if (record !== null && !below.includes(record)) return [];
  const about = record === null ? `Below[${literal(owner)}]` : literal(record);
  const carried = record === null ? schemaType(payload, 'sent') : literal('record');
  return [`About<${literal(name)}, ${about}, ${carried}>`];
}
