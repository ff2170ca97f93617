// Expands the short forms of fields: `side{n}` with `times`, `parent: true`, and a reference named after its target.

import { expandKind, type PlainMap, plain } from '../language/normalize.js';
import { kindsThat } from '../model/kinds/kinds.js';

export interface ExpandedForm {
  /** The keys without short forms; a repeated field without a number of times is left out. */
  readonly keys: PlainMap;
  readonly origins: Origins;
}

/** The short forms as written, to locate a mistake in the text. */
export interface Origins {
  /** The name as written of each repeated field: `side2` is `side{n}`. */
  readonly repeated: ReadonlyMap<string, string>;
  /** The reference with `parent: true`. */
  readonly parent: string | null;
}

/** The word that names the reference with `parent: true`. */
export const PARENT = 'parent';

/** @param merged the keys of a resource and its conventions */
export function writeOut(merged: PlainMap): ExpandedForm {
  const { fields, repeated } = repeat(plain(merged.fields));
  const references = mapEntries(fields, (field, name) =>
    isReference(field) ? { kind: field.kind, to: name, ...field } : field,
  );
  const parent = Object.keys(references).find((name) => isParent(references[name])) ?? null;
  const named = mapEntries(references, (field, name) => namingParent(asParent(field, name === parent), parent));
  const keys = { ...merged, fields: named, ...(parent === null ? {} : ofParent(merged, parent)) };
  return { keys, origins: { repeated, parent } };
}

const NUMBER = '{n}';

/** Whether the name of a field contains the place of a number. */
export function isRepeated(name: string): boolean {
  return name.includes(NUMBER);
}

/** Whether the name could be one that the repeated field expands to. */
export function couldExpandTo(name: string, repeated: string): boolean {
  const [before = '', after = ''] = repeated.split(NUMBER);
  return (
    name.startsWith(before) &&
    name.endsWith(after) &&
    /^\d+$/.test(name.slice(before.length, -after.length || undefined))
  );
}

/** The names that a repeated field expands to. */
export function repeatedNames(name: string, times: unknown): readonly string[] {
  return typeof times === 'number' ? numbers(times).map((n) => name.replaceAll(NUMBER, n)) : [];
}

/** A separate field with one of these names adds its keys to the repeated field's. */
function repeat(fields: PlainMap): {
  fields: Readonly<Record<string, PlainMap>>;
  repeated: ReadonlyMap<string, string>;
} {
  const repeated = new Map<string, string>();
  const all: Record<string, PlainMap> = {};
  for (const [name, written] of Object.entries(fields)) {
    const field = expandKind(written);
    if (!isRepeated(name)) {
      all[name] = { ...all[name], ...field };
      continue;
    }
    const { times, ...keys } = field;
    for (const n of typeof times === 'number' ? numbers(times) : []) {
      const one = name.replaceAll(NUMBER, n);
      repeated.set(one, name);
      all[one] = { ...plain(numbered(keys, n)), ...all[one] };
    }
  }
  return { fields: all, repeated };
}

function numbers(times: number): readonly string[] {
  return Array.from({ length: times }, (_, index) => String(index + 1));
}

/** The value with the number inserted in all its texts. */
function numbered(value: unknown, n: string): unknown {
  if (typeof value === 'string') return value.replaceAll(NUMBER, n);
  if (Array.isArray(value)) return value.map((item) => numbered(item, n));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [numbered(key, n), numbered(inner, n)]));
}

function isParent(field: PlainMap | undefined): boolean {
  return field !== undefined && isReference(field) && field.parent === true;
}

const OF_A_PARENT = { required: true, need: 'edit', on_delete: 'cascade', place: true, list: true } as const;

/** A second parent keeps the key, so that check reports it, and does not give placement. */
function asParent(field: PlainMap, first: boolean): PlainMap {
  if (!isReference(field)) return field;
  const { kind, to, parent, ...keys } = field;
  if (parent !== true) return { kind, to, ...keys };
  return { kind, to, ...OF_A_PARENT, ...(first ? keys : { place: false, ...keys, parent }) };
}

/** Expands `parent` and `parent.name` in the keys that accept the name of a reference. */
function namingParent(field: PlainMap, parent: string | null): PlainMap {
  const { copy, default: value, fill } = field;
  if (parent === null || (copy === undefined && value === undefined && fill === undefined)) return field;
  const paths = (['default', 'fill'] as const).flatMap((key) => {
    const source = plain(field[key]);
    const named = (['copy', 'words'] as const).filter((one) => typeof source[one] === 'string');
    const renamed = named.map((one) => [one, underParent(String(source[one]), parent)] as const);
    return renamed.length === 0 ? [] : [[key, { ...source, ...Object.fromEntries(renamed) }] as const];
  });
  return {
    ...field,
    ...(typeof field.copy === 'string' ? { copy: underParent(field.copy, parent) } : {}),
    ...Object.fromEntries(paths),
  };
}

function underParent(path: string, parent: string): string {
  return path.replace(/^parent(?=\.|$)/, parent);
}

function ofParent(merged: PlainMap, parent: string): PlainMap {
  const one = (name: unknown): unknown => (name === PARENT ? parent : name === `-${PARENT}` ? `-${parent}` : name);
  const all = (names: unknown): unknown => (Array.isArray(names) ? names.map(one) : names);
  const set = (one: unknown): unknown =>
    Array.isArray(one) ? all(one) : { ...plain(one), fields: all(plain(one).fields) };
  const { read, ...others } = plain(merged.access);
  const rights = Object.entries({ ...(read === undefined ? {} : { read }), edit: [PARENT], ...others });
  const clause = (written: unknown): unknown =>
    typeof written !== 'object' || written === null || 'member' in written
      ? one(written)
      : mapEntries(plain(written), one);
  return {
    access: Object.fromEntries(
      rights.map(([right, clauses]) => [right, Array.isArray(clauses) ? clauses.map(clause) : clauses]),
    ),
    ...(Array.isArray(merged.unique) ? { unique: merged.unique.map(set) } : {}),
    ...(Array.isArray(merged.order) ? { order: all(merged.order) } : {}),
  };
}

function mapEntries<T>(fields: Readonly<Record<string, T>>, to: (field: T, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, to(field, name)]));
}

const REFERENCES = kindsThat(({ refers }) => refers === 'named');

function isReference({ kind }: PlainMap): boolean {
  return REFERENCES.includes(String(kind));
}
