// The named parameters of a request (D10) while they are collected, and how they are read from pairs and from JSON. Any name is
// allowed, including those of Object.prototype.

import { failed, ServiceError } from '../contract/errors.js';

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
function checkCount(count: number): void {
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

/** Levels of a JSON body. */
const MAX_DEPTH = 32;
/** Items in one list or object: no record holds more, and forms have the same limit. */
const MAX_ITEMS = 1000;
/** Values in total, nested ones included. */
const MAX_NODES = 10_000;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws `malformed` for a text that is not an object, is nested too deeply or holds too much, `invalid` for a duplicate name
 * (D10). The text is measured before anything is built from it.
 */
export function readJson(text: string): RawParameters {
  const literals = measure(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError('malformed', 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('malformed', 'The JSON body must be an object of parameters.');
  }
  const names = Object.keys(value);
  if (names.length < literals.length) throw duplicate(literals);
  const parameters = emptyParameters();
  for (const name of names) parameters[name] = (value as RawParameters)[name];
  return parameters;
}

/** Checks depth, items and values against their limits. @returns the literals that are names if the text is an object */
function measure(text: string): readonly string[] {
  const literals: string[] = [];
  const open: number[] = [];
  let nodes = 0;
  let nameNext = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = closingQuote(text, at);
      if (nameNext) literals.push(text.slice(at, end + 1));
      nameNext = false;
      at = end;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) open.pop();
    const opens = unit === OPEN_OBJECT || unit === OPEN_LIST;
    if (opens && open.push(0) > MAX_DEPTH) throw tooDeep();
    if (!opens && unit !== COMMA) continue;
    // An item begins.
    nodes += 1;
    nameNext = open.length === 1;
    const items = (open.pop() ?? 0) + 1;
    open.push(items);
    if (nodes > MAX_NODES || items > MAX_ITEMS) throw tooMuch();
  }
  return literals;
}

/** Returns the end of the text if the quote is not closed: then it is not JSON. */
function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}

function tooDeep(): ServiceError {
  return new ServiceError('malformed', `The JSON body must not be nested deeper than ${MAX_DEPTH} levels.`);
}

function tooMuch(): ServiceError {
  const message = `The JSON body must not hold more than ${MAX_NODES} values, or ${MAX_ITEMS} in one list or object.`;
  return new ServiceError('malformed', message);
}

/** @param literals names, one of which occurs twice */
function duplicate(literals: readonly string[]): ServiceError {
  const names = literals.map((literal) => JSON.parse(literal) as string);
  const field = names.find((name, at) => names.indexOf(name) < at) ?? '';
  return failed([{ field, code: 'invalid', message: `${field} was sent twice.` }]);
}
