// A resource with the positions of its keys, in its own file or in that of its convention.
import type { YamlPosition } from '../diagnostics/diagnostic.js';
import { type Suggestion, suggestion } from '../diagnostics/suggest.js';
import { couldExpandTo, isRepeated, type Origins, PARENT } from '../form/short-forms.js';
import type { RawField, RawResource } from '../language/language.js';
import type { PlainMap } from '../language/normalize.js';
import type { Document, Pointer } from '../load/load.js';
import { shortOf } from '../model/kinds/kinds.js';

export interface Subject {
  readonly raw: RawResource;
  /** The keys of the resource and its conventions, without short forms, before fields are validated. */
  readonly merged: PlainMap;
  /** The same keys with their short forms. */
  readonly short: PlainMap;
  readonly origins: Origins;
  readonly document: Document;
  /** The conventions that it extends and that exist. */
  readonly conventions: readonly Convention[];
  /** Parts left out because they are malformed, as pointers joined by `/`. */
  readonly pruned: ReadonlySet<string>;
}

export interface Convention {
  readonly name: string;
  readonly keys: PlainMap;
  readonly document: Document;
}

/** The position of a key or value: in the resource's own file, or in a convention, or else of the nearest key there. */
export function at(subject: Subject, pointer: Pointer, which: 'key' | 'value' = 'value'): YamlPosition {
  const [first] = keyLocations(subject, pointer);
  if (first !== undefined) return first.document.locate(first.pointer, which);
  const owner =
    pointer[0] === 'fields' && pointer.length > 2 ? keyLocations(subject, pointer.slice(0, 2))[0] : undefined;
  if (owner !== undefined) return owner.document.locate([...owner.pointer, ...pointer.slice(2)], which);
  return subject.document.locate(writtenPointer(subject.raw, pointer), which);
}

export interface KeyLocation {
  readonly document: Document;
  readonly pointer: Pointer;
}

/** Where a key is written: in the resource's own file and in its conventions, or else the `parent: true` that implies it. */
export function keyLocations(subject: Subject, pointer: Pointer): readonly KeyLocation[] {
  const [first, name, ...rest] = pointer;
  const { repeated, parent } = subject.origins;
  const pattern = first === 'fields' ? repeated.get(String(name)) : undefined;
  const forms = [
    writtenPointer(subject.raw, pointer),
    ...(pattern === undefined ? [] : [['fields', pattern, ...rest]]),
  ];
  const locations = forms.flatMap((form) => find(subject, form));
  if (locations.length > 0) return locations;
  const isRight = first === 'access' && name === 'edit' && parent !== null;
  if (isRight) return find(subject, ['fields', parent, PARENT]);
  return first === 'fields' && rest.length === 1 ? find(subject, ['fields', name ?? '', PARENT]) : [];
}

function find({ document, conventions }: Subject, pointer: Pointer): readonly KeyLocation[] {
  return [
    ...(document.has(pointer) ? [{ document, pointer }] : []),
    ...conventions.flatMap((convention) => {
      const shared = ['conventions', convention.name, ...pointer];
      return convention.document.has(shared) ? [{ document: convention.document, pointer: shared }] : [];
    }),
  ];
}

/** The pointer as the author wrote it: `fields.identity` may be written as `identities`. */
export function writtenPointer({ fields }: RawResource, pointer: Pointer): Pointer {
  const [first, name, key, ...rest] = pointer;
  if (first !== 'fields' || shortOf(fields.get(String(name))) === null) return pointer;
  return key === 'default' ? ['default_identity'] : ['identities', ...(key === 'values' ? rest : [])];
}

/** The position of one of a field's `values`. */
export function placeOfValue(subject: Subject, field: string, value: string | number): YamlPosition {
  const { values = [], short } = subject.raw.fields.get(field) ?? {};
  const { identities, fields = {} } = subject.merged;
  const written = short === undefined ? (fields as Readonly<Record<string, RawField>>)[field]?.values : identities;
  return Array.isArray(written)
    ? at(subject, ['fields', field, 'values', values.indexOf(value)])
    : at(subject, ['fields', field, 'values', value], 'key');
}

/** Whether the part is malformed, so that rules cannot check it. */
export function isMalformed(subject: Subject, ...pointer: readonly string[]): boolean {
  const { pruned } = subject;
  return pruned.size > 0 && (pruned.has('*') || pruned.has(pointer.join('/')));
}

/** Whether `raw.fields` lacks fields that the author wrote. */
export function hasUnclearFields(subject: Subject): boolean {
  const written = Object.keys((subject.merged.fields ?? {}) as PlainMap).length;
  const clear = [...subject.raw.fields.values()].filter((field) => shortOf(field) === null).length;
  return (
    uncounted(subject).length > 0 ||
    written > clear ||
    [...subject.pruned].some((part) => part === '*' || /^fields(\/|$)/.test(part))
  );
}

/** A field by name, including those that every resource has; `unclear` if its own mistakes come first, null if there is none. */
export function fieldOf(subject: Subject, name: string): RawField | 'unclear' | null {
  const field = subject.raw.fields.get(name) ?? builtIn(name);
  if (field !== null) return field;
  const written = Object.hasOwn((subject.merged.fields ?? {}) as PlainMap, name);
  if (name === 'identity' && isMalformed(subject, 'identities')) return 'unclear';
  return written ||
    uncounted(subject).some((pattern) => couldExpandTo(name, pattern)) ||
    isMalformed(subject, 'fields') ||
    isMalformed(subject, 'fields', name) ||
    extendsUnknown(subject)
    ? 'unclear'
    : null;
}

/** Repeated fields whose number is unknown. */
function uncounted({ short, origins, pruned }: Subject): readonly string[] {
  const counted = new Set(origins.repeated.values());
  const malformed = [...pruned].flatMap((part) => (part.startsWith('fields/') ? [part.slice('fields/'.length)] : []));
  const written = Object.keys((short.fields ?? {}) as PlainMap).filter((name) => !counted.has(name));
  return [...malformed, ...written].filter(isRepeated);
}

function builtIn(name: string): RawField | null {
  return name === 'date_created' || name === 'date_updated' ? { kind: 'date' } : null;
}

/** The fields may be in a convention that does not exist. */
export function extendsUnknown({ raw, conventions }: Subject): boolean {
  return raw.extends.length > conventions.length;
}

/** The field that was probably meant: the one that had the name before, or one of `names` that is similar. */
export function suggestField({ raw }: Subject, word: string, names: Iterable<string>): Suggestion | null {
  const [renamed, ...others] = [...raw.fields].filter(([, { was }]) => was === word);
  if (renamed !== undefined && others.length === 0) return { word, name: renamed[0], isCertain: true };
  return suggestion(word, names);
}

/** Candidates for a misspelt name where a field is expected. */
export function fieldNames(subject: Subject): string[] {
  return [...subject.raw.fields.keys()];
}
