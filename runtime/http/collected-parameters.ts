// The named parameters of a request (D10) while they are collected. Any name is allowed, including those of Object.prototype.
import { ServiceError } from '../errors.js';

/** Without a prototype, so that `__proto__` and `constructor` are names like any other. */
export type RawParameters = Record<string, unknown>;

export interface Collector {
  readonly parameters: RawParameters;
  /** A repeated name makes a list of texts. Throws `malformed` past the limit. */
  add(name: string, value: string): void;
  /** Counts a parameter without a name. Throws `malformed` past the limit. */
  skip(): void;
}

const MAX_PARAMETERS = 1000;

export function emptyParameters(): RawParameters {
  return Object.create(null) as RawParameters;
}

export function createCollector(): Collector {
  const parameters = emptyParameters();
  let count = 0;
  const skip = () => {
    count += 1;
    checkCount(count);
  };
  return {
    parameters,
    skip,
    add(name, value) {
      skip();
      const before = parameters[name];
      if (before === undefined) parameters[name] = value;
      else if (Array.isArray(before)) before.push(value);
      else parameters[name] = [before, value];
    },
  };
}

/** Throws `malformed` if there are more parameters than any request needs. */
export function checkCount(count: number): void {
  if (count > MAX_PARAMETERS) {
    throw new ServiceError('malformed', `A request must not have more than ${MAX_PARAMETERS} parameters.`);
  }
}
