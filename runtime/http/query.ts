// Reads `name=value&name=value`, as query strings and urlencoded forms write it.
import { ServiceError } from '../errors.js';
import { type Bag, createCollector } from './bag.js';

/** Throws `malformed` on a percent escape that is none or is not UTF-8, and past 1000 parameters. */
export function readPairs(text: string): Bag {
  const { bag, add } = createCollector();
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    const equals = text.indexOf('=', start);
    const middle = equals < 0 || equals > end ? end : equals;
    if (middle > start) add(decode(text.slice(start, middle)), decode(text.slice(middle + 1, end)));
    start = end + 1;
  }
  return bag;
}

function decode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
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
