// The outbox as the service sees it: everything about web hooks that is durable. Several servers may share it.

import type { Author, OperatorChange } from '../contract/audit.js';
import type { DeliveryState } from '../contract/delivery-states.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Attempt, CallbackType, EndedAttempt, OutcomeClass } from '../rules/delivery.js';
import type { PublishedEvent } from '../rules/events.js';
import type { HookRow } from '../rules/hooks.js';

/** Times are epoch milliseconds. Methods that write return once the write is durable. */
export interface Outbox extends Deliveries, Mails, HookReports, HookControls, OutboxUpkeep {
  /**
   * Publishes one event from outside, in a transaction of its own (D36). The events of a change are data that the engine
   * publishes in the transaction of that change (S28, S37).
   * Throws invalid (with every mismatch of the payload) and reference_not_found.
   * @param author the author for the audit log; absent: the event is not logged
   * @returns the number of deliveries written
   */
  publish(event: PublishedEvent, now: number, author?: Author): MaybePromise<number>;
  /** Registers a listener for changes of hooks: a plain object, and the only argument that has functions. */
  onDue(listener: OutboxListener): void;
}

/** The parts of a web hook's message that depend on the API version. */
export interface ShownMessage {
  readonly owner_class: string;
  readonly event: string;
  /** JSON text. */
  readonly payload: string;
}

/**
 * Shows a message with the names of the API version that its hook remembers (D68).
 * @param version a date, `newest` or `default`
 * @param record the resource whose record is the payload
 */
export type ShowMessage = (message: ShownMessage, version: string, record?: string) => ShownMessage;

/**
 * The interface for workers. A lease belongs to a server, and one delivery of a hook is in flight at a time in the whole
 * system, apart from tests: a hook with a lease is not claimed.
 */
export interface Deliveries {
  /** Ids of hooks with a delivery that became due in (after, until]. Held retries are not due. */
  due(after: number, until: number): MaybePromise<readonly string[]>;
  /** The earliest due time after `now`; null: nothing is waiting. */
  nextDue(now: number): MaybePromise<number | null>;
  /** Whether another process has written to the database since the last call. */
  hasForeignWrites(): MaybePromise<boolean>;
  /** The host and port of each hook's deliveries; null: unknown. */
  hosts(hooks: readonly string[]): MaybePromise<readonly (string | null)[]>;
  /**
   * Claims the oldest due delivery of each hook (S4, S29) until `lease`; hooks with nothing due, or with a lease, are omitted.
   * It sees the writes of every earlier call of `settle`.
   */
  claim(hooks: readonly string[], now: number, lease: number, server: string): MaybePromise<readonly Attempt[]>;
  /**
   * Extends the leases of attempts under way that have not lost them. Absent where no other server could take over attempts
   * without a lease.
   * @returns the ids of these attempts
   */
  extend?(attempts: readonly Attempt[], until: number): MaybePromise<readonly string[]>;
  /**
   * Carries out the policy's decisions on the outcomes, one after the other, all or none.
   * @returns for each outcome whether it was current; false: the delivery was claimed again or cancelled, and nothing changed
   */
  settle(batch: readonly EndedAttempt[]): MaybePromise<readonly boolean[]>;
  /**
   * Creates a delivery of type test, which is in flight from the start and never claimed; `settle` ends it (S11, S13).
   * Throws not_found if the hook no longer exists.
   */
  test(hook: string, test: NewTest): MaybePromise<Attempt>;
  /**
   * Called when a server starts: every delivery it had claimed is due again and not counted (S24), and its tests are abandoned.
   * @returns the number of deliveries released
   */
  recover(server: string, now: number): MaybePromise<number>;
  /**
   * S31: after the clock has gone back, a retry waits no longer than its delay from now. After any change, a lease that had not
   * ended lasts until `lease`, so that nobody claims an attempt under way, and an abandoned lease does not last for hours (N09).
   */
  clockChanged(change: ClockChange): MaybePromise<void>;
}

export interface ClockChange {
  /** The current time of the clock. */
  readonly now: number;
  /** Milliseconds by which the clock moved forward; negative: back. */
  readonly by: number;
  /** The new end of leases. */
  readonly lease: number;
}

export interface NewTest {
  /** JSON text. */
  readonly payload: string;
  readonly now: number;
  readonly server: string;
}

export interface OutboxListener {
  /** These hooks have a delivery due now, which can be claimed in a later turn of the event loop. */
  due(hooks: readonly string[]): void;
  /** These hooks missed an event: their creators may no longer edit its owner (S37), or its owner may not read its record. */
  passedOver(hooks: readonly string[]): void;
}

