// The outbox: everything about web hooks that is durable, as the service sees it. Several servers may share it.

import type { Author, OperatorChange } from '../contract/audit.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Attempt, CallbackType, EndedAttempt, OutcomeClass } from '../rules/delivery.js';
import type { PublishedEvent } from '../rules/events.js';
import type { HookRow } from '../rules/hooks.js';

/** Times are epoch milliseconds. Methods that write return once the write is durable. */
export interface Outbox extends Deliveries, Mails, HookReports, HookControls, OutboxUpkeep {
  /**
   * Publishes one event that comes from outside, in a transaction of its own (D36). The events of a change are data that
   * the engine publishes in the transaction of that change (S28, S37).
   * Throws invalid (with every mismatch of the payload) and reference_not_found.
   * @param author of a change that is to be in the audit log
   * @returns number of deliveries written
   */
  publish(event: PublishedEvent, now: number, author?: Author): MaybePromise<number>;
  /** Registers a listener for changes of hooks; the only exception to plain data. */
  onDue(listener: OutboxListener): void;
}

/** What a message of a web hook names. */
export interface ShownMessage {
  readonly owner_class: string;
  readonly event: string;
  /** JSON text. */
  readonly payload: string;
}

/**
 * Shows a message in the names of the version that its hook remembers (D68).
 * @param version a date, `newest` or `default`
 * @param record the resource whose record is the payload
 */
export type ShowMessage = (message: ShownMessage, version: string, record?: string) => ShownMessage;

/**
 * What a worker uses. A lease belongs to a server, and one delivery of a hook is in flight at a time in the whole system,
 * tests aside: a hook with a lease is not claimed.
 */
export interface Deliveries {
  /** Ids of hooks with a delivery that became due in (after, until]. Retries of hooks that are held are not due. */
  due(after: number, until: number): MaybePromise<readonly string[]>;
  /** The earliest due time after `now` of anything that may be attempted; null: nothing is waiting. */
  nextDue(now: number): MaybePromise<number | null>;
  /** Whether somebody else has written to the database since the last call. */
  othersWrote(): MaybePromise<boolean>;
  /** Host and port that each hook's deliveries go to; null: unknown. */
  hosts(hooks: readonly string[]): MaybePromise<readonly (string | null)[]>;
  /**
   * Claims the oldest due delivery of each hook (S4, S29) until `lease`; hooks with nothing due, or with a lease, are left
   * out. It sees what every `settle` called before it writes.
   */
  claim(hooks: readonly string[], now: number, lease: number, server: string): MaybePromise<readonly Attempt[]>;
  /**
   * Extends the leases of attempts under way that have not lost them. Only where there are other servers, which take over
   * what has none.
   * @returns the ids of these attempts
   */
  extend?(attempts: readonly Attempt[], until: number): MaybePromise<readonly string[]>;
  /**
   * Carries out what the policy decides for the outcomes, one after the other, all or none.
   * @returns for each whether it was current; false: the delivery was claimed again or cancelled, and nothing changed
   */
  settle(batch: readonly EndedAttempt[]): MaybePromise<readonly boolean[]>;
  /**
   * A delivery of type test, in flight from the start and never claimed; `settle` ends it (S11, S13).
   * Throws not_found if the hook no longer exists.
   */
  test(hook: string, test: NewTest): MaybePromise<Attempt>;
  /**
   * When a server starts: every delivery it had claimed is due again and not counted (S24), its tests are abandoned.
   * @returns number of deliveries released
   */
  recover(server: string, now: number): MaybePromise<number>;
  /**
   * S31: after the clock has gone back, a retry waits no longer than its delay from now. After any change a lease that had not
   * ended lasts until `lease`, so that nobody claims what is under way, and one that nobody ends does not last for hours (N09).
   */
  clockChanged(change: ClockChange): MaybePromise<void>;
}

