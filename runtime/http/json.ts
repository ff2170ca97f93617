// Reads a JSON object as a bag of parameters: one level of names, no name twice, a bounded depth.
import { failed, ServiceError } from '../errors.js';
import { type Bag, checkCount, emptyBag } from './bag.js';

const MAX_DEPTH = 32;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws `malformed` for what is no object or is nested too deeply, `invalid` for a name given twice (D10). */
export function readJson(text: string): Bag {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('malformed', 'The JSON body must be an object of parameters.');
  }
  checkShape(text);
  const bag = emptyBag();
  const names = Object.keys(value);
  checkCount(names.length);
  for (const name of names) bag[name] = (value as Bag)[name];
  return bag;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('malformed', 'The body is not JSON.');
  }
}

/** `text` is known to be a JSON object, so brackets match and a string after `{` or `,` at the top is a name. */
function checkShape(text: string): void {
  const names = new Set<string>();
  let depth = 0;
  let nameNext = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = closingQuote(text, at);
      if (nameNext) addName(names, text.slice(at, end + 1));
      nameNext = false;
      at = end;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new ServiceError('malformed', `The JSON body must not be nested deeper than ${MAX_DEPTH} levels.`);
      }
      nameNext = depth === 1;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) depth -= 1;
    else if (unit === COMMA) nameNext = depth === 1;
  }
}

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function addName(names: Set<string>, literal: string): void {
  const name = JSON.parse(literal) as string;
  if (names.has(name)) throw failed([{ field: name, code: 'invalid', message: `${name} was given twice.` }]);
  names.add(name);
}
