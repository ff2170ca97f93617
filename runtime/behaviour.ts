// The shape of hand-written lifecycle functions: synchronous and pure, (old, new, now) to changes and events. Types only.
import type { Lifecycle, Row } from './definition.js';

/** What a lifecycle function wants to happen, inside the write it belongs to. */
export interface Consequence<R = Row> {
  /** Columns to set otherwise than the caller did; taken from `before` functions only. */
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

/** By resource name. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** Takes the events of a write, inside its transaction and savepoint. */
export type Publish = (events: readonly unknown[], now: number) => void;
