// The only entry point for events: within the caller's transaction, ends the sessions of disabled accounts and creates a delivery
// for every subscribed hook (S28, I10).
import type { AnyDefinition, EventDefinition } from '../../contract/definition.js';
import { idOf, placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import type { ServiceEvent } from '../../rules/delivery.js';
import {
  acceptEvent,
  checkPayload,
  declarationOf,
  isAccountEvent,
  isHookEvent,
  refuseWithoutOwner,
} from '../../rules/events.js';
import type { HookEvent, HookRow } from '../../rules/hooks.js';
import { quoted } from '../../schema/sql-text.js';
import { publishedAudit } from '../audit.js';
import { endSessions } from '../identity.js';
import type { Outbox } from '../outbox.js';
import { type Composer, type Definitions, definitionOf } from '../sql/access.js';
import type { Dialect } from '../sql/dialect.js';
import { placeReference } from '../sql/owner.js';
import { rowsOf } from '../sql/rows.js';
import { awaitAll, type Pending, type PublishWithin, ready, rowsAmong, type Unit } from '../unit.js';
import type { OutboxContext, StatementContext } from './context.js';
import type { DeliveryRows } from './deliveries.js';
import { adminFlag, type Hooks, mayEditSql } from './hooks.js';
import { subscriptionStatements } from './subscriptions.js';

/** Handles the events of a change: ends the sessions of disabled accounts, and passes all events to the outbox, if any. */
export interface Publisher {
  readonly publish: PublishWithin;
  /** To be called before the first event, unless this project has no web hooks. */
  passTo(outbox: { readonly publishWithin: PublishWithin }): void;
}

export function createPublisher(dialect: Dialect): Publisher {
  const end = endSessions(dialect);
  let publishWithin: PublishWithin | undefined;
  return {
    *publish(unit, events, now, trace) {
      for (const { id } of events.filter(isAccountEvent)) unit.hold(end, { placement: placementOf(id), user: id });
      if (publishWithin !== undefined) yield* publishWithin(unit, events, now, trace);
    },
    passTo(outbox) {
      publishWithin = outbox.publishWithin;
    },
  };
}

/** The ids of the hooks that have a delivery due because of the events, once for each delivery. */
export type DueHooks = readonly string[];

/**
 * Creates, within the caller's transaction, one delivery for every hook that is subscribed and still entitled (S28, S37). The
 * events are ServiceEvents and HookEvents. A payload that does not fit its event is a bug and throws an Error.
 */
export function createPublishWithin(
  context: OutboxContext,
  { deliveries, hooks }: { readonly deliveries: DeliveryRows; readonly hooks: Hooks },
): PublishWithin<DueHooks> {
  const { listener, dueTimes } = context;
  const findOwners = createFindOwners(context);
  const readEntitled = createReadEntitled(context);
  return function* publishWithin(unit, events, now, trace) {
    const aboutHooks: HookEvent[] = [];
    const published: ServiceEvent[] = [];
    for (const event of events) {
      if (isHookEvent(event)) aboutHooks.push(event);
      else published.push(event as ServiceEvent);
    }
    const owned = yield* findOwners(unit, published);
    const due: string[] = [];
    for (const event of aboutHooks) due.push(...(yield* hooks.handle(unit, event, now)));
    const passedOver = new Set<string>();
    const entitled = yield* readEntitled(unit, owned);
    const texts = owned.map((one) => payloadText(unit, one));
    for (const [at, one] of owned.entries()) {
      const { recipients, others } = entitled.get(keyOf(one)) ?? NO_HOOKS;
      const payload = (yield* texts[at] as Pending<string | null | undefined>) ?? null;
      // The owner may not read the record that is the payload.
      const excluded = payload === null ? [...others, ...recipients] : others;
      for (const { id } of excluded) passedOver.add(id);
      if (payload === null) continue;
      checkPayload(one.declared, one.event.event, payload);
      const { record } = one.declared;
      for (const hook of recipients) {
        deliveries.add(unit, hook, { type: 'data', payload, record, trace }, now);
        due.push(hook.id);
      }
    }
    unit.afterCommit(() => {
      // Waiting deliveries of changed or deleted hooks may have been cancelled.
      if (aboutHooks.length > 0) dueTimes?.forget();
      if (due.length > 0) listener.due(due);
      if (passedOver.size > 0) listener.passedOver([...passedOver]);
    });
    return due;
  };
}

/** Publishes one event from outside, in a transaction of its own. */
export function createPublish(
  { transact, events }: OutboxContext,
  publishWithin: PublishWithin<DueHooks>,
): Outbox['publish'] {
  return async (event, now, author) => {
    const published = acceptEvent(events, event);
    return transact(function* (unit) {
      const due = yield* publishWithin(unit, [published], now);
      if (author !== undefined) unit.audit(publishedAudit(event, { author, now }));
      return due.length;
    });
  };
}

interface OwnedEvent {
  readonly event: ServiceEvent;
  readonly declared: EventDefinition;
  /** Id of the record of the event's owner class. */
  readonly owner: string;
  /** Id of the user to whom the owner belongs. */
  readonly user: string;
}

/** Null or undefined: the payload is a record that the owner may not read. */
function payloadText(unit: Unit, { event, user }: OwnedEvent): Pending<string | null | undefined> {
  const { of, payload } = event;
  if (payload === 'record') return unit.text(of.resource, 'session', of.id, user);
  return ready(JSON.stringify(payload));
}

/** Reads the hooks of each event; `keyOf` returns its key. */
type ReadEntitled = (unit: Unit, owned: readonly OwnedEvent[]) => Pending<ReadonlyMap<string, EntitledHooks>>;

interface EntitledHooks {
  readonly recipients: readonly HookRow[];
  /** Hooks whose users may no longer edit the owner, or no longer have the key (S37). */
  readonly others: readonly HookRow[];
}

type SubscribedHook = HookRow & { readonly admin: number; readonly keyed: number };

/**
 * Reads the hooks of each event and owner, once even if many items of a sale have the same owner. There is one read at the
 * owner's placement, one at each placement of hooks, and one of the rights; the reads of several owners are sent together.
 */
function createReadEntitled(context: OutboxContext): ReadEntitled {
  const { dialect } = context;
  const { ofEvent } = subscriptionStatements(dialect);
  const statements = entitledStatements(context);
  const readHooks = (unit: Unit, { declared, event, owner }: OwnedEvent, rows: readonly { readonly id: string }[]) => {
    const subject = { owner, event: event.event, class: declared.ownerClass };
    const ids = rows.map(({ id }) => id);
    return rowsAmong<SubscribedHook>(unit, dialect, ids, [statements.hooks, subject]);
  };
  const readEditors = (unit: Unit, { declared, owner }: OwnedEvent, hooks: readonly SubscribedHook[]) => {
    const users = [...new Set(hooks.flatMap(({ admin, user_id }) => (admin === 1 ? [] : [user_id])))];
    if (users.length === 0) return NOBODY;
    const values = { placement: placementOf(owner), owner, users };
    return unit.rows<{ readonly user: string }>(statements.editors(declared.owner), values);
  };
  return function* readEntitled(unit, owned) {
    const subjects = [...new Map(owned.map((one) => [keyOf(one), one])).values()];
    const subscribed = yield* awaitAll(
      subjects.map(({ event: { event }, owner }) =>
        unit.rows<{ readonly id: string }>(ofEvent, { placement: placementOf(owner), owner, event }),
      ),
    );
    const hooks = yield* awaitAll(subjects.map((one, at) => readHooks(unit, one, subscribed[at] ?? [])));
    const editors = yield* awaitAll(subjects.map((one, at) => readEditors(unit, one, hooks[at] ?? [])));
    const entitled = new Map<string, EntitledHooks>();
    for (const [at, one] of subjects.entries()) entitled.set(keyOf(one), divided(hooks[at] ?? [], editors[at] ?? []));
    return entitled;
  };
}

const NOBODY: Pending<readonly { readonly user: string }[]> = ready([]);
const NO_HOOKS: EntitledHooks = { recipients: [], others: [] };

function keyOf({ event: { event }, owner }: OwnedEvent): string {
  return `${event} ${owner}`;
}

function divided(hooks: readonly SubscribedHook[], editors: readonly { readonly user: string }[]): EntitledHooks {
  const users = new Set(editors.map(({ user }) => user));
  const recipients: HookRow[] = [];
  const others: HookRow[] = [];
  for (const hook of hooks) {
    const isEntitled = hook.keyed === 1 && (hook.admin === 1 || users.has(hook.user_id));
    (isEntitled ? recipients : others).push(hook);
  }
  return { recipients, others };
}

export function entitledStatements(context: StatementContext) {
  const { definitions, dialect, principal } = context;
  const at = (alias: string) => dialect.placed(alias, '@placement');
  // A key that is placed elsewhere is not the user's; a key that no longer exists makes the attempt fail (S15).
  const isKeyed = `w.api_key_id IS NULL OR (${dialect.placed('w', dialect.placementOf('w.api_key_id'))}
    AND (k.id IS NULL OR k.user_id = w.user_id))`;
  const isSubscribed = `${at('w')} AND ${dialect.isOneOf('w.id', '@ids')} AND w.owner_id = @owner AND w.event = @event
    AND w.owner_class = @class`;
  return {
    hooks:
      `SELECT w.*, ${adminFlag(principal)} AS admin, ${dialect.flag(isKeyed)} AS keyed FROM webhook w ` +
      `JOIN ${rowsOf(principal, 'u')} ON ${at('u')} AND u.id = w.user_id ` +
      `LEFT JOIN apikey k ON ${at('k')} AND k.id = w.api_key_id WHERE ${isSubscribed} ORDER BY w.id`,
    editors: memoize(
      (owner: string) =>
        `SELECT s.id AS "user" FROM ${dialect.listed('@users', 's')}, ${rowsOf(definitionOf(definitions, owner))} ` +
        `WHERE ${at('t')} AND t.id = @owner AND ${mayEditSql(context, owner, 's.id')} = 1`,
    ),
  };
}

type FindOwners = (unit: Unit, events: readonly ServiceEvent[]) => Pending<readonly OwnedEvent[]>;

/** Reads all owners together. Throws reference_not_found, or an Error for a record that does not exist. */
function createFindOwners({ dialect, definitions, events: declarations }: OutboxContext): FindOwners {
  const statement = memoize((path: string) => {
    const [of = '', owner = ''] = path.split(' ');
    return ownerStatement({ dialect, definitions }, of, owner);
  });
  return function* findOwners(unit, events) {
    const reads = events.map((event) => {
      const declared = declarationOf(declarations, event);
      const { resource, id } = event.of;
      const sql = statement(`${resource} ${declared.owner}`);
      return { event, declared, row: unit.row<{ readonly owner: string; readonly user: string }>(sql, idOf(id)) };
    });
    const owned: OwnedEvent[] = [];
    const ownerless: ServiceEvent[] = [];
    for (const { event, declared, row } of reads) {
      const owner = yield* row;
      if (owner === undefined) ownerless.push(event);
      else owned.push({ event, declared, ...owner });
    }
    if (ownerless.length > 0) refuseWithoutOwner(ownerless);
    return owned;
  };
}

/**
 * Selects the record of the owner class above a record, and the user it belongs to; both have the record's placement.
 * Throws an Error if there is no such class above it, which is a bug of the function that raised the event.
 */
export function ownerStatement({ dialect, definitions }: Composer, resource: string, owner: string): string {
  const of = definitionOf(definitions, resource);
  const steps = climb(definitions, of);
  const top = steps.findIndex(({ definition }) => definition.name === owner);
  if (top < 0) throw new Error(`a ${of.name} does not belong to any ${owner}, so an event about it has no owner`);
  const joins = steps.slice(1).map(({ definition, id }, index) => {
    const alias = `s${index + 1}`;
    return `JOIN ${rowsOf(definition, alias)} ON ${dialect.placed(alias, '@placement')} AND ${alias}.id = ${id}`;
  });
  const user = `s${steps.length - 1}.id`;
  return (
    `SELECT s${top}.id AS owner, ${user} AS "user" FROM ${rowsOf(of, 's0')} ${joins.join(' ')} ` +
    `WHERE ${dialect.placed('s0', '@placement')} AND s0.id = @id`
  );
}

interface Ancestor {
  readonly definition: AnyDefinition;
  /** SQL of its id: a column of the previous ancestor. */
  readonly id: string;
}

/** The definition and its ancestors by placement, up to the user. */
function climb(definitions: Definitions, from: AnyDefinition): readonly Ancestor[] {
  const steps: Ancestor[] = [{ definition: from, id: '@id' }];
  for (let place = placeReference(from); place !== undefined; ) {
    const definition = definitionOf(definitions, place.to);
    if (steps.some((step) => step.definition === definition)) throw new Error(`circular placement of ${from.name}`);
    steps.push({ definition, id: `s${steps.length - 1}.${quoted(place.column)}` });
    place = placeReference(definition);
  }
  return steps;
}
