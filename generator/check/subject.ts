// A resource with the positions of its keys, in its own file or in that of its convention.
import type { Place } from '../diagnostics/diagnostic.js';
import type { RawField, RawResource } from '../language/language.js';
import type { Plain } from '../language/normalize.js';
import type { Document, Pointer } from '../load/load.js';
import { shortOf } from '../model/kinds/kinds.js';

export interface Subject {
  readonly raw: RawResource;
  /** The merged keys before fields are judged. */
  readonly merged: Plain;
  readonly document: Document;
  readonly convention: { readonly name: string; readonly document: Document } | null;
  /** Parts left out for their wrong form, as pointers joined by `/`. */
  readonly pruned: ReadonlySet<string>;
}

/** The position of a key or value: in the resource's own file, or its convention, or else of the nearest thing in its own file. */
export function at(subject: Subject, field: Pointer, which: 'key' | 'value' = 'value'): Place {
  const { document, convention } = subject;
  const pointer = asWritten(subject.raw, field);
  if (convention !== null && !document.has(pointer)) {
    const shared = ['conventions', convention.name, ...pointer];
    if (convention.document.has(shared)) return convention.document.locate(shared, which);
  }
  return document.locate(pointer, which);
}

/** The pointer as the author wrote it: `fields.identity` may be written as `identities`. */
export function asWritten({ fields }: RawResource, pointer: Pointer): Pointer {
  const [first, name, key, ...rest] = pointer;
  if (first !== 'fields' || shortOf(fields.get(String(name))) === null) return pointer;
  return key === 'default' ? ['default_identity'] : ['identities', ...(key === 'values' ? rest : [])];
}

/** The position of one of a field's `values`. */
export function placeOfValue(subject: Subject, field: string, value: string | number): Place {
  const { values = [], short } = subject.raw.fields.get(field) ?? {};
  const { identities, fields = {} } = subject.merged;
  const written = short === undefined ? (fields as Readonly<Record<string, RawField>>)[field]?.values : identities;
  return Array.isArray(written)
    ? at(subject, ['fields', field, 'values', values.indexOf(value)])
    : at(subject, ['fields', field, 'values', value], 'key');
}

/** True if the part is malformed, so that rules cannot judge it. */
export function isPruned(subject: Subject, ...pointer: readonly string[]): boolean {
  return subject.pruned.has('*') || subject.pruned.has(pointer.join('/'));
}

/** True when fields are missing from `raw.fields` that the author wrote. */
export function hasUnclearFields(subject: Subject): boolean {
  const written = Object.keys((subject.merged.fields ?? {}) as Plain).length;
  const clear = [...subject.raw.fields.values()].filter((field) => shortOf(field) === null).length;
  return written > clear || [...subject.pruned].some((part) => part === '*' || /^fields(\/|$)/.test(part));
}

/** A field by name, including those every resource has; `unclear` if its own mistakes come first, null if there is none. */
export function fieldOf(subject: Subject, name: string): RawField | 'unclear' | null {
  const field = subject.raw.fields.get(name) ?? builtIn(name);
  if (field !== null) return field;
  const written = Object.hasOwn((subject.merged.fields ?? {}) as Plain, name);
  if (name === 'identity' && isPruned(subject, 'identities')) return 'unclear';
  return written || isPruned(subject, 'fields') || isPruned(subject, 'fields', name) || extendsUnknown(subject)
    ? 'unclear'
    : null;
}

function builtIn(name: string): RawField | null {
  return name === 'date_created' || name === 'date_updated' ? { kind: 'date' } : null;
}

/** The fields may be in a convention that does not exist. */
function extendsUnknown({ raw, convention }: Subject): boolean {
  return raw.extends !== undefined && convention === null;
}

/** Candidates for a misspelt name where a field is expected. */
export function fieldNames(subject: Subject): string[] {
  return [...subject.raw.fields.keys()];
}
