// The parameters that many operations share, with their limits. What they mean is said in the API document.

import type { JsonSchema } from './model.js';

/** What operations share, by name: where it is sent, and its limits. */
export const SHARED_PARAMETERS = {
  id: { in: 'path', schema: { type: 'string' } },
  _include_related_objects: { in: 'query', schema: { type: 'array', items: { type: 'string' } } },
  _include_relationships: { in: 'query', schema: { type: 'string' } },
  _use_this_id: { in: 'query', schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,63}$' } },
  _page_number: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 1 } },
  _items_per_page: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
  _sort_order: { in: 'query', schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
  _cursor: { in: 'query', schema: { type: 'string' } },
  'Idempotency-Key': { in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' } },
} as const satisfies Readonly<
  Record<string, { readonly in: 'path' | 'query' | 'header'; readonly schema: JsonSchema }>
>;

export type SharedParameter = keyof typeof SHARED_PARAMETERS;

/** Terms of an order, and records of a bulk create. */
export const MOST_ORDER_TERMS = 4;
export const MOST_OF_BULK = 100;
