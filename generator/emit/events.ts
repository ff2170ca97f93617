// The template's view of the events: who owns each, and the validators of their payloads. Knows no event by name.

import { othersIn } from '../model/find.js';
import type { JsonSchema, Model, ModelEvent } from '../model/model.js';
import { literal, property } from './typescript.js';
import { exportedValidators, type Remember } from './validators.js';

export interface EventsView {
  readonly kit: string;
  readonly any: boolean;
  readonly events: readonly {
    readonly key: string;
    readonly ownerClass: string;
    readonly owner: string;
    readonly function: string;
  }[];
}

/** @returns the events in the order of their names */
export function eventsView(model: Model, kit: string): EventsView {
  const events = model.events.map(({ name, ownerClass, owner }, index) => ({
    key: property(name),
    ownerClass: literal(ownerClass),
    owner: literal(owner),
    function: functionName(index),
  }));
  return { kit, any: events.length > 0, events };
}

/**
 * @param kit import path of the kit as seen from the generated file
 * @returns the body of generated/validators/_events.ts
 */
export function eventValidators(model: Model, kit: string, remember: Remember): string {
  if (model.events.length === 0) return 'export {};\n';
  const schemas = model.events.map((event, index) => [functionName(index), payloadSchema(model, event)] as const);
  return exportedValidators(schemas, kit, remember);
}

/** The name of an event may be any text; the name of a function may not. */
function functionName(index: number): string {
  return `event${index + 1}`;
}

/** Of a record, only the presence of properties is checked: how their values look is up to the wire profile. */
function payloadSchema(model: Model, { payload, record }: ModelEvent): JsonSchema {
  if (record === null) return payload;
  const properties = othersIn(model).find(record)?.properties ?? [];
  const shown = properties.filter(({ view, whenSet }) => view === null && !whenSet);
  return { type: 'object', required: shown.map(({ name }) => name) };
}
