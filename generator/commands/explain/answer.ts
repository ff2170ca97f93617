// Formats explanations: places with their lines, and rows in two columns.

import { excerpt } from '../../diagnostics/print.js';
import type { Key, SpecContext } from './spec-context.js';
import { locationText } from './spec-context.js';

/** An explanation, or the reason why there is none. */
export type Answer = { readonly text: string } | { readonly unknown: string };

/** A label and its text; rows without text are left out. */
export type Row = readonly [label: string, text: string];

/** The place of a key, its path and its line. */
export function keyText(context: SpecContext, key: Key): string {
  const text = context.texts.get(key.place.path) ?? '';
  return `${locationText(context, key.place)}: ${key.pointer.join('.')}\n${excerpt(key.place, text)}\n`;
}

/** Rows in two columns. */
export function rows(all: readonly Row[]): string {
  const visible = all.filter(([, text]) => text !== '');
  const width = Math.max(0, ...visible.map(([label]) => label.length));
  return visible.map(([label, text]) => `${label.padEnd(width)}  ${text}\n`).join('');
}

/** Joins the parts of an answer with empty lines. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(suggestion: string | null): string {
  return suggestion === null ? '' : `; did you mean "${suggestion}"?`;
}
