// The vocabulary of web hooks: event → delivery → attempt → outcome → decision. Types and constants only.

/** The time unit of retry delays: the n-th failure is retried after n of them (S1). Milliseconds. */
export const RETRY_UNIT = 3_600_000;
/** Consecutive failures at which the creator gets a mail, retries are held, and the hook deletes itself. */
export const NOTICE_AT = 5;
export const HOLD_AT = 100;
export const DELETE_AT = 1000;
/** Milliseconds until the next attempt of a mail after its n-th failure: n times this, at most an hour. */
export const MAIL_RETRY = 5 * 60_000;
export const MAIL_RETRY_LIMIT = 60 * 60_000;

export type CallbackType = 'subscribe' | 'unsubscribe' | 'data' | 'test';

/**
 * Something that happened, as lifecycle functions and actions report it. Its owner is found inside the transaction by
 * following the references that place the record `of`, up to a record of the event's owner class.
 */
export interface ServiceEvent {
  readonly event: string;
  readonly of: { readonly resource: string; readonly id: string };
  /** An object, or `record`: the record `of` as its owner sees it after the change. */
  readonly payload: Readonly<Record<string, unknown>> | 'record';
  /** Parameter that `reference_not_found` names when `of` does not exist. */
  readonly parameter?: string;
}

/** What a callback is created from, besides its hook. */
export interface NewDelivery {
  readonly type: CallbackType;
  /** JSON text. */
  readonly payload: string;
  /** The resource whose record is the payload; absent: the payload is not a record. */
  readonly record?: string | undefined;
  /** Unsubscribe only: address and key as they were when the hook was deleted (S9). */
  readonly snapshot?: { readonly uri: string; readonly key: string | null };
  /** The `traceparent` of the request that published the event. */
  readonly trace?: string | undefined;
  /** Test only: the attempt it was created for; it is never claimed. */
  readonly attempt?: string;
}

/** What a decision needs to know about a hook. */
export interface HookState {
  /** Failed callbacks since the last successful one. */
  readonly failures: number;
  /** When the mail at NOTICE_AT was written, epoch milliseconds; null: never. It is written at most once per hook (S7). */
  readonly noticed: number | null;
  /** The hook no longer exists: its cancelled deliveries are attempted once more when an operator wishes (D48). */
  readonly isDeleted?: boolean;
}

/** A delivery that was claimed: everything one attempt needs, with address and key as they are now (S20, S21). */
export interface Attempt {
  /** Identifies this attempt; the outcome of another attempt is stale and changes nothing. */
  readonly id: string;
  /** Stable over all attempts: the Delivery-Id header. */
  readonly delivery: string;
  readonly hook: string;
  readonly type: CallbackType;
  /** ASCII JSON, the same bytes in every attempt (S25). */
  readonly message: string;
  readonly uri: string;
  /** Null: the key no longer exists; nothing is sent and the attempt fails (S15). */
  readonly key: string | null;
  /** The hook's own secrets, the newest first; absent: its secret is derived from the key (D63). */
  readonly secrets?: readonly string[];
  /** The `traceparent` of the request that published the event; absent: it had none. */
  readonly trace?: string;
  /** Failed attempts of this delivery before this one. */
  readonly failed: number;
  /** Epoch milliseconds. */
  readonly started: number;
}

/** Bytes of an answer that are kept. */
export const ANSWER_BYTES = 1024;

/** How an attempt ended. Every class but `success` and `internal` counts as a failure (S16, S17). */
export type Outcome =
  /** The head of an answer with status 200 (S18). */
  | ({ readonly class: 'success' } & AnswerText)
  | ({ readonly class: 'status'; readonly status: number } & AnswerText)
  | { readonly class: 'dns' | 'connect' | 'tls' | 'timeout' | 'blocked' | 'protocol' | 'no_key' }
  /** Our own fault (shutdown, no file handles): not counted, due again immediately (S19). */
  | { readonly class: 'internal' };
export type OutcomeClass = Outcome['class'];

interface AnswerText {
  /** The first ANSWER_BYTES of the body, as text; for operators only (S11). */
  readonly answer?: string;
}

/** What follows from one outcome; decided by the policy, carried out by the outbox in one savepoint. */
export interface Decision {
  /** The hook's new count; null: the count stays as it is (unsubscribe, internal). */
  readonly failures: number | null;
  /** What happens to the delivery: done, tried again at `due`, or given up. */
  readonly delivery:
    | { readonly next: 'delivered' }
    | { readonly next: 'retry'; readonly due: number }
    | { readonly next: 'abandoned' };
  /** Retries of the hook's other deliveries move to at most one unit after their own last failure (S3). */
  readonly shorten: boolean;
  /** Write the mail to the creator (S8). */
  readonly notice: boolean;
  /** Delete the hook: pending rows are cancelled, one unsubscribe is sent (S9). */
  readonly remove: boolean;
}

/** Sends one signed POST; never throws. The total deadline is the sender's. */
export type Send = (post: Post) => Promise<Outcome>;

export interface Post {
  readonly uri: string;
  readonly delivery: string;
  readonly body: string;
  /** Its type and its signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the attempt with the outcome `internal`. */
  readonly giveUp?: AbortSignal;
}

export interface EndedAttempt {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly ended: number;
}
