// Reads a JSON object as parameters: no duplicate names, limited depth and number of values.
import { failed, ServiceError } from '../contract/errors.js';
import { checkCount, emptyParameters, type RawParameters } from './raw-parameters.js';

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
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('malformed', 'The JSON body must be an object of parameters.');
  }
  const names = Object.keys(value);
  if (names.length < literals.length) throw duplicate(literals);
  const parameters = emptyParameters();
  checkCount(names.length);
  for (const name of names) parameters[name] = (value as RawParameters)[name];
  return parameters;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('malformed', 'The body is not JSON.');
  }
}

/** Checks depth, items and values against their limits. @returns the literals that are names if the text is an object */
function measure(text: string): readonly string[] {
  const literals: string[] = [];
  const open: number[] = [];
  let nodes = 0;
  let nameNext = false;
  const item = () => {
    nodes += 1;
    nameNext = open.length === 1;
    const items = (open.pop() ?? 0) + 1;
    open.push(items);
    if (nodes > MAX_NODES || items > MAX_ITEMS) throw tooMuch();
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = closingQuote(text, at);
      if (nameNext) literals.push(text.slice(at, end + 1));
      nameNext = false;
      at = end;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      if (open.push(0) > MAX_DEPTH) throw tooDeep();
      item();
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) open.pop();
    else if (unit === COMMA) item();
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
