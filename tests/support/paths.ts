// Paths, relative to compiled tests.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The project's root. */
export const ROOT = resolve(__dirname, '..', '..', '..');
/** The command line's program. */
export const BIN = join(ROOT, 'dist', 'generator', 'bin.js');

/** A new empty folder that nothing else uses. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `punchboard-${name}-`));
}

/** The folder for data that later runs of the tests reuse. */
export function keptFolder(): string {
  return process.env.PUNCHBOARD_KEPT ?? tmpdir();
}
