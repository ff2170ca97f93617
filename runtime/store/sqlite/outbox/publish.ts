// The only entry point for events: creates a delivery for every subscribed hook, within the caller's transaction (S28, I10).

import type { EventDefinition } from '../../../definition.js';
import { memoize } from '../../../memoize.js';
import { quoted } from '../../../schema/sql-text.js';
import type { ServiceEvent } from '../../../webhooks/rules/delivery.js';
import {
  accepted,
  checkPayload,
  declarationOf,
  isHookEvent,
  refuseWithoutOwner,
} from '../../../webhooks/rules/events.js';
import { publishedAudit } from '../../audit.js';
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
    const declared = declarationOf(context.events, event);
    return { event, declared, owner: findOwner(declared.owner, event.of) };
  };
  const fanOut = ({ event, declared, owner }: Owned, now: number): readonly string[] => {
    if (owner === undefined) return [];
    const payload = payloadText(context, event, owner);
    checkPayload(declared, event.event, payload);
    const recipients = hooks.entitled(declared, event.event, owner.id);
    for (const hook of recipients) deliveries.add(hook, { type: 'data', payload }, now);
    return recipients.map(({ id }) => id);
  };
  return (events, now) => {
    const ours = events.filter(isHookEvent);
    const owned = events.filter((event) => !isHookEvent(event)).map((event) => find(event as ServiceEvent));
    refuseWithoutOwner(owned.filter(({ owner }) => owner === undefined).map(({ event }) => event));
    const recipients = [
      ...ours.flatMap((event) => hooks.handle(event, now)),
      ...owned.flatMap((event) => fanOut(event, now)),
    ];
    if (recipients.length > 0) context.listener.due(recipients);
    return recipients;
  };
}

/** Publishes one event that comes from outside, in a transaction of its own. */
export function createPublish(
  { commits, events, writeAudit }: OutboxContext,
  publish: PublishWithin,
): Outbox['publish'] {
  return async (event, now, author) => {
    const published = accepted(events, event);
    return commits.submit(() => {
      const written = publish([published], now).length;
      if (author !== undefined) writeAudit(publishedAudit(event, { author, now }));
      return written;
    });
  };
}

function payloadText({ rowsOf }: OutboxContext, { of, payload }: ServiceEvent, { user }: EventOwner): string {
  if (payload !== 'record') return JSON.stringify(payload);
  const text = rowsOf(of.resource).text('session', of.id, user);
  if (typeof text !== 'string') throw new Error(`a ${of.resource} cannot be a payload: its owner may not read it`);
  return text;
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
