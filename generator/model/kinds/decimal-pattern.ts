// The regular expression that matches exactly the decimal texts between two limits: no leading zeros, at most `scale` digits
// after the point, a sign only for numbers below 0.

import toRegexRange from 'to-regex-range';
import { plain } from '../../../runtime/schema/sql-text.js';
import type { Limits } from './kind.js';

/** @param scale digits after the point; the limits have no more */
export function decimalPattern({ min, max }: Limits, scale: number): string {
  const branches = [
    ...(min < 0
      ? between(max < 0 ? partsOf(-max, scale) : smallest(scale), partsOf(-min, scale), scale).map(negative)
      : []),
    ...(max >= 0 ? between(partsOf(Math.max(min, 0), scale), partsOf(max, scale), scale) : []),
  ];
  return `^(?:${branches.join('|')})$`;
}

/** A non-negative decimal: its whole part, and its digits after the point as a number of `scale` digits. */
interface DecimalParts {
  readonly whole: number;
  readonly fraction: number;
}

function partsOf(value: number, scale: number): DecimalParts {
  const [whole = '', fraction = ''] = plain(value).split('.');
  return { whole: Number(whole), fraction: Number(fraction.padEnd(scale, '0') || '0') };
}

function smallest(scale: number): DecimalParts {
  return scale === 0 ? { whole: 1, fraction: 0 } : { whole: 0, fraction: 1 };
}

const negative = (pattern: string): string => `-${pattern}`;

function between(low: DecimalParts, high: DecimalParts, scale: number): readonly string[] {
  const most = 10 ** scale - 1;
  if (low.whole > high.whole) return [];
  if (low.whole === high.whole) return withFraction(String(low.whole), [low.fraction, high.fraction], scale);
  // Whole numbers with all their fractions within the limits form one range.
  const first = low.fraction === 0 ? low.whole : low.whole + 1;
  const last = high.fraction === most ? high.whole : high.whole - 1;
  return [
    ...(first > low.whole ? withFraction(String(low.whole), [low.fraction, most], scale) : []),
    ...(first <= last ? withFraction(wholes(first, last), [0, most], scale) : []),
    ...(last < high.whole ? withFraction(String(high.whole), [0, high.fraction], scale) : []),
  ];
}

function wholes(first: number, last: number): string {
  return `(?:${toRegexRange(first, last, { capture: false })})`;
}

/** Matches digits after the point that are in the range, as a number of `scale` digits; a text without any counts as 0. */
function withFraction(whole: string, [low, high]: readonly [number, number], scale: number): readonly string[] {
  if (scale === 0) return [whole];
  const most = 10 ** scale - 1;
  if (low === 0 && high === most) return [`${whole}(?:\\.[0-9]{1,${scale}})?`];
  if (low === 0 && high === 0) return [`${whole}(?:\\.0{1,${scale}})?`];
  const lengths = Array.from({ length: scale }, (_, index) => digitsOf(index + 1, [low, high], scale)).flat();
  const some = lengths.length === 0 ? [] : [`${whole}\\.(?:${lengths.join('|')})`];
  return [...(low === 0 ? [whole] : []), ...some];
}

/** Matches the fractions of `length` digits within the range. */
function digitsOf(length: number, [low, high]: readonly [number, number], scale: number): readonly string[] {
  const unit = 10 ** (scale - length);
  const [first, last] = [Math.ceil(low / unit), Math.floor(high / unit)];
  if (first > last) return [];
  const text = (value: number): string => String(value).padStart(length, '0');
  return [`(?:${toRegexRange(text(first), text(last), { capture: false })})`];
}
