// A spec that is free of mistakes, for commands that show it; with mistakes they are what is said.

import { check } from '../../check/check.js';
import { collect, refused } from '../../diagnostics/collect.js';
import { print } from '../../diagnostics/print.js';
import type { RawSpec } from '../../language/language.js';
import { load } from '../../load/load.js';
import { readSpec, UnreadableSpec } from '../../write/read-spec.js';
import type { Result } from '../command.js';

/** @param show what to answer about the spec. Code 1: it has mistakes; 2: there is no spec to read. */
export function withSpec(folder: string, show: (spec: RawSpec) => Result): Result {
  try {
    const { files, ledger } = readSpec(folder);
    const { documents, diagnostics: unreadable } = load(files);
    const { spec, diagnostics: wrong } = check(documents, ledger);
    const diagnostics = collect(unreadable, wrong);
    if (!refused(diagnostics)) return show(spec);
    return { code: 1, stdout: '', stderr: print(diagnostics, new Map(files.map(({ path, text }) => [path, text]))) };
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}
