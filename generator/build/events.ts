// The resolved events of a spec. The module that emits an event decides what it does.

import type { RawEvent, RawSpec } from '../language/language.js';
import type { JsonSchema, ModelEvent } from '../model/model.js';

/** @returns the events, sorted by name; a payload that events.yaml leaves out may be anything */
export function buildEvents({ events, eventBodies, ownerClasses }: RawSpec): readonly ModelEvent[] {
  return events.map((name) => event(name, eventBodies[name] ?? {}, ownerClasses));
}

function event(name: string, body: RawEvent, owners: RawSpec['ownerClasses']): ModelEvent {
  const ownerClass = text(body.owner_class);
  const record = text(body.payload?.record);
  return {
    name,
    ownerClass,
    owner: text(owners[ownerClass]),
    summary: text(body.summary),
    payload: payload(body),
    record: record === '' ? null : record,
    example: body.example,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function payload({ payload: said }: RawEvent): JsonSchema {
  if (typeof said?.record === 'string') return { $ref: `#/components/schemas/${said.record}` };
  return typeof said?.schema === 'object' && said.schema !== null ? (said.schema as JsonSchema) : { type: 'object' };
}
