// The single interpretation of `default`: a literal, or a value computed when a record is created.

import type { RawField } from '../../language/language.js';
import type { FieldKind } from './kind.js';

export type DefaultOf =
  | { readonly is: 'none' }
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'session.user' | 'upload.name' }
  | { readonly is: 'copied'; readonly path: readonly [reference: string, field: string] };

const PATH = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** On kinds that do not copy defaults, `<reference>.<field>` is a literal, which may not fit. */
export function readDefault(
  { default: value }: RawField,
  { defaultWords, copiesDefaults }: Pick<FieldKind, 'defaultWords' | 'copiesDefaults'>,
): DefaultOf {
  if (value === undefined) return { is: 'none' };
  // A word that the kind does not accept is still a word: a rule reports which ones it accepts.
  if (defaultWords.length > 0 && (value === 'session.user' || value === 'upload.name')) return { is: value };
  const [, reference, field] = copiesDefaults && typeof value === 'string' ? (PATH.exec(value) ?? []) : [];
  return reference === undefined || field === undefined
    ? { is: 'literal', value }
    : { is: 'copied', path: [reference, field] };
}
