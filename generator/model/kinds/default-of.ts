// The single interpretation of `default`: a literal, or a value computed when a record is created.

import type { Fill } from '../../../runtime/schema/schema.js';
import type { RawField, RawResource } from '../../language/language.js';
import type { FieldKind } from './kind.js';

export type DefaultOf =
  | { readonly is: 'none' }
  | { readonly is: 'literal'; readonly value: unknown }
  | { readonly is: 'session.user' | 'upload.name' }
  | { readonly is: 'copied'; readonly path: readonly [reference: string, field: string] };

export type FillSource =
  | Extract<DefaultOf, { is: 'none' | 'literal' }>
  | CopiedFill
  | { readonly is: 'joined'; readonly fields: readonly string[]; readonly with: string }
  | { readonly is: 'by_function'; readonly function: string };

/** Copied from the row itself if there is no reference; only a part of a text if there is a part. */
export interface CopiedFill {
  readonly is: 'copied';
  readonly key: 'copy' | 'words';
  readonly reference: string | null;
  readonly field: string;
  readonly part?: 'first' | 'rest';
}

/** A map with exactly these keys names the source of the value, even for a JSON field, which could hold such a map. */
export function readFill({ fill }: RawField): FillSource {
  if (fill === undefined) return { is: 'none' };
  const { copy, words, part, join, with: between, function: by } = (fill ?? {}) as Readonly<Record<string, unknown>>;
  const keys =
    typeof fill === 'object'
      ? Object.keys(fill ?? {})
          .sort()
          .join()
      : '';
  if (keys === 'copy' && typeof copy === 'string') return { is: 'copied', key: 'copy', ...sourceOf(copy) };
  if (keys === 'part,words' && typeof words === 'string' && (part === 'first' || part === 'rest')) {
    return { is: 'copied', key: 'words', ...sourceOf(words), part };
  }
  if (keys === 'join,with' && isNames(join) && typeof between === 'string') {
    return { is: 'joined', fields: join, with: between };
  }
  if (keys === 'function' && typeof by === 'string' && FUNCTION_NAME.test(by))
    return { is: 'by_function', function: by };
  return { is: 'literal', value: fill };
}

const FUNCTION_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

function sourceOf(path: string): Pick<CopiedFill, 'reference' | 'field'> {
  const [reference = null, field = path] = pathOf(path) ?? [];
  return { reference, field };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 1 && value.every((one) => typeof one === 'string');
}

/** The columns that fill existing rows, unless a literal does. @param column the column of a field of that kind */
export function fillColumns(
  field: RawField,
  { fields }: RawResource,
  column: (field: string) => string = (name) => name,
): { readonly fill?: Fill } {
  const fill = readFill(field);
  if (fill.is === 'joined') return { fill: { join: fill.fields, with: fill.with } };
  if (fill.is !== 'copied') return {};
  const { reference, part } = fill;
  const through = reference === null ? null : { column: `${reference}_id`, table: fields.get(reference)?.to ?? '' };
  return { fill: { column: column(fill.field), ...(through && { through }), ...(part && { part }) } };
}

const PATH = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/;

/** `game` and `name` of the text `game.name`; null if it is not such a path. */
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
  // A word that the kind does not accept is still read as a word: a rule reports which words it accepts.
  if (defaultWords.length > 0 && (value === 'session.user' || value === 'upload.name')) return { is: value };
  const path = copiesDefaults ? pathOf((value as { readonly copy?: unknown } | null)?.copy) : null;
  return path === null ? { is: 'literal', value } : { is: 'copied', path };
}
