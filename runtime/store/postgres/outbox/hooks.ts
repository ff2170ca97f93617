// The life cycle of hooks: who may have one (S37), its subscribe callback (S12), and its final unsubscribe (S9, S22).

import { hasField } from '../../../check-needs.js';
import type { EventDefinition } from '../../../definition.js';
import { placementOf } from '../../../ids.js';
import { memoize } from '../../../memoize.js';
import { quoted } from '../../../schema/sql-text.js';
import { checkCount, checkSubscriber, type HookEvent, type HookRow, ownerOf } from '../../../webhooks/rules/hooks.js';
import { EMPTY_PAYLOAD } from '../../../webhooks/rules/message.js';
import { rightExpression } from '../../sql/access.js';
import { byPlacement } from '../by-placement.js';
import { POSTGRES } from '../dialect.js';
import { type Bound, type NamedStatement, prepareNamed, type Query } from '../named.js';
import type { DeliveryRows } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import type { Pauses } from './pauses.js';
import { runAll, select } from './select.js';

/** Everything here is part of the transaction that `query` belongs to. */
export interface Hooks {
  /** Ids of hooks that have something due now because of it. Throws the ServiceError that refuses the change. */
  handle(query: Query, event: HookEvent, now: number): Promise<readonly string[]>;
  /** Hooks of that event and owner: those whose users may still edit the owner and still have the key, and the others (S28, S37). */
  entitled(query: Query, subject: EventSubject): Promise<Entitled>;
  /** The hook deletes itself: the row is deleted, what waited is cancelled, one unsubscribe is sent (S9). */
  remove(query: Query, row: HookRow, now: number): Promise<void>;
}

export interface EventSubject {
  readonly declared: EventDefinition;
  readonly event: string;
  /** Id of the record of the event's owner class. */
  readonly owner: string;
}

export interface Entitled {
  readonly recipients: readonly HookRow[];
  readonly passedOver: readonly string[];
}

export function createHooks(
  context: OutboxContext,
  { deliveries, pauses }: { readonly deliveries: DeliveryRows; readonly pauses: Pauses },
): Hooks {
  const statements = prepare(context);
  const check = createChecks(context, statements);

  const end = async (query: Query, row: HookRow, now: number): Promise<void> => {
    const key = await keyOf(query, statements.key, row);
    const snapshot = { uri: row.callback_uri, key };
    const { call } = deliveries.add(row, { type: 'unsubscribe', payload: EMPTY_PAYLOAD, snapshot }, now);
    await runAll(query, [statements.unsubscribe(subscriptionOf(row)), ...deliveries.cancel(row, now), call]);
  };
  const remove = async (query: Query, row: HookRow, now: number): Promise<void> => {
    await context.rowsOf('webhook').delete(query, row.id);
    await end(query, row, now);
  };
  const removeAll = async (query: Query, owner: Owner, now: number): Promise<readonly string[]> => {
    const rows = await hooksOfOwner(query, statements, context.events, owner);
    // One after the other: each locks rows, and others may be doing the same.
    for (const row of rows) await remove(query, row, now);
    return rows.map(({ id }) => id);
  };
  const subscribe = async (query: Query, row: HookRow, now: number): Promise<readonly string[]> => {
    await check.count(query, row);
    await runAll(query, [deliveries.add(row, { type: 'subscribe', payload: EMPTY_PAYLOAD }, now).call]);
    return [row.id];
  };
  return {
    remove,
    entitled: createEntitled(statements),
    async handle(query, event, now) {
      if (event.kind === 'account') return pauses.account(query, event, now);
      if (event.kind === 'owner_deleted') return removeAll(query, event, now);
      const { kind, row } = event;
      if (kind === 'unsubscribed') {
        await end(query, row, now);
        return [row.id];
      }
      await check.subscriber(query, row);
      // What it was subscribed to before an update stays in the table, and is ruled out when the hooks are read.
      await runAll(query, [statements.subscribe(subscriptionOf(row))]);
      return kind === 'updated' ? [] : subscribe(query, row, now);
    },
  };
}

interface Owner {
  readonly resource: string;
  readonly id: string;
}

function subscriptionOf({ id, owner_id, event }: HookRow): Bound {
  return { shard: placementOf(owner_id), owner: owner_id, event, hook: id };
}

/** Null: the hook has no key, or one that is not its user's. */
async function keyOf(query: Query, statement: NamedStatement, row: HookRow): Promise<string | null> {
  const bound = { shard: placementOf(row.id), key: row.api_key_id, user: row.user_id };
  const [key] = await select<{ readonly private_key: string }>(query, statement(bound));
  return key?.private_key ?? null;
}

/** Locked, so that their outcomes are settled before or find them gone. */
async function hooksOfOwner(
  query: Query,
  statements: Statements,
  events: OutboxContext['events'],
  { resource, id: owner }: Owner,
): Promise<readonly HookRow[]> {
  const classes = new Set(Object.values(events).flatMap((one) => (one.owner === resource ? [one.ownerClass] : [])));
  if (classes.size === 0) return [];
  const found = await select<SubscriptionRow>(query, statements.ofOwner({ shard: placementOf(owner), owner }));
  const reads = byPlacement(found.map(({ webhook_id }) => webhook_id)).map((placed) =>
    select<HookRow>(query, statements.lockedOfOwner({ ...placed, owner, classes: [...classes] })),
  );
  return (await Promise.all(reads)).flat();
}

interface SubscriptionRow {
  readonly webhook_id: string;
}

type Subscribed = HookRow & { readonly admin: number; readonly keyed: number };

