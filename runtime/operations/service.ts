// Parameters that every operation accepts, and the names that are ignored.
import type { Parameters } from './call.js';

const SERVICE: ReadonlySet<string> = new Set([
  'session_id',
  '_include_related_objects',
  '_include_relationships',
  '_page_number',
  '_items_per_page',
  '_order_by',
  '_sort_order',
  '_cursor',
]);

const NONE: readonly string[] = [];

/** True for a parameter that belongs to the service, for every resource. */
export function isService(name: string): boolean {
  return SERVICE.has(name);
}

/** Names of parameters that neither the service nor `known` includes (D19). */
export function unknownNames(parameters: Parameters, known: readonly string[] = NONE): readonly string[] {
  const names = Object.keys(parameters);
  if (names.length === 0) return NONE;
  return names.filter((name) => !SERVICE.has(name) && !known.includes(name));
}
