// Compiles a spec for commands that show its contents; if it has mistakes, they are printed instead.

import { type CompiledSpec, compileSpec, type Source } from '../compile-spec.js';
import { print } from '../diagnostics/print.js';
import { readSpec } from '../write/read-spec.js';
import { attempt, type Result } from './command.js';

export type CleanSpec = Extract<CompiledSpec, { ok: true }>;

/** @param show produces the result. Code 1: the spec has mistakes; 2: there is no spec to read. */
export function withSpec(folder: string, show: (compiled: CleanSpec, source: Source) => Result): Result {
  return attempt(() => {
    const { files, ledger } = readSpec(folder);
    const compiled = compileSpec({ files, ledger });
    if (compiled.ok) return show(compiled, { files, ledger });
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    return { code: 1, stdout: '', stderr: print(compiled.diagnostics, texts) };
  });
}
