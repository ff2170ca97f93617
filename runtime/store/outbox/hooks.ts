// The life cycle of hooks: who may have a hook (S37), its subscribe callback (S12), and its final unsubscribe (S9, S22).

import type { AnyDefinition } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { checkCount, checkSubscriber, type HookEvent, type HookRow, ownerOf } from '../../rules/hooks.js';
import { EMPTY_PAYLOAD } from '../../rules/message.js';
import { fieldFor } from '../../schema/check-needs.js';
import { definitionOf, rightExpression } from '../sql/access.js';
import { rowsOf } from '../sql/rows.js';
import { type Pending, rowsAmong, type Unit } from '../unit.js';
import type { OutboxContext, StatementContext } from './context.js';
import type { DeliveryRows } from './deliveries.js';
import type { Pauses } from './pauses.js';
import { subscriptionOf, subscriptionStatements } from './subscriptions.js';

/** Each method is part of the caller's transaction. */
export interface Hooks {
  /** @returns ids of hooks that have a delivery due now because of the event. Throws the ServiceError that refuses the change. */
  handle(unit: Unit, event: HookEvent, now: number): Pending<readonly string[]>;
  /** Deletes the row of the hook, cancels waiting deliveries, and sends one unsubscribe (S9). */
  remove(unit: Unit, row: HookRow, now: number): Pending<void>;
}

type Collaborators = { readonly deliveries: DeliveryRows; readonly pauses: Pauses };

export function createHooks(context: OutboxContext, { deliveries, pauses }: Collaborators): Hooks {
  const { dialect, events } = context;
  const statements = hookStatements(context);
  const subscriptions = subscriptionStatements(dialect);
  const check = createChecks(context, statements);

  function* end(unit: Unit, row: HookRow, now: number): Pending<void> {
    const key = yield* keyOf(unit, statements.key, row);
    if (subscriptions.remove !== null) unit.hold(subscriptions.remove, subscriptionOf(row));
    deliveries.cancel(unit, row, now);
    const snapshot = { uri: row.callback_uri, key };
    deliveries.add(unit, row, { type: 'unsubscribe', payload: EMPTY_PAYLOAD, snapshot }, now);
  }
  function* remove(unit: Unit, row: HookRow, now: number): Pending<void> {
    yield* unit.remove('webhook', row.id);
    yield* end(unit, row, now);
  }
  function* removeAll(unit: Unit, owner: Owner, now: number): Pending<readonly string[]> {
    const classes = Object.values(events).flatMap((one) => (one.owner === owner.resource ? [one.ownerClass] : []));
    if (classes.length === 0) return [];
    const { id } = owner;
    const ids = yield* unit.rows<{ id: string }>(subscriptions.ofOwner, { placement: placementOf(id), owner: id });
    const hooks = ids.map((row) => row.id);
    const locked = yield* rowsAmong<HookRow>(unit, dialect, hooks, [statements.lockedOfOwner, { owner: id, classes }]);
    // Hooks are removed one after the other, since each removal locks rows and other transactions may do the same.
    const removed: string[] = [];
    for (const row of locked) {
      yield* remove(unit, row, now);
      removed.push(row.id);
    }
    return removed;
  }
  function* subscribe(unit: Unit, row: HookRow, now: number): Pending<readonly string[]> {
    yield* check.count(unit, row);
    deliveries.add(unit, row, { type: 'subscribe', payload: EMPTY_PAYLOAD }, now);
    return [row.id];
  }
  return {
    remove,
    *handle(unit, event, now) {
      if (event.kind === 'account') return yield* pauses.account(unit, event, now);
      if (event.kind === 'owner_deleted') return yield* removeAll(unit, event, now);
      const { kind, row } = event;
      if (kind === 'unsubscribed') {
        yield* end(unit, row, now);
        return [row.id];
      }
      yield* check.subscriber(unit, row);
      // The subscription from before an update stays in the table, and is ruled out when the hooks are read.
      if (subscriptions.add !== null) unit.hold(subscriptions.add, subscriptionOf(row));
      return kind === 'updated' ? [] : yield* subscribe(unit, row, now);
    },
  };
}