export interface ClockChange {
  /** What the clock shows now. */
  readonly now: number;
  /** Milliseconds by which it went ahead; below 0: back. */
  readonly by: number;
  /** The end of leases. */
  readonly lease: number;
}

export interface NewTest {
  /** JSON text. */
  readonly payload: string;
  readonly now: number;
  readonly server: string;
}

export interface OutboxListener {
  /** These hooks have something due now; it can be claimed in a later turn of the event loop. */
  due(hooks: readonly string[]): void;
  /** These hooks did not get an event, since their creators may no longer edit its owner (S37), or its owner may not read its record. */
  passedOver(hooks: readonly string[]): void;
}

/** Mails to creators: written with the outcome that causes them, sent later (S7, S8). */
export interface Mails {
  /** The oldest mails to be sent at `now`, at most `limit`. */
  dueMails(now: number, limit: number): MaybePromise<readonly DueMail[]>;
  /** The mail was sent, or has to be tried again later; it is never dropped. */
  settleMail(id: string, sent: boolean, now: number): MaybePromise<void>;
}

export interface DueMail {
  readonly id: string;
  readonly hook: string;
  readonly event: string;
  /** As it was when the mail was written. */
  readonly callbackUri: string;
  readonly user: string;
  readonly username: string | null;
  /** The current one; null: the user has none, or no longer exists. */
  readonly email: string | null;
  /** Failed attempts. */
  readonly failed: number;
  readonly created: number;
}

/** What operators and owners read; a connection that only reads can answer it. */
export interface HookReports {
  /** Hooks, the one with most failures first. */
  hooks(page?: HookPage): MaybePromise<readonly HookReport[]>;
  /** Null: there is no such hook. @param most the most first attempts, and as many retries, that are counted; by default all */
  hook(id: string, most?: number): MaybePromise<HookReport | null>;
  /** The newest attempts of a hook, newest first (S40); also of a deleted hook. */
  log(hook: string, limit?: number): MaybePromise<readonly LoggedAttempt[]>;
  /** Deliveries of a hook, newest first; also of a deleted hook (D48). */
  deliveries(hook: string, page: DeliveryPage): MaybePromise<DeliveryList>;
  /** Null: there is no such delivery, or it is no longer kept. */
  message(hook: string, delivery: string): MaybePromise<MessageReport | null>;
  /** The results of a retry at that time. @param most how many of the newest attempts are read */
  retried(hook: string, at: number, most: number): MaybePromise<RetryCounts>;
}

/** How many deliveries of a retry have been attempted since, and how many of these were delivered. */
export interface RetryCounts {
  readonly tried: number;
  readonly delivered: number;
}

export interface HookPage {
  /** Only hooks whose count is at least `from` and below `below`, or that are paused; null: all. */
  readonly state: { readonly from: number; readonly below: number } | 'paused' | null;
  /** The last hook of the page before; null: the first page. */
  readonly after: Pick<HookReport, 'failures_since_last_success' | 'id'> | null;
  readonly limit: number;
  /** Only hooks of this user; absent: hooks of all users. */
  readonly user?: string;
  /** The most first attempts, and as many retries, that are counted for each hook; absent: all. */
  readonly most?: number;
}