/** Mails to creators: written in the transaction of the outcome that causes them, and sent later (S7, S8). */
export interface Mails {
  /** The oldest mails due at `now`, at most `limit`. */
  dueMails(now: number, limit: number): MaybePromise<readonly DueMail[]>;
  /** Records that the mail was sent, or has to be tried again later; a mail is never dropped. */
  settleMail(id: string, sent: boolean, now: number): MaybePromise<void>;
}

export interface DueMail {
  readonly id: string;
  readonly hook: string;
  readonly event: string;
  /** The URI when the mail was written. */
  readonly callbackUri: string;
  readonly user: string;
  readonly username: string | null;
  /** The current address; null: the user has none, or no longer exists. */
  readonly email: string | null;
  /** Failed attempts. */
  readonly failed: number;
  readonly created: number;
}

/** Reports for operators and owners; a read-only connection can answer them. */
export interface HookReports {
  /** Hooks, those with the most failures first. */
  hooks(page?: HookPage): MaybePromise<readonly HookReport[]>;
  /** Null: there is no such hook. @param most how many first attempts, and how many retries, are counted at most; absent: all */
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

/** The number of deliveries of a retry that have been attempted since, and how many of them were delivered. */
export interface RetryCounts {
  readonly tried: number;
  readonly delivered: number;
}

export interface HookPage {
  /** Only hooks whose count is at least `from` and below `below`, or only paused hooks; null: all. */
  readonly state: { readonly from: number; readonly below: number } | 'paused' | null;
  /** The last hook of the previous page; null: the first page. */
  readonly after: Pick<HookReport, 'failures_since_last_success' | 'id'> | null;
  readonly limit: number;
  /** Only hooks of this user; absent: hooks of all users. */
  readonly user?: string;
  /** How many first attempts, and how many retries, are counted for each hook at most; absent: all. */
  readonly most?: number;
}

export interface DeliveryPage {
  /** Only deliveries in one of these states; null: all. */
  readonly states: readonly DeliveryState[] | null;
  /** Id of the last delivery of the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface DeliveryList {
  readonly items: readonly DeliveryReport[];
  /**
   * Cursor of the next page; null: this is the last page. A page reads a bounded number of deliveries, so that another page may
   * follow a page that is not full.
   */
  readonly next: string | null;
}

export interface DeliveryReport {
  readonly id: string;
  readonly hook: string;
  readonly type: CallbackType;
  readonly state: DeliveryState;
  readonly created: number;
  /** When the next attempt is due; null: the delivery is held, or over. */
  readonly due: number | null;
  /** When the delivery was delivered, cancelled or given up; null: it is not over. */
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

/** Changes of hooks by operators. Each may throw not_found, and is recorded in the audit log. */
export interface HookControls {
  /** Nothing is attempted while a hook is paused, and nothing is lost: events write deliveries that wait. */
  pause(hook: string, on: boolean, change: OperatorChange): MaybePromise<void>;
  /**
   * Makes undelivered messages due now, with the same Delivery-Id: those that wait, are held, or were cancelled with their hook.
   * A delivered message is never sent again (D48). Throws conflict for a paused hook, and for a single delivery that is under
   * way or over.
   * @param change the author is null for users who retry deliveries of their own hooks, which the audit log omits
   * @returns the number of deliveries
   */
  retry(hook: string, which: RetryRequest, change: RetryChange): MaybePromise<number>;
  /**
   * From now on the hook's callbacks carry the signature of `secret`, and for some time also that of the previous secret (D63).
   * Changes of users' own hooks are not in the audit log.
   * @returns when the previous secret stops signing, epoch milliseconds
   */
  exchange(hook: string, secret: string, now: number): MaybePromise<number>;
}

export type RetryChange = Pick<OperatorChange, 'now'> & { readonly author: Author | null };

/** One delivery, or all deliveries created since a time in epoch milliseconds. */
export type RetryRequest = { readonly delivery: string } | { readonly since: number };

export interface HookReport extends HookRow {
  readonly date_created: number;
  readonly date_updated: number;
  readonly deliveries: number;
  readonly held: number;
  readonly inFlight: number;
  /** Null: no delivery becomes due by itself. */
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
  /** 1: the attempt changed the hook's count. */
  readonly counted: 0 | 1;
}

/** Each step does a bounded amount of work; those that return a boolean report whether there is more to do now. */
export interface OutboxUpkeep {
  /** The figures of tables with more than 5,000 rows are those of the last complete count. */
  statistics(now: number): MaybePromise<OutboxStatistics>;
  /** Counts another part of the tables. */
  count(now: number): MaybePromise<boolean>;
  /** Deletes attempts from the log, answers and messages that ended before `before`. */
  pruneLog(before: number, now: number): MaybePromise<boolean>;
  /** Deletes rows whose hook no longer exists. */
  pruneOrphans(): MaybePromise<boolean>;
}

export interface OutboxStatistics {
  /** Deliveries that could be attempted now, and milliseconds since the oldest became due. */
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
