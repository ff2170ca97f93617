// The one door for events: from what happened to a delivery for every hook, within the caller's transaction (S28, I10).
import type { EventDefinition, ValidationError } from '../definition.js';
import { type Failure, failed } from '../errors.js';
import type { Deliveries } from './deliveries.js';
import type { ServiceEvent } from './delivery.js';
import { createFindOwner, type EventOwner } from './event-owner.js';
import type { HookEvent } from './hook-events.js';
import type { Hooks } from './hooks.js';
import type { OutboxParts } from './parts.js';

/** An event as operators write it (D36). */
export interface EmittedEvent {
  readonly event: string;
  readonly owner_class: string;
  readonly owner_id: string;
  readonly payload: unknown;
}

/**
 * Number of hooks that will be told; durable when it resolves. Throws invalid (every misfit of the payload at once)
 * and reference_not_found. @param now epoch milliseconds
 */
export type Emit = (event: EmittedEvent, now: number) => Promise<number>;

/** Its events are ServiceEvents and HookEvents. A payload that does not fit its event is a bug, and throws an Error. */
export type Publish = (events: readonly unknown[], now: number) => readonly string[];

interface Owned {
  readonly event: ServiceEvent;
  readonly declared: EventDefinition;
  readonly owner: EventOwner | undefined;
}

export function createPublish(
  parts: OutboxParts,
  { deliveries, hooks }: { readonly deliveries: Deliveries; readonly hooks: Hooks },
): Publish {
  const findOwner = createFindOwner(parts);
  const find = (event: ServiceEvent): Owned => {
    const declared = parts.events[event.event];
    if (declared === undefined) throw new Error(`there is no event ${event.event}`);
    return { event, declared, owner: findOwner(declared.owner, event.of) };
  };
  const fanOut = ({ event, declared, owner }: Owned, now: number): readonly string[] => {
    if (owner === undefined) throw new Error(`${event.event} is of a ${event.of.resource} that does not exist`);
    const payload = payloadText(parts, event, owner);
    if (!declared.validate(JSON.parse(payload))) {
      throw new Error(`a payload of ${event.event} does not fit: ${JSON.stringify(declared.validate.errors)}`);
    }
    const told = hooks.entitled(declared, event.event, owner.id);
    for (const hook of told) deliveries.add(hook, { type: 'data', payload }, now);
    return told.map(({ id }) => id);
  };
  return (events, now) => {
    const ours = events.filter(isHookEvent);
    const owned = events.filter((event) => !isHookEvent(event)).map((event) => find(event as ServiceEvent));
    const [first, ...rest] = owned.flatMap(missing);
    if (first !== undefined) throw failed([first, ...rest]);
    const told = [
      ...ours.flatMap((event) => hooks.handle(event, now)),
      ...owned.flatMap((event) => fanOut(event, now)),
    ];
    if (told.length > 0) parts.woken?.(told);
    return told;
  };
}

/** Publishes one event that comes from outside, in a transaction of its own. */
export function createEmit({ commits, events }: OutboxParts, publish: Publish): Emit {
  return async ({ event, owner_class, owner_id, payload }, now) => {
    const declared = Object.hasOwn(events, event) ? events[event] : undefined;
    const failures = declared === undefined ? [unknownEvent(event, events)] : misfits(declared, owner_class, payload);
    const [first, ...rest] = failures;
    if (first !== undefined || declared === undefined) throw failed([first as Failure, ...rest]);
    const of = { resource: declared.owner, id: owner_id };
    const published: ServiceEvent = { event, of, payload: payload as Record<string, unknown>, parameter: 'owner_id' };
    return commits.submit(() => publish([published], now).length);
  };
}

function isHookEvent(event: unknown): event is HookEvent {
  return typeof event === 'object' && event !== null && 'kind' in event;
}

/** A caller's mistake only where a parameter is to blame. */
function missing({ event: { of, parameter }, owner }: Owned): readonly Failure[] {
  if (owner !== undefined || parameter === undefined) return [];
  const message = `${parameter} is not the id of a ${of.resource}`;
  return [{ field: parameter, code: 'reference_not_found', message }];
}

function payloadText({ records }: OutboxParts, { of, payload }: ServiceEvent, { user }: EventOwner): string {
  if (payload !== 'record') return JSON.stringify(payload);
  const text = records(of.resource).text('session', of.id, user);
  if (typeof text !== 'string') throw new Error(`a ${of.resource} is the payload of its owner, who may not read it`);
  return text;
}

function unknownEvent(event: string, events: OutboxParts['events']): Failure {
  const message = `event must be one of: ${Object.keys(events).join(', ')}, not ${event}.`;
  return { field: 'event', code: 'invalid', message };
}

function misfits({ ownerClass, validate }: EventDefinition, sent: string, payload: unknown): readonly Failure[] {
  const wrong: readonly Failure[] =
    sent === ownerClass
      ? []
      : [{ field: 'owner_class', code: 'invalid', message: `owner_class must be ${ownerClass}.` }];
  // What leaves is JSON: what that does not carry is not there.
  const errors = validate(JSON.parse(JSON.stringify(payload ?? null))) ? [] : (validate.errors ?? []);
  return [...wrong, ...errors.map(misfit)];
}

function misfit({ instancePath, keyword, params }: ValidationError): Failure {
  const field = `payload${instancePath}${keyword === 'required' ? `/${params.missingProperty}` : ''}`;
  const said = keyword === 'type' ? `must be of type ${params.type}` : keyword === 'required' ? 'is required' : null;
  return { field, code: 'invalid', message: `${field} ${said ?? `does not meet ${keyword}`}.` };
}
