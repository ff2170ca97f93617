// The command `punchboard gen`: reads a spec, writes what follows from it, says what it did.

import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Result } from './commands/command.js';
import { compile, kitPath } from './compile.js';
import { print } from './diagnostics/print.js';
import { generate } from './generate.js';
import { apply, type Difference, differences, readSpec, UnreadableSpec } from './io.js';

export interface GenOptions {
  readonly spec: string;
  readonly out: string;
  /** Write nothing; tell what would change. */
  readonly check: boolean;
}

/** Subfolders of the output folder where every file is gen's, so that what has no source any more goes. */
const OWNED = ['resources', 'validators'];

/** Runs the command; with mistakes in the spec nothing is written. Code 2: there is no spec to read. */
export function gen(options: GenOptions): Result {
  try {
    const source = readSpec(options.spec);
    const generation = generate(source, kitPath(options.out));
    const notes = print(generation.diagnostics, new Map(source.files.map(({ path, text }) => [path, text])));
    if (!generation.ok) return { code: 1, stdout: '', stderr: notes };
    const changes = [
      ...inFolder(options.spec, differences(options.spec, generation.specOutputs, [])),
      ...inFolder(options.out, differences(options.out, generation.outputs, OWNED)),
    ];
    if (options.check) return stale(changes, notes);
    apply('', changes);
    return compiled(options.out, changes, notes);
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: 2, stdout: '', stderr: `${error.message}\n` };
    throw error;
  }
}

function inFolder(folder: string, changes: readonly Difference[]): readonly Difference[] {
  return changes.map((change) => ({ ...change, path: join(folder, change.path) }));
}

function stale(changes: readonly Difference[], notes: string): Result {
  if (changes.length === 0) return { code: 0, stdout: 'Up to date.\n', stderr: notes };
  const patches = changes.map(({ path, before, after }) =>
    createTwoFilesPatch(
      before === null ? '/dev/null' : path,
      after === null ? '/dev/null' : path,
      before ?? '',
      after ?? '',
    ),
  );
  return {
    code: 1,
    stdout: patches.join(''),
    stderr: `${notes}${changes.length} files are stale: run \`npm run gen\` and commit.\n`,
  };
}

function compiled(out: string, changes: readonly Difference[], notes: string): Result {
  const mistakes = changes.length === 0 ? '' : compile(out);
  const said = changes.map(({ path, before, after }) => `${verb(before, after)} ${path}\n`).join('');
  if (mistakes !== '') return { code: 1, stdout: said, stderr: `${notes}${mistakes}\n` };
  return { code: 0, stdout: said || 'Up to date.\n', stderr: notes };
}

function verb(before: string | null, after: string | null): string {
  return before === null ? 'made   ' : after === null ? 'removed' : 'changed';
}
