// The life cycle of hooks: who may have one (S37), its subscribe callback (S12), and its final unsubscribe (S9, S22).

import { hasField } from '../../../check-needs.js';
import type { EventDefinition } from '../../../definition.js';
import { memoize } from '../../../memoize.js';
import { quoted } from '../../../schema/sql-text.js';
import { checkCount, checkSubscriber, type HookEvent, type HookRow, ownerOf } from '../../../webhooks/rules/hooks.js';
import { EMPTY_PAYLOAD } from '../../../webhooks/rules/message.js';
import { rightExpression } from '../../sql/access.js';
import { SQLITE } from '../dialect.js';
import type { DeliveryRows } from './deliveries.js';
import type { OutboxContext } from './outbox.js';
import type { Pauses } from './pauses.js';

export interface Hooks {
  /** Ids of hooks that have something due now because of it. Throws the ServiceError that refuses the change. */
  handle(event: HookEvent, now: number): readonly string[];
  /** Hooks of that event and owner whose users may still edit the owner and still have the key (S28, S37); reports the others. */
  entitled(declared: EventDefinition, event: string, owner: string): readonly HookRow[];
  /** The hook deletes itself: the row is deleted, what waited is cancelled, one unsubscribe is sent (S9). */
  remove(hook: string, now: number): void;
}

export function createHooks(
  context: OutboxContext,
  { deliveries, pauses }: { readonly deliveries: DeliveryRows; readonly pauses: Pauses },
): Hooks {
  const statements = prepare(context);
  const check = createChecks(context, statements);

  const end = (row: HookRow, now: number): string => {
    deliveries.cancel(row, now);
    const key = statements.key.get(row.api_key_id)?.private_key ?? null;
    const snapshot = { uri: row.callback_uri, key: check.holdsKey(row) ? key : null };
    deliveries.add(row, { type: 'unsubscribe', payload: EMPTY_PAYLOAD, snapshot }, now);
    return row.id;
  };
  const remove = (row: HookRow, now: number): string => {
    context.rowsOf('webhook').delete(row.id);
    return end(row, now);
  };
  return {
    handle(event, now) {
      if (event.kind === 'account') return pauses.account(event, now);
      if (event.kind === 'owner_deleted') return statements.ofOwner(event).map((row) => remove(row, now));
      const { kind, row } = event;
      if (kind === 'unsubscribed') return [end(row, now)];
      check.subscriber(row);
      if (kind === 'updated') return [];
      check.count(row);
      deliveries.add(row, { type: 'subscribe', payload: EMPTY_PAYLOAD }, now);
      return [row.id];
    },
    entitled({ ownerClass, owner }, event, id) {
      const all = statements.subscribed(owner).all(id, event, ownerClass);
      const passedOver = all.filter(({ entitled }) => entitled !== 1);
      if (passedOver.length > 0) context.listener.passedOver(passedOver.map((row) => row.id));
      return all.filter(({ entitled }) => entitled === 1);
    },
    remove(hook, now) {
      const row = context.rowsOf('webhook').row(hook) as HookRow | undefined;
      if (row !== undefined) remove(row, now);
    },
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare({ db, definitions, principal, events }: OutboxContext) {
  const users = quoted(principal.name);
  const admin = hasField(principal, 'admin') ? 'u."admin" = 1' : '0';
  // The same right as the API's, so that the right to edit an owner and the right to receive its events cannot diverge.
  const edits = (owner: string, user: string) =>
    `(${admin} OR ${rightExpression({ definitions, dialect: SQLITE }, { resource: owner, right: 'edit', alias: 't', user })})`;
  const hooksOf = db.prepare<[string, string], HookRow>('SELECT * FROM webhook WHERE owner_id = ? AND owner_class = ?');
  const classes = [...new Map(Object.values(events).map(({ ownerClass, owner }) => [ownerClass, owner]))];
  return {
    ofOwner: ({ resource, id }: { readonly resource: string; readonly id: string }) =>
      classes.filter(([, owner]) => owner === resource).flatMap(([ownerClass]) => hooksOf.all(id, ownerClass)),
    key: db.prepare<[string | null], { readonly user_id: string; readonly private_key: string }>(
      'SELECT user_id, private_key FROM apikey WHERE id = ?',
    ),
    count: db.prepare<[string], number>('SELECT count(*) FROM webhook WHERE user_id = ?').pluck(),
    may: memoize((owner: string) =>
      db
        .prepare<{ owner: string; user: string }, number>(
          `SELECT ${edits(owner, 'u."id"')} FROM ${quoted(owner)} t, ${users} u WHERE t."id" = @owner AND u."id" = @user`,
        )
        .pluck(),
    ),
    subscribed: memoize((owner: string) =>
      db.prepare<[string, string, string], HookRow & { readonly entitled: 0 | 1 }>(
        `SELECT w.*, ${edits(owner, 'u."id"')} AND (w.api_key_id IS NULL OR EXISTS (
             SELECT 1 FROM apikey k WHERE k.id = w.api_key_id AND k.user_id = w.user_id)) AS entitled
         FROM webhook w JOIN ${quoted(owner)} t ON t."id" = w.owner_id JOIN ${users} u ON u."id" = w.user_id
         WHERE w.owner_id = ? AND w.event = ? AND w.owner_class = ?`,
      ),
    ),
  };
}

/** Conditions that a hook must meet when it is created or changed; each throws. */
function createChecks({ events }: OutboxContext, statements: Statements) {
  const holdsKey = ({ api_key_id, user_id }: HookRow) => statements.key.get(api_key_id)?.user_id === user_id;
  return {
    holdsKey,
    subscriber(row: HookRow): void {
      const owner = ownerOf(events, row);
      const may = statements.may(owner).get({ owner: row.owner_id, user: row.user_id });
      checkSubscriber(row, { owner, mayEdit: may === undefined ? null : may === 1, holdsKey: holdsKey(row) });
    },
    count: ({ user_id }: HookRow) => checkCount(statements.count.get(user_id) ?? 0),
  };
}
