// What a `default` says: the one reading of it. A literal, or a value that is worked out when a record is made.

import type { RawField } from '../../language/language.js';
import type { FieldKind } from './kind.js';

export type DefaultOf =
  | { readonly is: 'none' }
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'session.user' | 'upload.name' }
  | { readonly is: 'copied'; readonly path: readonly [reference: string, field: string] };

const PATH = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** On other kinds than those that copy, `<reference>.<field>` is a literal, which may not fit. */
export function readDefault(
  { default: value }: RawField,
  { defaultWords, copiesDefaults }: Pick<FieldKind, 'defaultWords' | 'copiesDefaults'>,
): DefaultOf {
  if (value === undefined) return { is: 'none' };
  // A word that the kind does not take is still meant as one: a rule says which it takes.
  if (defaultWords.length > 0 && (value === 'session.user' || value === 'upload.name')) return { is: value };
  const [, reference, field] = copiesDefaults && typeof value === 'string' ? (PATH.exec(value) ?? []) : [];
  return reference === undefined || field === undefined
    ? { is: 'literal', value }
    : { is: 'copied', path: [reference, field] };
}
