// Checks events before they are published: each must be declared, its owner must exist, and its payload must fit.

import type { EventDefinition, ValidationError } from '../contract/definition.js';
import { type Failure, failed, throwAll } from '../contract/errors.js';
import type { ServiceEvent } from './delivery.js';
import type { AccountEvent, HookEvent } from './hooks.js';

/** An event as operators write it. */
export interface PublishedEvent {
  readonly event: string;
  readonly owner_class: string;
  readonly owner_id: string;
  readonly payload: unknown;
}

type Events = Readonly<Record<string, EventDefinition>>;

/** Events of the hooks themselves have a `kind`. */
export function isHookEvent(event: unknown): event is HookEvent {
  return typeof event === 'object' && event !== null && 'kind' in event;
}

export function isAccountEvent(event: unknown): event is AccountEvent {
  return isHookEvent(event) && event.kind === 'account';
}

/** Throws an Error if there is no such event, which is a bug of the function that raised it. */
export function declarationOf(events: Events, { event }: ServiceEvent): EventDefinition {
  const declared = events[event];
  if (declared === undefined) throw new Error(`there is no event ${event}`);
  return declared;
}

/** Converts an event from outside to an event of the service. Throws `invalid` with all of its mistakes. */
export function acceptEvent(events: Events, { event, owner_class, owner_id, payload }: PublishedEvent): ServiceEvent {
  const declared = Object.hasOwn(events, event) ? events[event] : undefined;
  if (declared === undefined) throw failed([unknownEvent(event, events)]);
  throwAll(mismatches(declared, owner_class, payload));
  const of = { resource: declared.owner, id: owner_id };
  return { event, of, payload: payload as Record<string, unknown>, parameter: 'owner_id' };
}

/**
 * Refuses events without an owner. That is a caller's mistake only if the event names a parameter; otherwise it is a bug, and
 * an Error.
 */
export function refuseWithoutOwner(events: readonly ServiceEvent[]): void {
  const failures = events.flatMap(({ of, parameter }): Failure[] => {
    if (parameter === undefined) return [];
    const message = `${parameter} is not the id of any ${of.resource}.`;
    return [{ field: parameter, code: 'reference_not_found', message }];
  });
  throwAll(failures);
  const [event] = events;
  if (event !== undefined) throw new Error(`${event.event} is about a ${event.of.resource} that does not exist`);
}

/** A payload of our own that does not fit its event is a bug, and throws an Error. @param payload JSON text */
export function checkPayload({ validate }: EventDefinition, event: string, payload: string): void {
  if (validate(JSON.parse(payload))) return;
  throw new Error(`a payload of ${event} does not fit: ${JSON.stringify(validate.errors)}`);
}

function unknownEvent(event: string, events: Events): Failure {
  const message = `event must be one of: ${Object.keys(events).join(', ')}, not ${event}.`;
  return { field: 'event', code: 'invalid', message };
}

function mismatches({ ownerClass, validate }: EventDefinition, sent: string, payload: unknown): readonly Failure[] {
  const wrong: readonly Failure[] =
    sent === ownerClass
      ? []
      : [{ field: 'owner_class', code: 'invalid', message: `owner_class must be ${ownerClass}.` }];
  // What is sent is JSON: values that JSON cannot express are absent.
  const errors = validate(JSON.parse(JSON.stringify(payload ?? null))) ? [] : (validate.errors ?? []);
  return [...wrong, ...errors.map(mismatchOf)];
}

function mismatchOf({ instancePath, keyword, params }: ValidationError): Failure {
  const field = `payload${instancePath}${keyword === 'required' ? `/${params.missingProperty}` : ''}`;
  const problem = keyword === 'type' ? `must be of type ${params.type}` : keyword === 'required' ? 'is required' : null;
  return { field, code: 'invalid', message: `${field} ${problem ?? `does not meet ${keyword}`}.` };
}