/** What is still to be delivered: `waiting` for its time, `held` (S4, or paused), `in_flight`. What is over. */
export const DELIVERY_STATES = ['waiting', 'held', 'in_flight', 'delivered', 'cancelled', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryPage {
  /** Only those in one of these states; null: all. */
  readonly states: readonly DeliveryState[] | null;
  /** Id of the last delivery of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface DeliveryList {
  readonly items: readonly DeliveryReport[];
  /**
   * Cursor of the next page; null: this is the last one. A page looks at a bounded number of deliveries, so that another page may
   * follow one that is not full.
   */
  readonly next: string | null;
}

export interface DeliveryReport {
  readonly id: string;
  readonly hook: string;
  readonly type: CallbackType;
  readonly state: DeliveryState;
  readonly created: number;
  /** When it can be attempted next; null: it is held, or over. */
  readonly due: number | null;
  /** When it was delivered, cancelled or given up; null: it is not over. */
  readonly ended: number | null;
  /** Failed attempts. */
  readonly failed: number;
}

export interface MessageReport extends DeliveryReport {
  /** JSON text, as it is sent. */
  readonly message: string;
  /** Oldest first. */
  readonly attempts: readonly (LoggedAttempt & { readonly answer: string | null })[];
}

/** Changes that operators make to hooks. Each throws not_found, and is in the audit log. */
export interface HookControls {
  /** Nothing is attempted while a hook is paused, and nothing is lost: events write deliveries that wait. */
  pause(hook: string, on: boolean, change: OperatorChange): MaybePromise<void>;
  /**
   * What was not delivered is due now: what waits, what is held, and what was cancelled with its hook, with the same
   * Delivery-Id; what was delivered is never sent again (D48). Throws conflict for a hook that is paused, and for a single
   * delivery that is under way or over.
   * @param change its author is null for users who retry deliveries of their own hooks, which the audit log leaves out
   * @returns number of deliveries
   */
  retry(hook: string, which: RetryRequest, change: RetryChange): MaybePromise<number>;
  /**
   * From now on the hook's callbacks carry the signature of `secret`, and for some time that of the one before (D63). What users
   * do to their own hooks is not in the audit log.
   * @returns when it ends to sign, epoch milliseconds
   */
  exchange(hook: string, secret: string, now: number): MaybePromise<number>;
}

export type RetryChange = Pick<OperatorChange, 'now'> & { readonly author: Author | null };

/** One delivery, or all that were created since a time in epoch milliseconds. */
export type RetryRequest = { readonly delivery: string } | { readonly since: number };

export interface HookReport extends HookRow {
  readonly date_created: number;
  readonly date_updated: number;
  readonly deliveries: number;
  readonly held: number;
  readonly inFlight: number;
  /** Null: nothing becomes due by itself. */
  readonly nextDue: number | null;
  /** When the mail to the creator was written, and when it was sent. */
  readonly noticed: number | null;
  readonly noticeSent: number | null;
  /** Since when it has been paused by an operator, and with the account of its user (D49). */
  readonly pausedByOperator: number | null;
  readonly pausedWithAccount: number | null;
}

export interface LoggedAttempt {
  readonly id: string;
  readonly delivery: string;
  readonly type: CallbackType;
  readonly started: number;
  readonly ended: number;
  readonly outcome: OutcomeClass;
  readonly status: number | null;
  /** 1: it changed the hook's count. */
  readonly counted: 0 | 1;
}

/** Each step does a bounded amount of work and says whether there is more to do now. */
export interface OutboxUpkeep {
  /** Tables of more than 5,000 rows are reported as of the last complete count. */
  statistics(now: number): MaybePromise<OutboxStatistics>;
  /** Counts a part of the tables again. */
  count(now: number): MaybePromise<boolean>;
  /** Deletes attempts from the log, answers and messages that ended before `before`. */
  pruneLog(before: number, now: number): MaybePromise<boolean>;
  /** Deletes rows whose hook no longer exists. */
  pruneOrphans(): MaybePromise<boolean>;
}

export interface OutboxStatistics {
  /** Deliveries that could be attempted now, and milliseconds since the oldest of them became due. */
  readonly due: number;
  readonly oldestDueAge: number;
  /** Retries that will become due. */
  readonly waiting: number;
  /** Retries of hooks with HOLD_AT failures or more. */
  readonly held: number;
  readonly inFlight: number;
  readonly hooks: number;
  /** Hooks whose count has reached NOTICE_AT, and HOLD_AT. */
  readonly failing: number;
  readonly holding: number;
  readonly mailsDue: number;
  readonly oldestMailAge: number;
}
