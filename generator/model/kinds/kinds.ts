// The table of field kinds, and functions over all of them. A new kind is one file and one row here.

import { FIELD_KEYS, type FieldKeyName } from '../../language/field-keys.js';
import type { RawField, RawResource, RawSpec, ShortIdentity } from '../../language/language.js';
import { withDeprecation } from '../deprecation.js';
import { boolean } from './boolean.js';
import { computed } from './computed.js';
import { date } from './date.js';
import { day } from './day.js';
import { decimal } from './decimal.js';
import { type DefaultOf, readDefault } from './default-of.js';
import { enumeration } from './enum.js';
import { file } from './file.js';
import { image } from './image.js';
import { integer } from './integer.js';
import { json } from './json.js';
import type { FieldKind, FieldParts } from './kind.js';
import { password } from './password.js';
import { reference } from './reference.js';
import { text } from './text.js';
import { token } from './token.js';
import { url } from './url.js';

/** By name, in the order of the language page. */
const TABLE: Readonly<Record<string, FieldKind>> = {
  text,
  integer,
  decimal,
  boolean,
  date,
  day,
  enum: enumeration,
  url,
  json,
  reference,
  image,
  file,
  computed,
  password,
  token,
};

/** Every kind of field. */
export const KINDS: readonly string[] = Object.keys(TABLE);
/** Kinds that a parameter of an action may have. */
export const PARAMETER_KINDS = kindsThat(({ refers, keys }) => refers === null && keys.includes('required'));

/** Kinds that an attribute of the catalogue may have: flags, and values that every wire profile writes alike. */
export const ATTRIBUTE_KINDS = kindsThat(
  ({ copyable, structured, grants }) => copyable || structured || grants === 'when_true',
);

/** The kind of a field. */
export function kindOf({ kind }: Pick<RawField, 'kind'>): FieldKind {
  const row = TABLE[kind];
  if (row === undefined) throw new Error(`a field of the unknown kind ${kind} passed the checks`);
  return row;
}

/** What a field of the kind is, in Markdown; empty if there is no such kind. */
export function kindDescription(kind: string): string {
  return TABLE[kind]?.makes ?? '';
}

/** Names of the kinds for which `fits` is true. */
export function kindsThat(fits: (kind: FieldKind) => boolean): readonly string[] {
  return Object.entries(TABLE).flatMap(([name, kind]) => (fits(kind) ? [name] : []));
}

/** The kinds whose fields may have the key. */
export function kindsWith(key: string): readonly string[] {
  return kindsThat(({ keys }) => keys.includes(key as FieldKeyName));
}

/** The keys that a field of `kind` may have, including `kind` itself. */
export function keysOfKind(kind: string): readonly string[] {
  return KEYS_BY_KIND.get(kind) ?? ['kind'];
}

/** Computed once, because every field of a spec is checked against them. */
const KEYS_BY_KIND: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TABLE).map(([name, { keys }]) => {
    const ordered = (Object.keys(FIELD_KEYS) as FieldKeyName[]).filter((key) => keys.includes(key));
    return [name, ['kind', ...ordered]];
  }),
);

/** The keys that a field of `kind` must have. */
export function neededKeys(kind: string): readonly string[] {
  return TABLE[kind]?.needs ?? [];
}

/** A field with the keys that apply to its kind; null if rules cannot check it. */
export function toField(keys: Readonly<Record<string, unknown>>): RawField | null {
  const kind = typeof keys.kind === 'string' ? keys.kind : '';
  const complete = TABLE[kind] !== undefined && neededKeys(kind).every((key) => keys[key] !== undefined);
  if (!complete) return null;
  const allowed = keysOfKind(kind);
  return Object.fromEntries(Object.entries(keys).filter(([key]) => allowed.includes(key))) as unknown as RawField;
}

/** The columns that store a field: `top` is top_id and has_proofed_top; a computed field has none. */
export function columnsOf(name: string, field: RawField): readonly string[] {
  return kindOf(field).columns(name, field);
}

/** The column of the field's value: references store an id. */
export function columnOfField(name: string, field: RawField | undefined): string {
  return (field === undefined ? undefined : columnsOf(name, field)[0]) ?? name;
}

/** The shorthand keys of the resource that declare this field; null if it is written as a field. */
export function shortOf(field: RawField | undefined): ShortIdentity | null {
  return field?.short ?? null;
}

/** The interpreted `default` of a field. */
export function defaultOfField(field: RawField): DefaultOf {
  return readDefault(field, kindOf(field));
}

/** Whether a stored record may be without a value of the field. */
export function mayBeEmpty(field: RawField): boolean {
  return kindOf(field).mayBeEmpty(field);
}

/** Who sees a field: its own `view`, or its kind's. */
export function viewerOf(field: RawField): string {
  return field.view ?? kindOf(field).view;
}

/** The resource that a field refers to; undefined if it does not. @param uploads name of the resource that stores uploads */
export function targetName(field: RawField, uploads: string | undefined): string | undefined {
  return kindOf(field).refers === 'upload' ? uploads : field.to;
}

/** @returns the columns, parameters, properties, references and lists to which the field `name` expands */
export function expand(name: string, field: RawField, place: { spec: RawSpec; resource: RawResource }): FieldParts {
  return withDeprecation(kindOf(field).expand(name, field, { ...place, kindOf }), field);
}
