// Computes the fingerprint by which a finding is accepted: a hash of its rule, place and values, but not of wording or order.

import { createHash } from 'node:crypto';
import type { Draft } from './report.js';

/** @returns twelve hex digits, the same on every machine and in every version that has the rule */
export function fingerprint({
  part,
  rule,
  place,
  from,
  to,
}: Pick<Draft, 'part' | 'rule' | 'place' | 'from' | 'to'>): string {
  const text = JSON.stringify(sorted([part, rule, place, from ?? null, to ?? null]));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The keys of a map have no order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
