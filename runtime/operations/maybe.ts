// Going on after a value that may or may not be there yet, without a turn of the event loop when it is.
import type { MaybePromise } from '../store/store.js';

/** `next` of the value: now when it is there, later when it is promised. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
