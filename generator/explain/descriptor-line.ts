// What a line of a descriptor makes: columns, parameters, properties, routes, and the lines of generated files.

import { basename } from 'node:path';
import type { Subject } from '../check/subject.js';
import { suggest } from '../diagnostics/suggest.js';
import type { Document, DocumentPart } from '../document.js';
import type { Pointer } from '../load.js';
import type { Model } from '../model.js';
import { render } from '../render.js';
import { made } from './made.js';
import { ranges, traces } from './traces.js';
import { modelWithout, modelWithoutOwn, modelWithoutShared } from './without.js';
import { type Answer, joined, keyText, meant, type Row, rows } from './words.js';
import { keysOf, type Workshop } from './workshop.js';

export interface Line {
  /** As the workshop names it. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The folder of generated code as the caller knows it. */
  readonly out: string;
}

export function explainDescriptorLine(shop: Workshop, { path, line, out }: Line): Answer {
  const document = shop.documents.find((one) => one.path === path);
  const text = shop.texts.get(path);
  if (document === undefined || text === undefined) {
    return { unknown: `${shop.pathOf(path)} is no descriptor${meant(nearest(shop, path))}` };
  }
  const lines = text.split(/\r\n|\r|\n/);
  const shown = `${shop.pathOf(path)}:${line}`;
  if (line < 1 || line > lines.length) return { unknown: `${shop.pathOf(path)} has ${lines.length} lines` };
  if (/^\s*(#.*)?$/.test(lines[line - 1] ?? '')) return { unknown: `${shown} holds no key: it is empty or a comment` };
  const start = lineStart(text, line);
  const parts = onLine(document, start, start + (lines[line - 1]?.length ?? 0));
  if (parts.length === 0) return { unknown: `${shown} holds no key` };
  return { found: joined(parts.map((part) => ofPart(shop, document, part, out))) };
}

/** By the names of the files: the folders before them, which all share, make any two paths look alike. */
function nearest(shop: Workshop, path: string): string | null {
  const byName = new Map([...shop.texts.keys()].map((one) => [basename(one), one]));
  const found = byName.get(suggest(basename(path), byName.keys()) ?? '');
  return found === undefined ? null : shop.pathOf(found);
}

function lineStart(text: string, line: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = /\r\n|\r|\n/g;
    end.lastIndex = start;
    const found = end.exec(text);
    start = found === null ? text.length : found.index + found[0].length;
  }
  return start;
}

/** The outermost keys that start on the line; where none does, the innermost that goes on over it. */
function onLine(document: Document, start: number, end: number): readonly DocumentPart[] {
  const parts = document.parts();
  const starting = parts.filter((part) => part.start >= start && part.start < end);
  const outermost = starting.filter(
    ({ pointer }) =>
      !starting.some((other) => other.pointer.length < pointer.length && isBelow(pointer, other.pointer)),
  );
  const around = parts.filter((part) => part.start < start && part.end > start);
  return outermost.length > 0 ? outermost : around.slice(-1);
}

function isBelow(pointer: Pointer, other: Pointer): boolean {
  return other.every((step, at) => step === pointer[at]);
}

function ofPart(shop: Workshop, document: Document, { pointer }: DocumentPart, out: string): string {
  const key = { pointer, place: document.locate(pointer, 'key') };
  const users = usersOf(shop, document, pointer);
  const base = pointer[0] === 'extends' ? users.flatMap(({ subject }) => keysOf(subject, []).slice(1)) : [];
  const names = users.map(({ subject }) => subject.raw.resource);
  const shared = document.path === shop.project.conventions?.path;
  const each = users.map(({ own }, at) => made(shop, names[at] ?? '', own));
  const told = each.every((all) => all.length === 0)
    ? [rows([['resources', shared ? names.join(', ') : '']])]
    : each.map((all, at) => rows([['resource', shared ? (names[at] ?? '') : ''], ...all]));
  const [first] = users;
  const model =
    first === undefined
      ? modelWithoutShared(shop, pointer)
      : ((shared ? null : modelWithoutOwn(shop, first.subject, pointer)) ?? modelWithout(shop, names, first.own));
  return joined([...[key, ...base].map((one) => keyText(shop, one)), ...told, rows(lines(shop, model, out))]);
}

/** The resources a key speaks to, and the key as each of them sees it. */
function usersOf(
  { project }: Workshop,
  document: Document,
  pointer: Pointer,
): readonly { subject: Subject; own: Pointer }[] {
  const [first, convention, ...shared] = pointer;
  return project.subjects.flatMap((subject) => {
    if (subject.document === document) return [{ subject, own: pointer }];
    const extended =
      first === 'conventions' &&
      subject.convention?.name === convention &&
      document.path === subject.convention?.document.path;
    // What the resource says itself wins over its convention.
    return extended && !(shared.length > 2 && subject.document.has(shared)) ? [{ subject, own: shared }] : [];
  });
}

/** Where in the generated files it shows. */
function lines(shop: Workshop, without: Model | null, out: string): readonly Row[] {
  if (without === null) return [['lines', 'everything of it hangs on this key']];
  const found = traces(shop.outputs, render(without, shop.kit));
  if (found.size === 0) return [['lines', 'none: nothing would be other without it']];
  return [...found].map(([path, changed], at) => [at === 0 ? 'lines' : '', `${out}/${path}: ${ranges(changed)}`]);
}
