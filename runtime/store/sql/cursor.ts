// The opaque cursor of a list: the end of an earlier page in the requested order, and the count of the first page (D23).
import type { Scalar } from '../../contract/definition.js';
import { failed } from '../../contract/errors.js';

/** The number of records that a list shows. */
export interface ListCount {
  readonly total: number;
  /** False: there may be more, since only the first records of a long list are counted. */
  readonly isComplete: boolean;
}

export interface Cursor {
  readonly counted: ListCount;
  /** Values of the last item in the list's order, its id last. */
  readonly values: readonly Scalar[];
}

/** The text of a cursor. @param order identifies the list and its order */
export function encodeCursor(order: string, { counted, values }: Cursor): string {
  const { total, isComplete } = counted;
  return Buffer.from(JSON.stringify([order, total, isComplete ? 1 : 0, ...values])).toString('base64url');
}

/** Throws invalid for a text that is not a cursor of this order with columns of these types. */
export function decodeCursor(order: string, types: readonly ('string' | 'number')[], cursor: string): Cursor {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed.length !== types.length + 3 || parsed[0] !== order) throw badCursor();
  const [total, complete, ...values] = parsed.slice(1) as unknown[];
  const isCount = Number.isSafeInteger(total) && Number(total) >= 0 && (complete === 0 || complete === 1);
  if (!isCount || !types.every((type, at) => isOf(type, values[at]))) throw badCursor();
  return { counted: { total: Number(total), isComplete: complete === 1 }, values: values as Scalar[] };
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
