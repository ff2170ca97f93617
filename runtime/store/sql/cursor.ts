// The opaque cursor of a list: where an earlier page ended, in the requested order (D23).
import type { Scalar } from '../../definition.js';
import { failed } from '../../errors.js';

/** The text of a cursor that continues after the item with these values in the list's order, its id last. */
export function encodeCursor(order: string, values: readonly Scalar[]): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
}

/** The values of a cursor of `count` columns; throws invalid for any text that is not a cursor of this order. */
export function decodeCursor(order: string, count: number, cursor: string): readonly Scalar[] {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed.length !== count + 1 || parsed[0] !== order) throw badCursor();
  const values = parsed.slice(1);
  if (!values.every(isScalar)) throw badCursor();
  return values;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

function badCursor() {
  return failed([{ field: '_cursor', code: 'invalid', message: '_cursor does not come from this list' }]);
}
