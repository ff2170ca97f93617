// Values that may be promises: going on after them without a turn of the event loop when they are there already.

export type MaybePromise<T> = T | Promise<T>;

/** `next` of the value: at once when it is there, else when it arrives. Rejections and throws are the caller's. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** The value of `work`, or what `otherwise` makes of its error. */
export function rescue<T>(work: () => MaybePromise<T>, otherwise: (error: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return isPromise(value) ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}

/** Any thenable counts: a promise may come from another realm, or from a library of its own. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
