// How explanations read: places with their lines, and rows of two columns. Knows nothing of what is explained.

import { excerpt } from '../../diagnostics/print.js';
import type { Key, SpecContext } from './spec-context.js';
import { spot } from './spec-context.js';

/** An explanation, or why there is none. */
export type Answer = { readonly found: string } | { readonly unknown: string };

/** A word and what belongs to it; rows with nothing are left out. */
export type Row = readonly [word: string, rest: string];

/** The place of a key, what it is, and its line. */
export function keyText(context: SpecContext, key: Key): string {
  const text = context.texts.get(key.place.path) ?? '';
  return `${spot(context, key.place)}: ${key.pointer.join('.')}\n${excerpt(key.place, text)}\n`;
}

/** Rows in two columns. */
export function rows(all: readonly Row[]): string {
  const shown = all.filter(([, rest]) => rest !== '');
  const width = Math.max(0, ...shown.map(([word]) => word.length));
  return shown.map(([word, rest]) => `${word.padEnd(width)}  ${rest}\n`).join('');
}

/** Parts of an answer with an empty line between them. */
export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** `; did you mean "x"?`, or nothing. */
export function meant(suggestion: string | null): string {
  return suggestion === null ? '' : `; did you mean "${suggestion}"?`;
}
