// A task that a part of the service carries out from time to time.

import type { MaybePromise } from './maybe-promise.js';

/** A periodic job. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly every: number;
  /** Does a bounded part of the job. @param now epoch milliseconds @returns true: there is more to do now */
  step(now: number): MaybePromise<boolean>;
}