interface Owner {
  readonly resource: string;
  readonly id: string;
}

/** Null: the hook has no key, or its key is not its user's. */
function* keyOf(unit: Unit, sql: string, { id, api_key_id: key, user_id: user }: HookRow): Pending<string | null> {
  const apiKey = yield* unit.row<{ private_key: string }>(sql, { placement: placementOf(id), key, user });
  return apiKey?.private_key ?? null;
}

/** Conditions that a hook must meet when it is created or changed; each throws. */
function createChecks({ events }: OutboxContext, statements: ReturnType<typeof hookStatements>) {
  return {
    *subscriber(unit: Unit, row: HookRow): Pending<void> {
      const { owner_id, user_id: user } = row;
      const owner = ownerOf(events, row);
      const asking = unit.row<{ may: number | null }>(statements.may(owner), {
        placement: placementOf(owner_id),
        owner: owner_id,
        user,
      });
      const reading = unit.row<{ admin: number }>(statements.user, { placement: placementOf(user), user });
      const key = yield* keyOf(unit, statements.key, row);
      const answer = yield* asking;
      const isAdmin = (yield* reading)?.admin === 1;
      const mayEdit = answer === undefined ? null : answer.may === 1 || isAdmin;
      checkSubscriber(row, { owner, mayEdit, holdsKey: key !== null });
    },
    *count(unit: Unit, { user_id: user }: HookRow): Pending<void> {
      const one = { placement: placementOf(user), user };
      // The lock comes first, so that two hooks that are created together count each other.
      unit.hold(statements.lockUser, one);
      const counted = yield* unit.row<{ count: number }>(statements.count, one);
      checkCount(counted?.count ?? 0);
    },
  };
}

export function hookStatements(context: StatementContext) {
  const { definitions, dialect, principal } = context;
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const users = rowsOf(principal, 'u');
  return {
    lockedOfOwner:
      `SELECT w.* FROM webhook w WHERE ${at('w')} AND ${dialect.isOneOf('w.id', '@ids')} AND w.owner_id = @owner ` +
      `AND ${dialect.isOneOf('w.owner_class', '@classes')} ORDER BY w.id${dialect.lock('delete')}`,
    key: `SELECT k.private_key FROM apikey k WHERE ${at('k')} AND k.id = @key AND k.user_id = @user`,
    // The lock keeps the owner until the hook exists, so that the owner's deletion finds the hook.
    may: memoize((owner: string) => {
      const isOwner = `${at('t')} AND t.id = @owner`;
      return `SELECT ${mayEditSql(context, owner, '@user')} AS may FROM ${rowsOf(definitionOf(definitions, owner))} WHERE ${isOwner}${dialect.lock('reference')}`;
    }),
    user: `SELECT ${adminFlag(principal)} AS admin FROM ${users} WHERE ${at('u')} AND u.id = @user`,
    lockUser: `SELECT u.id FROM ${users} WHERE ${at('u')} AND u.id = @user${dialect.lock('change')}`,
    count: `SELECT count(*) AS count FROM webhook w WHERE ${at('w')} AND w.user_id = @user`,
  };
}

/** Expression over a user `u`: 1 for an administrator. */
export function adminFlag(principal: AnyDefinition): string {
  return fieldFor(principal, 'admin') !== null ? 'u."admin"' : '0';
}

/**
 * Expression over an owner `t`: 1 if a user may edit it. It is the right of the API, so that the right to edit an owner and the
 * right to receive its events cannot diverge.
 */
export function mayEditSql({ definitions, dialect }: StatementContext, owner: string, user: string): string {
  const access = { resource: owner, right: 'edit', alias: 't', user, placement: '@placement' };
  return dialect.flag(rightExpression({ definitions, dialect }, access));
}
