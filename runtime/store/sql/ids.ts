// The parameters with which statements find one record.
import { placementOf } from '../../contract/ids.js';

/** The values of `@id` and of its `@placement`. */
export function idOf(id: string): { readonly placement: string; readonly id: string } {
  // PostgreSQL refuses U+0000 in any text. No id contains it or its replacement.
  const text = id.includes('\0') ? id.replaceAll('\0', '\u0001') : id;
  return { placement: placementOf(text), id: text };
}
