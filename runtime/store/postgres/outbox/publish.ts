// The only entry point for events: creates a delivery for every subscribed hook, within the caller's transaction (S28, I10).

import type { AnyDefinition } from '../../../definition.js';
import { placementOf } from '../../../ids.js';
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
import { type Definitions, definitionOf } from '../../sql/access.js';
import { placeReference } from '../../sql/owner.js';
import { prepareNamed, type Query } from '../named.js';
import { repeated } from '../repeated.js';
import type { DeliveryRows } from './deliveries.js';
import type { EventSubject, Hooks } from './hooks.js';
import type { OutboxContext } from './outbox.js';
import { runAll, select } from './select.js';

/** What is reported once the transaction is committed. */
export interface Published {
  /** Ids of the hooks that have something due because of the events, once for each delivery. */
  readonly recipients: readonly string[];
  readonly passedOver: readonly string[];
  /** Hooks were created, changed or deleted: what waited for them may be cancelled. */
  readonly ofHooks: boolean;
}

export type Publish = (query: Query, events: readonly unknown[], now: number) => Promise<Published>;

interface Owned {
  readonly event: ServiceEvent;
  readonly subject: EventSubject;
  /** Id of the user whom the owner belongs to. */
  readonly user: string;
}

export function createPublish(
  context: OutboxContext,
  { deliveries, hooks }: { readonly deliveries: DeliveryRows; readonly hooks: Hooks },
): Publish {
  const findOwners = createFindOwners(context);
  return async (query, events, now) => {
    const owned = await findOwners(query, events.filter((event) => !isHookEvent(event)) as readonly ServiceEvent[]);
    const ours: string[] = [];
    for (const event of events.filter(isHookEvent)) ours.push(...(await hooks.handle(query, event, now)));
    // Many items of one sale have one owner: its hooks are read once.
    const subjects = new Map(owned.map(({ subject }) => [keyOf(subject), subject]));
    const entitled = memoize((key: string) => hooks.entitled(query, subjects.get(key) as EventSubject));
    const all = await Promise.all(
      owned.map(async (one) => ({
        ...(await entitled(keyOf(one.subject))),
        payload: await payloadText(context, query, one),
      })),
    );
    const data = all.flatMap(({ recipients, payload }) =>
      recipients.map((hook) => deliveries.add(hook, { type: 'data', payload }, now).call),
    );
    await runAll(query, data);
    return {
      recipients: [...ours, ...all.flatMap(({ recipients }) => recipients.map(({ id }) => id))],
      passedOver: [...new Set(all.flatMap(({ passedOver }) => passedOver))],
      ofHooks: events.some(isHookEvent),
    };
  };
}

function keyOf({ event, owner }: EventSubject): string {
  return `${event} ${owner}`;
}

/** Publishes one event that comes from outside, in a transaction of its own. */
export function createPublishAlone({ connections, events, writeAudit }: OutboxContext, publish: Publish) {
  return async (...[event, now, author]: Parameters<Outbox['publish']>): Promise<Published> => {
    const published = accepted(events, event);
    return repeated(() =>
      connections.interactive(async (query) => {
        const written = await publish(query, [published], now);
        if (author !== undefined) await writeAudit(query, publishedAudit(event, { author, now }));
        return written;
      }),
    );
  };
}

/** Throws an Error for a payload that does not fit the event. */
async function payloadText({ rowsOf }: OutboxContext, query: Query, { event, subject, user }: Owned): Promise<string> {
  const { of, payload } = event;
  const text =
    payload === 'record' ? await rowsOf(of.resource).text(query, 'session', of.id, user) : JSON.stringify(payload);
  if (typeof text !== 'string') throw new Error(`a ${of.resource} cannot be a payload: its owner may not read it`);
  checkPayload(subject.declared, event.event, text);
  return text;
}

interface OwnerRow {
  readonly owner: string;
  readonly user: string;
}

/** Reads all owners together. Throws reference_not_found, or an Error for a record that does not exist. */
function createFindOwners({ connections, definitions, events: declarations }: OutboxContext) {
  const statement = memoize((path: string) => {
    const [of = '', owner = ''] = path.split(' ');
    return prepareNamed(connections, ownerStatement(definitions, definitionOf(definitions, of), owner));
  });
  return async (query: Query, events: readonly ServiceEvent[]): Promise<readonly Owned[]> => {
    const found = await Promise.all(
      events.map(async (event) => {
        const declared = declarationOf(declarations, event);
        const { resource, id } = event.of;
        const find = statement(`${resource} ${declared.owner}`);
        const [row] = await select<OwnerRow>(query, find({ shard: placementOf(id), id }));
        return { event, declared, row };
      }),
    );
    refuseWithoutOwner(found.filter(({ row }) => row === undefined).map(({ event }) => event));
    return found.flatMap(({ event, declared, row }) =>
      row === undefined ? [] : [{ event, subject: { declared, event: event.event, owner: row.owner }, user: row.user }],
    );
  };
}

/**
 * Selects the record of the owner class above a record, and the user it belongs to: both have the record's placement.
 * Throws an Error if there is none above it, which is a bug of the function that raised the event.
 */
function ownerStatement(definitions: Definitions, of: AnyDefinition, owner: string): string {
  const steps = climb(definitions, of);
  const top = steps.findIndex(({ definition }) => definition.name === owner);
  if (top < 0) throw new Error(`a ${of.name} does not belong to any ${owner}, so an event about it has no owner`);
  const joins = steps
    .slice(1)
    .map(
      ({ definition, id }, index) =>
        `JOIN ${quoted(definition.name)} s${index + 1} ON s${index + 1}._shard = @shard AND s${index + 1}.id = ${id}`,
    );
  const user = `s${steps.length - 1}.id`;
  return `SELECT s${top}.id AS owner, ${user} AS "user" FROM ${quoted(of.name)} s0 ${joins.join(' ')}
WHERE s0._shard = @shard AND s0.id = @id`;
}

interface Step {
  readonly definition: AnyDefinition;
  /** SQL of its id: the column of the step before it. */
  readonly id: string;
}

/** The definition and those it is placed with, up to the user. */
function climb(definitions: Definitions, from: AnyDefinition): readonly Step[] {
  const steps: Step[] = [{ definition: from, id: '@id' }];
  for (let place = placeReference(from); place !== undefined; ) {
    const definition = definitionOf(definitions, place.to);
    if (steps.some((step) => step.definition === definition)) throw new Error(`circular placement of ${from.name}`);
    steps.push({ definition, id: `s${steps.length - 1}.${quoted(place.column)}` });
    place = placeReference(definition);
  }
  return steps;
}
