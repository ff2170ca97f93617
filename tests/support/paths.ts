// Paths, relative to compiled tests.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The project's root. */
export const ROOT = resolve(__dirname, '..', '..', '..');
/** The command line's program. */
export const BIN = join(ROOT, 'dist', 'generator', 'bin.js');

/** A new empty folder. A run of the tests removes it when the run ends (see run.ts); other programs have to remove it. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `punchboard-${name}-`));
}

/** Whether the suites of a run share one folder for temporary files (see run.ts), and can reuse the files of other suites. */
export function isInRun(): boolean {
  return process.env.PUNCHBOARD_KEPT !== undefined;
}

/** The folder for data that later runs of the tests reuse. */
export function keptFolder(): string {
  return process.env.PUNCHBOARD_KEPT ?? tmpdir();
}
