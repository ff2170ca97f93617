// Chains values that may be promises, without a turn of the event loop if the value is already available.

export type MaybePromise<T> = T | Promise<T>;

/** Applies `next` to the value, immediately if it is not a promise. Rejections and errors go to the caller. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** The value of `work`, or the value of `otherwise` for its error. */
export function rescue<T>(work: () => MaybePromise<T>, otherwise: (error: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return isPromise(value) ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}

/** Any thenable counts: a promise may come from another realm, or a library. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
