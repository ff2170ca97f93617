// A diagnostic: a mistake and its place. It has offsets into a file, which the printer turns into lines and columns.

import { type Code, catalogue, type MessageValues } from './catalogue.js';
import type { Suggestion } from './suggest.js';

/** Part of a file, in UTF-16 offsets; `end` is exclusive. */
export interface YamlPosition {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface Diagnostic extends YamlPosition {
  readonly code: Code;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What to do about it; null if the message is enough. */
  readonly hint: string | null;
  /** A name that was probably meant. */
  readonly suggestion: string | null;
  /** The correction that `check --fix` writes; null if none is certain. */
  readonly fix: Pick<Suggestion, 'word' | 'name'> | null;
}

/** One mistake of an author. `holes` fills the placeholders of message and hint; a suggestion is printed instead of the hint. */
export function diagnostic<C extends Code>(
  code: C,
  place: YamlPosition,
  holes: MessageValues<C>,
  suggestion: Suggestion | null = null,
): Diagnostic {
  const { severity, message, hint } = catalogue[code];
  return {
    code,
    severity,
    message: fill(message, holes),
    hint: hint === undefined ? null : fill(hint, holes),
    suggestion: suggestion?.name ?? null,
    fix: suggestion?.isCertain ? suggestion : null,
    path: place.path,
    start: place.start,
    end: place.end,
  };
}

function fill(text: string, holes: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, hole: string) => holes[hole] ?? '');
}

/** Sorted by path and position. A mistake that was reported twice, such as one in a shared convention, is kept once. */
export function collect(...lists: readonly Iterable<Diagnostic>[]): Diagnostic[] {
  const byKey = new Map<string, Diagnostic>();
  for (const list of lists) {
    for (const one of list) byKey.set(`${one.path}\n${one.start}\n${one.code}\n${one.message}`, one);
  }
  return [...byKey.values()].sort(byPosition);
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start - b.start || a.end - b.end || (a.code < b.code ? -1 : 1);
}

/** Whether there are errors, which prevent generating. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => one.severity === 'error');
}
