// Takes out of a started descriptor what check would refuse, such as the list of a name that is taken. Adds nothing.

import { type Document, parseDocument } from 'yaml';
import { check } from '../check/check.js';
import { collect } from '../diagnostics/collect.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Source } from '../generate.js';
import { load, type Pointer, type SourceFile } from '../load.js';
import { yamlText } from './yaml-text.js';

/** Keys without which a field is nothing: the field goes with them. */
const ESSENTIAL = new Set(['kind', 'to', 'values', 'copy', 'count', 'text']);
const MOST_LEFT_OUT = 200;

/** @returns the text that check takes, with a word about what was left out, or what stands in the way */
export function fitted(file: SourceFile, source: Source): { text: string } | { diagnostics: readonly Diagnostic[] } {
  const before = new Set(diagnose(source.files, source).map(said));
  const left: string[] = [];
  for (let { text } = file; ; ) {
    const found = diagnose([...source.files, { ...file, text }], source).filter((one) => !before.has(said(one)));
    if (found.length === 0) return { text: noted(text, left) };
    const own = found.filter(({ path }) => path === file.path);
    const pointers = left.length > MOST_LEFT_OUT ? [] : culprits(file.path, text, own);
    if (pointers.length === 0) return { diagnostics: found };
    left.push(...pointers.map((pointer) => pointer.join('.')));
    text = without(text, pointers);
  }
}

/** Errors alone. */
function diagnose(files: readonly SourceFile[], { ledger, code }: Source): readonly Diagnostic[] {
  const { documents, diagnostics } = load(files);
  return collect(diagnostics, check(documents, ledger, code).diagnostics).filter(
    ({ severity }) => severity === 'error',
  );
}

function said({ path, start, code, message }: Diagnostic): string {
  return `${path} ${start} ${code} ${message}`;
}

/** The innermost keys at the mistakes; nothing that the descriptor cannot do without. */
function culprits(path: string, text: string, own: readonly Diagnostic[]): readonly Pointer[] {
  const parts = load([{ path, text }]).documents[0]?.parts() ?? [];
  const pointers = own.flatMap(({ start }) => {
    const at = parts.filter((part) => part.start <= start && start < part.end).at(-1)?.pointer ?? [];
    const field = at[0] === 'fields' && ESSENTIAL.has(String(at[2])) ? at.slice(0, 2) : at;
    return field.length === 0 || ['resource', 'title', 'summary', 'plural'].includes(String(field[0])) ? [] : [field];
  });
  const distinct = new Map(pointers.map((pointer) => [pointer.join('/'), pointer]));
  // Of a key and what is in it only the key; items of a list from the last, so that indexes hold.
  const outer = [...distinct.values()].filter((pointer) => !pointers.some((other) => isAbove(other, pointer)));
  return outer.sort((a, b) => Number(b.at(-1)) - Number(a.at(-1)) || 0);
}

function isAbove(other: Pointer, pointer: Pointer): boolean {
  return other.length < pointer.length && other.every((step, at) => step === pointer[at]);
}

function without(text: string, pointers: readonly Pointer[]): string {
  const document = parseDocument(text);
  for (const pointer of pointers) {
    document.deleteIn(pointer);
    prune(document, pointer.slice(0, -1));
  }
  return yamlText(document);
}

/** A map or list that has become empty says nothing any more. */
function prune(document: Document, pointer: Pointer): void {
  const parent = pointer.length === 0 ? null : document.getIn(pointer);
  const items = (parent as { items?: readonly unknown[] } | null)?.items;
  if (items === undefined || items.length > 0) return;
  document.deleteIn(pointer);
  prune(document, pointer.slice(0, -1));
}

function noted(text: string, left: readonly string[]): string {
  if (left.length === 0) return text;
  return text.replace(/^(?=resource:)/m, `# Left out, as it would not fit here: ${left.join(', ')}.\n`);
}
