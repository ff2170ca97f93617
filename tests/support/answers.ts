// An interface whose methods may return a promise, over an engine that is known to answer reads immediately.
import type { MaybePromise } from '../../runtime/contract/maybe-promise.js';

export type Immediate<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => MaybePromise<infer R>
    ? (...args: A) => Exclude<R, Promise<unknown>>
    : T[K];
};
