// A request without its HTTP details, and the result of an operation. Types only.

import type { Conditions } from '../contract/conditions.js';
import type { AnyDefinition, Upload } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { IdempotencyKey } from '../store/idempotency.js';
import type { Caller } from '../store/records.js';

/**
 * Named parameters from query and body, merged (D10); the body wins. The object has no prototype.
 * Values from the query and from forms are text, or a list of texts if a name was sent more than once.
 */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Call {
  /** Definition of the record in the path; for a list it is the parent's, and `name` is the list. */
  readonly definition: AnyDefinition;
  /** Id in the path; empty for create and options. */
  readonly id: string;
  /** Name of the list or action in the path; empty otherwise. */
  readonly name: string;
  readonly parameters: Parameters;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Bytes that were sent with the request, already stored; null if there are none. */
  readonly upload: Upload | null;
  /** Present for a POST with a key, which is carried out once (D50). */
  readonly idempotencyKey?: IdempotencyKey;
  /** The conditions of a write of the record in the path (D57). */
  readonly conditions?: Conditions;
}

export interface Answer {
  readonly status: 200 | 201;
  /** JSON text of the result, before the profile's envelope. */
  readonly body: string;
  /** The version of the record in the body (D57); absent: the body holds no record, or several. */
  readonly version?: number | undefined;
  /** How many records it has written; absent: at most one. */
  readonly records?: number | undefined;
  /** Path of a created record, for Location. */
  readonly location?: string | undefined;
  /** Names of parameters that had no effect (D19). */
  readonly ignored?: readonly string[] | undefined;
}

export type Run = (call: Call) => MaybePromise<Answer>;
