// The opaque cursor of a list: where an earlier page ended, in the requested order (D23).
import type { Scalar } from '../../definition.js';
import { failed } from '../../errors.js';

/** The text of a cursor that continues after the item with these values in the list's order, its id last. */
export function encodeCursor(order: string, values: readonly Scalar[]): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
}

/** The values of a cursor of columns of these types; throws invalid for any text that is not a cursor of this order. */
export function decodeCursor(
  order: string,
  types: readonly ('string' | 'number')[],
  cursor: string,
): readonly Scalar[] {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed.length !== types.length + 1 || parsed[0] !== order) throw badCursor();
  const values: unknown[] = parsed.slice(1);
  if (!types.every((type, at) => isOf(type, values[at]))) throw badCursor();
  return values as Scalar[];
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

/** No stored text contains U+0000, and every stored number is whole. */
function isOf(type: 'string' | 'number', value: unknown): boolean {
  if (value === null) return true;
  return type === 'string' ? typeof value === 'string' && !value.includes('\0') : Number.isSafeInteger(value);
}

function badCursor() {
  return failed([{ field: '_cursor', code: 'invalid', message: '_cursor does not come from this list' }]);
}
