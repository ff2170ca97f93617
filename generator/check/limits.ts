// Whether the limits of a field are themselves right. What does not fit wrong limits is not reported: one slip gives one
// diagnostic (N19).
import { plain } from '../../runtime/schema/sql-text.js';
import type { RawField } from '../language/language.js';
import { kindOf } from '../model/kinds/kinds.js';

/** No text is longer: it has to be one value in memory. */
export const MOST_CHARACTERS = 100_000_000;

/** Whether a limit has a form that the kind cannot have. */
export function isMalformedLimit(field: RawField, limit: number): boolean {
  return kindOf(field).fractional ? tooFine(limit, field.scale ?? 2) !== null : !Number.isInteger(limit);
}

/** Numbers in YAML are exact to 15 digits, and no value can have more digits after the point than the scale. */
export function tooFine(limit: number, scale: number): string | null {
  const [whole = '', fraction = ''] = plain(Math.abs(limit)).split('.');
  if ((whole + fraction).replace(/^0+/, '').length > 15) return 'has more than 15 digits';
  return fraction.length > scale ? `has more digits after the point than its scale, ${scale}` : null;
}

/** Whether one of the limits, as it is written, is one that no field of the kind can have. */
export function hasWrongLimit(field: RawField): boolean {
  const { leastLimits } = kindOf(field);
  return (['min', 'max'] as const).some((key) => {
    const limit = field[key];
    if (limit === undefined) return false;
    const isOutside = leastLimits !== null && (limit < leastLimits[key] || limit > MOST_CHARACTERS);
    return isOutside || isMalformedLimit(field, limit);
  });
}

/** Whether no value can satisfy the limits, which has a diagnostic of its own. */
export function excludesAll(field: RawField): boolean {
  const { limits } = kindOf(field);
  if (hasWrongLimit(field)) return true;
  const { min, max } = limits(field) ?? { min: 0, max: 0 };
  return min > max;
}
