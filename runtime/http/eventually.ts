// Values that may be promises, chained without a hop when they are not. Nothing of HTTP.
import type { MaybePromise } from '../store/store.js';

/** Runs `next` at once when the value is there, else when it arrives. Rejections and throws are the caller's. */
export function then<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Any thenable counts: a promise may come from another realm. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
