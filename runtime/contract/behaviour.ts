// The types of hand-written lifecycle functions and actions: synchronous, pure, and returning changes and events.
import type { Input, Lifecycle, Row } from './definition.js';

/**
 * What a lifecycle function or action causes, within the same write. `E`: the events of the service, as generated code types
 * them; `N`: the rows that the function gets besides its own, by the names under `reads`.
 */
export interface Consequence<R = Row, E = unknown, N = Record<never, never>> {
  /** Columns to set; among lifecycle functions, only `before` functions may set any. */
  readonly changes?: Partial<R>;
  /** Columns to set in the records that the function got. They are written before its own, and call no function themselves. */
  readonly neighbours?: { readonly [name in keyof N]?: readonly NeighbourChange<N[name]>[] };
  /** Passed to the publisher of events after the write, in the same transaction. */
  readonly events?: readonly E[];
}

export interface NeighbourChange<R = Row> {
  readonly id: string;
  readonly changes: Partial<R>;
}

/** A consequence for any rows. */
export type AnyConsequence<R = Row> = Consequence<R, unknown, Readonly<Record<string, Row>>>;

/** What a function gets by a name under `reads`: the rows of a list, or one record; null: there is none. */
export type Read = Readonly<Record<string, readonly Row[] | Row | null>>;

/**
 * Called with the row before (null on create), the row after (null on delete), epoch milliseconds, and, on create and update,
 * what `reads` names. A ServiceError thrown here refuses the write and leaves no trace of it.
 */
export type LifecycleFunction<R = Row> = {
  // A method, so that a function for a narrower row type is still assignable to one for any row.
  call(old: R | null, row: R | null, now: number, read?: Read): AnyConsequence<R> | undefined;
}['call'];

/** The lifecycle functions of one resource. */
export type Behaviour<R = Row> = { readonly [step in Lifecycle]?: LifecycleFunction<R> };

/**
 * A hand-written action: called with the row, its parameters, epoch milliseconds and what its `reads` names, once the caller
 * holds the right and the parameters are valid. A ServiceError thrown here refuses it and leaves no trace.
 */
export type ActionFunction<R = Row, I = Input> = {
  // A method for the same reason as above.
  call(row: R, input: I, now: number, read?: Read): AnyConsequence<R> | undefined;
}['call'];

/** Hand-written actions by resource, then by name. */
export type Actions = Readonly<Record<string, Readonly<Record<string, ActionFunction>>>>;

/** Lifecycle functions by resource. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** Computes the value of a new column for an existing row; it gets the row without the filled columns. */
export type FillFunction<R = Row, V = unknown> = {
  // A method for the same reason as above.
  call(row: R): V;
}['call'];

/** Functions that fill columns, by resource, then by name. */
export type Fills = Readonly<Record<string, Readonly<Record<string, FillFunction>>>>;

/** The hand-written functions that descriptors declare, by resource. */
export interface Handwritten {
  readonly behaviours: Behaviours;
  readonly actions: Actions;
  /** Absent: there are none. */
  readonly fills?: Fills;
}
