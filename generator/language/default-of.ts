// What a `default` says: the one reading of it. A literal, or a value that is worked out when a record is made.
import type { RawField } from './language.js';

export type DefaultOf =
  | { readonly is: 'none' }
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'session.user' | 'upload.name' }
  | { readonly is: 'copied'; readonly path: readonly [reference: string, field: string] };

const PATH = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** On a text `<reference>.<field>` is copied; on other kinds it is a literal, which may not fit. */
export function defaultOf(field: RawField): DefaultOf {
  const value: unknown = 'default' in field ? field.default : undefined;
  if (value === undefined) return { is: 'none' };
  const source = field.kind === 'text' || field.kind === 'reference';
  if (source && (value === 'session.user' || value === 'upload.name')) return { is: value };
  const [, reference, of] = field.kind === 'text' && typeof value === 'string' ? (PATH.exec(value) ?? []) : [];
  return reference === undefined || of === undefined
    ? { is: 'literal', value }
    : { is: 'copied', path: [reference, of] };
}
