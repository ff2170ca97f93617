// The columns that a field is kept in.

import type { RawField, ShortIdentity } from './language.js';

/** `top` is top_id and has_proofed_top; a computed field has none. */
export function columnsOf(name: string, field: RawField): readonly string[] {
  if (field.kind === 'computed') return [];
  if (field.kind === 'reference' || field.kind === 'file') return [`${name}_id`];
  if (field.kind !== 'image') return [name];
  return field.proof === false ? [`${name}_id`] : [`${name}_id`, `has_proofed_${name}`];
}

/** The column of the field's value: references keep an id. */
export function columnOf(name: string, field: RawField | undefined): string {
  return (field === undefined ? undefined : columnsOf(name, field)[0]) ?? name;
}

/** The keys of the resource that stand for this field; null where it is written as a field. */
export function shortOf(field: RawField | undefined): ShortIdentity | null {
  return field?.kind === 'enum' ? (field.short ?? null) : null;
}
