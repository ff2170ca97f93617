// The single interpretation of `default`: a literal, or a value computed when a record is created.

import type { RawField } from '../../language/language.js';
import type { FieldKind } from './kind.js';

export type DefaultOf =
  | { readonly is: 'none' }
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'session.user' | 'upload.name' }
  | { readonly is: 'copied'; readonly path: readonly [reference: string, field: string] };

export type FillSource =
  | Extract<DefaultOf, { is: 'none' | 'literal' }>
  /** Without a reference, of the row itself. */
  | { readonly is: 'copied'; readonly reference: string | null; readonly field: string };

/** A map with `copy` alone is no value of a kind that a default can be of, but JSON, whose schema judges it. */
export function readFill({ fill }: RawField): FillSource {
  if (fill === undefined) return { is: 'none' };
  const copy = isCopy(fill) ? fill.copy : null;
  const [reference = null, field = copy] = pathOf(copy) ?? [];
  return field === null ? { is: 'literal', value: fill } : { is: 'copied', reference, field };
}

function isCopy(fill: unknown): fill is { readonly copy: string } {
  const keys = typeof fill === 'object' && fill !== null ? Object.keys(fill) : [];
  return keys.join() === 'copy' && typeof (fill as { copy: unknown }).copy === 'string';
}

const PATH = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** `game` and `name` of the text `game.name`; null: it is not such a path. */
export function pathOf(text: unknown): readonly [reference: string, field: string] | null {
  const [, reference, field] = typeof text === 'string' ? (PATH.exec(text) ?? []) : [];
  return reference === undefined || field === undefined ? null : [reference, field];
}

/** On kinds that do not copy defaults, `{ copy: … }` is a literal, which may not fit. */
export function readDefault(
  { default: value }: RawField,
  { defaultWords, copiesDefaults }: Pick<FieldKind, 'defaultWords' | 'copiesDefaults'>,
): DefaultOf {
  if (value === undefined) return { is: 'none' };
  // A word that the kind does not accept is still a word: a rule reports which ones it accepts.
  if (defaultWords.length > 0 && (value === 'session.user' || value === 'upload.name')) return { is: value };
  const path = copiesDefaults ? pathOf((value as { readonly copy?: unknown } | null)?.copy) : null;
  return path === null ? { is: 'literal', value } : { is: 'copied', path };
}
