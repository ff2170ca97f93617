// Corrects a spec where there is no doubt: typos with one similar name, and uses of a name that `was` gave up. Pure.

import type { SpecSource } from './check/project.js';
import { compileSpec } from './compile-spec.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import type { SourceFile } from './load/load.js';

export interface Fix {
  readonly path: string;
  /** Offset in the text before this correction. */
  readonly start: number;
  readonly text: string;
  readonly word: string;
  readonly name: string;
}

export interface FixedSpec {
  readonly source: SpecSource;
  /** In the order of the corrections. */
  readonly fixes: readonly Fix[];
}

/** Makes one correction at a time, since each may reveal further mistakes; one that does not help is undone. */
export function fixSpec(source: SpecSource): FixedSpec {
  const refused = new Set<string>();
  const fixes: Fix[] = [];
  let current = source;
  let mistakes = compileSpec(current).diagnostics;
  for (;;) {
    const [fix, of] = nextFix(current, mistakes, refused) ?? [];
    if (fix === undefined || of === undefined) return { source: current, fixes };
    const files = current.files.map((file) => (file.path === fix.path ? corrected(file, fix) : file));
    const remaining = compileSpec({ ...current, files }).diagnostics;
    if (isImprovement(of, mistakes, remaining)) {
      fixes.push(fix);
      current = { ...current, files };
      mistakes = remaining;
    } else {
      refused.add(keyOf(of));
    }
  }
}

function nextFix(
  { files }: SpecSource,
  mistakes: readonly Diagnostic[],
  refused: ReadonlySet<string>,
): readonly [Fix, Diagnostic] | null {
  for (const one of mistakes) {
    const text = files.find(({ path }) => path === one.path)?.text;
    const start = text === undefined || one.severity !== 'error' || refused.has(keyOf(one)) ? null : wordIn(one, text);
    if (text !== undefined && start !== null && one.fix !== null)
      return [{ path: one.path, start, text, ...one.fix }, one];
  }
  return null;
}

/** The first offset of the word within the position of a mistake; null if it is not there. */
function wordIn({ start, end, fix }: Diagnostic, text: string): number | null {
  if (fix === null || !/^\w+$/.test(fix.word)) return null;
  const match = new RegExp(`(?<!\\w)${fix.word}(?!\\w)`).exec(text.slice(start, end));
  return match === null ? null : start + match.index;
}

function corrected({ path, text }: SourceFile, { start, word, name }: Fix): SourceFile {
  return { path, text: `${text.slice(0, start)}${name}${text.slice(start + word.length)}` };
}

/** Whether the mistake occurs less often, and no file has become unreadable, for instance by a duplicate key. */
function isImprovement(mistake: Diagnostic, before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const count = (all: readonly Diagnostic[], isCounted: (one: Diagnostic) => boolean): number =>
    all.filter(isCounted).length;
  const isSame = (one: Diagnostic): boolean => keyOf(one) === keyOf(mistake);
  const isUnreadable = ({ code }: Diagnostic): boolean => code.startsWith('E01');
  return count(after, isSame) < count(before, isSame) && count(after, isUnreadable) <= count(before, isUnreadable);
}

/** The key has no position, since other corrections move it. */
function keyOf({ path, code, message }: Diagnostic): string {
  return JSON.stringify([path, code, message]);
}
