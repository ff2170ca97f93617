// The only entry point for events: creates a delivery for every subscribed hook, within the caller's transaction (S28, I10).

import type { EventDefinition, ValidationError } from '../../../definition.js';
import { type Failure, failed } from '../../../errors.js';
import { memoize } from '../../../memoize.js';
import { quoted } from '../../../schema/sql-text.js';
import type { ServiceEvent } from '../../../webhooks/rules/delivery.js';
import type { HookEvent } from '../../../webhooks/rules/hooks.js';
import type { Outbox } from '../../outbox.js';
import { definitionOf } from '../../sql/access.js';
import { placeReference } from '../../sql/owner.js';
import type { DeliveryRows } from './deliveries.js';
import type { Hooks } from './hooks.js';
import type { OutboxContext } from './outbox.js';

/** @returns ids of the hooks that have something due because of the events, once for each delivery */
type PublishWithin = (events: readonly unknown[], now: number) => readonly string[];

interface Owned {
  readonly event: ServiceEvent;
  readonly declared: EventDefinition;
  readonly owner: EventOwner | undefined;
}

export function createPublishWithin(
  context: OutboxContext,
  { deliveries, hooks }: { readonly deliveries: DeliveryRows; readonly hooks: Hooks },
): PublishWithin {
  const findOwner = createFindOwner(context);
  const find = (event: ServiceEvent): Owned => {
    const declared = context.events[event.event];
    if (declared === undefined) throw new Error(`there is no event ${event.event}`);
    return { event, declared, owner: findOwner(declared.owner, event.of) };
  };
  const fanOut = ({ event, declared, owner }: Owned, now: number): readonly string[] => {
    if (owner === undefined) throw new Error(`${event.event} is of a ${event.of.resource} that does not exist`);
    const payload = payloadText(context, event, owner);
    if (!declared.validate(JSON.parse(payload))) {
      throw new Error(`a payload of ${event.event} does not fit: ${JSON.stringify(declared.validate.errors)}`);
    }
    const recipients = hooks.entitled(declared, event.event, owner.id);
    for (const hook of recipients) deliveries.add(hook, { type: 'data', payload }, now);
    return recipients.map(({ id }) => id);
  };
  return (events, now) => {
    const ours = events.filter(isHookEvent);
    const owned = events.filter((event) => !isHookEvent(event)).map((event) => find(event as ServiceEvent));
    const [first, ...rest] = owned.flatMap(missing);
    if (first !== undefined) throw failed([first, ...rest]);
    const recipients = [
      ...ours.flatMap((event) => hooks.handle(event, now)),
      ...owned.flatMap((event) => fanOut(event, now)),
    ];
    if (recipients.length > 0) context.listener.due(recipients);
    return recipients;
  };
}

/** Publishes one event that comes from outside, in a transaction of its own. */
export function createPublish({ commits, events }: OutboxContext, publish: PublishWithin): Outbox['publish'] {
  return async ({ event, owner_class, owner_id, payload }, now) => {
    const declared = Object.hasOwn(events, event) ? events[event] : undefined;
    const failures =
      declared === undefined ? [unknownEvent(event, events)] : mismatches(declared, owner_class, payload);
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

/** A caller's mistake only where the event names a parameter. */
function missing({ event: { of, parameter }, owner }: Owned): readonly Failure[] {
  if (owner !== undefined || parameter === undefined) return [];
  const message = `${parameter} is not the id of a ${of.resource}`;
  return [{ field: parameter, code: 'reference_not_found', message }];
}

function payloadText({ rowsOf }: OutboxContext, { of, payload }: ServiceEvent, { user }: EventOwner): string {
  if (payload !== 'record') return JSON.stringify(payload);
  const text = rowsOf(of.resource).text('session', of.id, user);
  if (typeof text !== 'string') throw new Error(`a ${of.resource} is the payload of its owner, who may not read it`);
  return text;
}

function unknownEvent(event: string, events: OutboxContext['events']): Failure {
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

interface Step {
  readonly resource: string;
  readonly id: string;
}

interface EventOwner {
  /** Id of the record of the event's owner class. */
  readonly id: string;
  /** Id of the user it belongs to. */
  readonly user: string;
}

/**
 * @param owner resource of the event's owner class
 * @returns undefined when `of`, or something above it, does not exist. Throws an Error if no `owner` is above it.
 */
type FindOwner = (owner: string, of: Step) => EventOwner | undefined;

function createFindOwner({ db, definitions }: Pick<OutboxContext, 'db' | 'definitions'>): FindOwner {
  const statement = memoize((sql: string) => db.prepare<[string], string>(sql).pluck());
  const up = ({ resource, id }: Step): Step | undefined => {
    const place = placeReference(definitionOf(definitions, resource));
    if (place === undefined) throw new Error(`a ${resource} has no parent, so an event of it has no owner`);
    const parent = statement(`SELECT ${quoted(place.column)} FROM ${quoted(resource)} WHERE "id" = ?`).get(id);
    return parent === undefined ? undefined : { resource: place.to, id: parent };
  };
  const climb = (from: Step | undefined, arrived: (step: Step) => boolean): Step | undefined =>
    from === undefined || arrived(from) ? from : climb(up(from), arrived);
  const exists = ({ resource, id }: Step) =>
    statement(`SELECT "id" FROM ${quoted(resource)} WHERE "id" = ?`).get(id) !== undefined;

  return (owner, of) => {
    const top = climb(of, ({ resource }) => resource === owner);
    if (top === undefined || !exists(top)) return undefined;
    const user = climb(top, ({ resource }) => definitionOf(definitions, resource).principal);
    return user && { id: top.id, user: user.id };
  };
}
