// Turns one ajv error into a diagnostic, by a table of keywords, and leaves out the malformed part, so that the rules can check
// the rest.

import type { ErrorObject } from 'ajv';
import { isMap } from '../../runtime/contract/is-map.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { type Suggestion, suggestion } from '../diagnostics/suggest.js';
import { EVENT_NAME, NAME_FORM } from '../language/keywords.js';
import type { PlainMap } from '../language/normalize.js';
import type { Document, Pointer } from '../load/load.js';
import type { FileKind } from './structure.js';

type ToDiagnostic = (document: Document, error: ErrorObject, pointer: Pointer) => Diagnostic;

/** Empty if the schema of the language does not use the keyword. */
export function formDiagnostic(document: Document, error: ErrorObject): Diagnostic[] {
  const make = BY_KEYWORD[error.keyword];
  return make === undefined ? [] : [make(document, error, pointerOf(error))];
}

/** The key that an unknown key was probably meant to be; null if none is close, or for any other error. */
export function suggestKey({ keyword, params, parentSchema }: ErrorObject): Suggestion | null {
  if (keyword !== 'additionalProperties') return null;
  return suggestion(String(params.additionalProperty), Object.keys((parentSchema?.properties ?? {}) as object));
}

/** Words that YAML 1.1 reads as booleans and YAML 1.2 as text. */
const BOOLEAN_WORDS: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['no', 'false'],
  ['off', 'false'],
]);

const outOfRange: ToDiagnostic = (document, error, pointer) => {
  const side = error.keyword === 'minimum' ? 'at least' : 'at most';
  return diagnostic('E0205', document.locate(pointer), {
    what: label(pointer),
    limit: `${side} ${error.params.limit}`,
  });
};

const badForm: ToDiagnostic = (document, error, pointer) => {
  if (error.propertyName !== undefined) {
    const place = document.locate([...pointer, error.propertyName], 'key');
    const form = error.parentSchema?.pattern === EVENT_NAME.pattern ? EVENT_NAME.title : NAME_FORM;
    return diagnostic('E0209', place, { name: JSON.stringify(error.propertyName), where: where(pointer), form });
  }
  return diagnostic('E0206', document.locate(pointer), {
    what: label(pointer),
    form: titleOf(error) ?? 'a shorter text',
    value: excerptOf(error.data),
  });
};

const empty: ToDiagnostic = (document, _, pointer) =>
  diagnostic('E0207', document.locate(pointer), { what: label(pointer) });

/** Keys of a resource that are reserved for later versions: to join two resources, and to list changes. */
const RESERVED_KEYS: readonly string[] = ['merge', 'changes'];

const BY_KEYWORD: Readonly<Record<string, ToDiagnostic>> = {
  additionalProperties(document, error, pointer) {
    const key = String(error.params.additionalProperty);
    const place = document.locate([...pointer, key], 'key');
    if (pointer.length === 0 && RESERVED_KEYS.includes(key)) return diagnostic('E0218', place, { key });
    return diagnostic('E0201', place, { key, where: where(pointer) }, suggestKey(error));
  },
  type(document, error, pointer) {
    const holes = {
      what: label(pointer),
      expected: titleOf(error) ?? [error.params.type].flat().map(typeWord).join(' or '),
      found: describeValue(error.data),
    };
    const word = typeof error.data === 'string' ? error.data : '';
    const name = [error.params.type].flat().includes('boolean') ? BOOLEAN_WORDS.get(word) : undefined;
    const suggested = name === undefined ? null : { word, name, isCertain: true };
    return diagnostic('E0202', document.locate(pointer), holes, suggested);
  },
  enum(document, error, pointer) {
    const allowed = (error.params.allowedValues as unknown[]).map(String);
    const nearest = typeof error.data === 'string' ? suggestion(error.data, allowed) : null;
    const holes = { what: label(pointer), value: excerptOf(error.data), allowed: allowed.join(', ') };
    return diagnostic('E0203', document.locate(pointer), holes, nearest);
  },
  required(document, error, pointer) {
    const holes = { key: String(error.params.missingProperty), where: where(pointer) };
    return diagnostic('E0204', document.locate(pointer, 'key'), holes);
  },
  uniqueItems(document, error, pointer) {
    const item = Math.max(Number(error.params.i), Number(error.params.j));
    return diagnostic('E0208', document.locate([...pointer, item]), { what: label(pointer) });
  },
  minimum: outOfRange,
  maximum: outOfRange,
  pattern: badForm,
  format: badForm,
  maxLength: badForm,
  minLength: empty,
  minItems: empty,
  minProperties: empty,
};

function label(pointer: Pointer): string {
  const last = pointer.at(-1);
  if (last === undefined) return 'the file';
  return /^\d+$/.test(String(last)) ? `an item of "${pointer.at(-2)}"` : `"${last}"`;
}

function where(pointer: Pointer): string {
  return pointer.length === 0 ? '' : ` in ${pointer.join('.')}`;
}

function titleOf(error: ErrorObject): string | null {
  const title: unknown = error.parentSchema?.title;
  return typeof title === 'string' ? title : null;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'null',
};

function typeWord(type: unknown): string {
  return TYPE_WORDS[String(type)] ?? String(type);
}

/** The description of a value: `text`, `the number 5`, `a list`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'number' ? `the number ${value}` : typeof value === 'string' ? 'text' : String(value);
}

/** A value as it was written, shortened if it is long. */
export function excerptOf(value: unknown): string {
  return typeof value === 'string' ? `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"` : describeValue(value);
}

/** Maps with independent entries: one malformed field does not remove the others. */
const ENTRIES: ReadonlySet<unknown> = new Set(['fields', 'access', 'actions', 'operations', 'paths', 'events']);

/** The value without the malformed parts, and their pointers joined by `/`. */
export function prune(
  value: PlainMap,
  kind: FileKind,
  culprits: readonly Pointer[],
): { value: PlainMap; pruned: Set<string> } {
  const pruned = new Set<string>();
  let rest = value;
  for (const culprit of culprits) {
    const unit = kind === 'conventions' ? conventionUnit(culprit) : resourceUnit(culprit);
    if (unit.length === 0) continue;
    pruned.add(unit.join('/'));
    rest = without(rest, unit);
  }
  return { value: rest, pruned };
}

export function pointerOf(error: ErrorObject): (string | number)[] {
  const steps = error.instancePath.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function resourceUnit(pointer: Pointer): Pointer {
  return pointer.slice(0, ENTRIES.has(pointer[0]) ? 2 : 1);
}

function conventionUnit(pointer: Pointer): Pointer {
  if (pointer[0] !== 'conventions') return pointer.slice(0, 1);
  return [...pointer.slice(0, 2), ...resourceUnit(pointer.slice(2))];
}

function without(value: PlainMap, [key, ...deeper]: Pointer): PlainMap {
  const entries = Object.entries(value);
  if (deeper.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== String(key)));
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      name === String(key) && isMap(inner) ? without(inner as PlainMap, deeper) : inner,
    ]),
  );
}
