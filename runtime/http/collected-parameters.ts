// The named parameters of a request (D10) while they are collected. Any name is allowed, including those of Object.prototype.
import { ServiceError } from '../errors.js';

/** Without a prototype, so that `__proto__` and `constructor` are names like any other. */
export type Bag = Record<string, unknown>;

export interface Collector {
  readonly bag: Bag;
  /** A name given again makes a list of texts. Throws `malformed` past the limit. */
  add(name: string, value: string): void;
  /** Counts what has no name. Throws `malformed` past the limit. */
  skip(): void;
}

const MAX_PARAMETERS = 1000;

export function emptyBag(): Bag {
  return Object.create(null) as Bag;
}

export function createCollector(): Collector {
  const bag = emptyBag();
  let count = 0;
  const skip = () => {
    count += 1;
    checkCount(count);
  };
  return {
    bag,
    skip,
    add(name, value) {
      skip();
      const before = bag[name];
      if (before === undefined) bag[name] = value;
      else if (Array.isArray(before)) before.push(value);
      else bag[name] = [before, value];
    },
  };
}

/** Throws `malformed` when there are more parameters than anyone needs. */
export function checkCount(count: number): void {
  if (count > MAX_PARAMETERS) {
    throw new ServiceError('malformed', `A request must not have more than ${MAX_PARAMETERS} parameters.`);
  }
}
