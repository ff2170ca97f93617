// The shape of hand-written lifecycle functions and actions: synchronous and pure, to changes and events. Types only.
import type { Input, Lifecycle, Row } from './definition.js';

/** What a lifecycle function wants to happen, inside the write it belongs to. */
export interface Consequence<R = Row> {
  /** Columns to set otherwise than the caller did; of lifecycle functions, taken from `before` ones only. */
  readonly changes?: Partial<R>;
  /** Handed to the publisher of events within the same transaction, after the write. */
  readonly events?: readonly unknown[];
}

/**
 * Called with the row before (null on create), the row after (null on delete) and epoch milliseconds.
 * A ServiceError thrown here refuses the write and leaves no trace of it.
 */
export type LifecycleFunction<R = Row> = {
  // A method, so that a function of a narrower row is still one of any row.
  call(old: R | null, row: R | null, now: number): Consequence<R> | undefined;
}['call'];

/** The lifecycle functions of one resource. */
export type Behaviour<R = Row> = { readonly [step in Lifecycle]?: LifecycleFunction<R> };

/**
 * A hand-written action: called with the row, its parameters and epoch milliseconds, once the caller holds the right
 * and the parameters are valid. A ServiceError thrown here refuses it and leaves no trace.
 */
export type ActionFunction<R = Row, I = Input> = {
  // A method for the same reason.
  call(row: R, input: I, now: number): Consequence<R> | undefined;
}['call'];

/** Hand-written actions by resource, then by name. */
export type Actions = Readonly<Record<string, Readonly<Record<string, ActionFunction>>>>;

/** By resource name. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** Takes the events of a write, inside its transaction and savepoint. */
export type Publish = (events: readonly unknown[], now: number) => void;
