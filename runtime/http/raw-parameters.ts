// The named parameters of a request (D10) while they are collected. Any name is allowed, including those of Object.prototype.

import { ServiceError } from '../contract/errors.js';

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

/** Throws `malformed` on an invalid percent escape, and past 1000 parameters, empty ones included. */
export function readPairs(text: string): RawParameters {
  const { parameters, add, skip } = createCollector();
  const plain = withSpaces(text);
  let start = 0;
  while (start < plain.length) {
    let end = plain.indexOf('&', start);
    if (end < 0) end = plain.length;
    const pair = plain.slice(start, end);
    const equals = pair.indexOf('=');
    const middle = equals < 0 ? pair.length : equals;
    if (middle === 0) skip();
    else add(percentDecode(pair.slice(0, middle)), percentDecode(pair.slice(middle + 1)));
    start = end + 1;
  }
  return parameters;
}

const [PLUS, SPACE] = [0x2b, 0x20];

/** Replaces `+` by a space. Byte by byte, because replacing in a string is 400 times slower. */
function withSpaces(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString('utf8');
}

/** Throws `malformed`. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('malformed', 'A percent escape is incomplete or is not UTF-8.');
  }
}
