// Merges the diagnostics of several phases into one list.
import type { Diagnostic } from './diagnostic.js';

/** Sorted by path and position. A mistake found twice, such as one in a shared convention, is kept once. */
export function collect(...lists: readonly Iterable<Diagnostic>[]): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const list of lists) {
    for (const one of list) found.set(`${one.path}\n${one.start}\n${one.code}\n${one.message}`, one);
  }
  return [...found.values()].sort(byPosition);
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start - b.start || a.end - b.end || (a.code < b.code ? -1 : 1);
}

/** Whether there are errors, which prevent generating. */
export function refused(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((one) => one.severity === 'error');
}