/** One read where the owner is, one at each placement of hooks, and one of the rights, where the owner is. */
function createEntitled(statements: Statements): Hooks['entitled'] {
  return async (query, { declared: { owner: resource, ownerClass }, event, owner }) => {
    const of = { shard: placementOf(owner), owner, event };
    const found = await select<SubscriptionRow>(query, statements.subscribed(of));
    if (found.length === 0) return { recipients: [], passedOver: [] };
    const reads = byPlacement(found.map(({ webhook_id }) => webhook_id)).map((placed) =>
      select<Subscribed>(query, statements.hooks({ ...placed, owner, event, class: ownerClass })),
    );
    const hooks = (await Promise.all(reads)).flat();
    const users = [...new Set(hooks.flatMap(({ admin, user_id }) => (admin === 1 ? [] : [user_id])))];
    const may = await select<{ readonly user: string }>(query, statements.editors(resource)({ ...of, users }));
    const editors = new Set(may.map(({ user }) => user));
    const isEntitled = ({ admin, keyed, user_id }: Subscribed) => keyed === 1 && (admin === 1 || editors.has(user_id));
    return {
      recipients: hooks.filter(isEntitled),
      passedOver: hooks.filter((hook) => !isEntitled(hook)).map(({ id }) => id),
    };
  };
}

/** Conditions that a hook must meet when it is created or changed; each throws. */
function createChecks({ events }: OutboxContext, statements: Statements) {
  return {
    async subscriber(query: Query, row: HookRow): Promise<void> {
      const owner = ownerOf(events, row);
      const [[found], [user], key] = await Promise.all([
        select<{ readonly may: number | null }>(
          query,
          statements.may(owner)({ shard: placementOf(row.owner_id), owner: row.owner_id, user: row.user_id }),
        ),
        select<{ readonly admin: number }>(
          query,
          statements.user({ shard: placementOf(row.user_id), user: row.user_id }),
        ),
        keyOf(query, statements.key, row),
      ]);
      const mayEdit = found === undefined ? null : found.may === 1 || user?.admin === 1;
      checkSubscriber(row, { owner, mayEdit, holdsKey: key !== null });
    },
    async count(query: Query, { user_id: user }: HookRow): Promise<void> {
      const one = { shard: placementOf(user), user };
      // The lock first: two that are created together count each other.
      const [, [counted]] = await Promise.all([
        select(query, statements.lockUser(one)),
        select<{ readonly count: number }>(query, statements.count(one)),
      ]);
      checkCount(counted?.count ?? 0);
    },
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare({ connections, definitions, principal }: OutboxContext) {
  const named = (sql: string) => prepareNamed(connections, sql);
  const users = quoted(principal.name);
  const admin = hasField(principal, 'admin') ? 'u."admin"' : '0';
  // The same right as the API's, so that the right to edit an owner and the right to receive its events cannot diverge.
  const edits = (owner: string, user: string) => {
    const access = { resource: owner, right: 'edit', alias: 't', user, placement: '@shard' };
    return POSTGRES.flag(rightExpression({ definitions, dialect: POSTGRES }, access));
  };
  const subscription = '_shard = @shard AND owner_id = @owner AND event = @event';
  return {
    subscribe: named(
      `INSERT INTO webhook_subscription (_shard, owner_id, event, webhook_id) VALUES (@shard, @owner, @event, @hook)
       ON CONFLICT DO NOTHING`,
    ),
    unsubscribe: named(`DELETE FROM webhook_subscription WHERE ${subscription} AND webhook_id = @hook`),
    subscribed: named(`SELECT webhook_id FROM webhook_subscription WHERE ${subscription}`),
    ofOwner: named('SELECT DISTINCT webhook_id FROM webhook_subscription WHERE _shard = @shard AND owner_id = @owner'),
    lockedOfOwner: named(
      `SELECT * FROM webhook WHERE _shard = @shard AND id = ANY(@ids) AND owner_id = @owner AND owner_class = ANY(@classes)
       ORDER BY id FOR UPDATE`,
    ),
    // A key that is placed elsewhere is not the user's; one that is gone lets the attempt fail (S15).
    hooks: named(
      `SELECT w.*, ${admin} AS admin, (w.api_key_id IS NULL
         OR (left(w.api_key_id, 2) = w._shard AND (k.id IS NULL OR k.user_id = w.user_id)))::int AS keyed
       FROM webhook w JOIN ${users} u ON u._shard = w._shard AND u.id = w.user_id
         LEFT JOIN apikey k ON k._shard = w._shard AND k.id = w.api_key_id
       WHERE w._shard = @shard AND w.id = ANY(@ids) AND w.owner_id = @owner AND w.event = @event AND w.owner_class = @class
       ORDER BY w.id`,
    ),
    editors: memoize((owner: string) =>
      named(
        `SELECT s.id AS "user" FROM unnest(@users::text[]) AS s (id), ${quoted(owner)} t
         WHERE t._shard = @shard AND t.id = @owner AND ${edits(owner, 's.id')} = 1`,
      ),
    ),
    key: named('SELECT private_key FROM apikey WHERE _shard = @shard AND id = @key AND user_id = @user'),
    // The owner cannot be deleted before the hook is there, and found by the deletion.
    may: memoize((owner: string) =>
      named(
        `SELECT ${edits(owner, '@user')} AS may FROM ${quoted(owner)} t WHERE t._shard = @shard AND t.id = @owner FOR KEY SHARE`,
      ),
    ),
    user: named(`SELECT ${admin} AS admin FROM ${users} u WHERE u._shard = @shard AND u.id = @user`),
    lockUser: named(`SELECT id FROM ${users} WHERE _shard = @shard AND id = @user FOR NO KEY UPDATE`),
    count: named('SELECT count(*) AS count FROM webhook WHERE _shard = @shard AND user_id = @user'),
  };
}
