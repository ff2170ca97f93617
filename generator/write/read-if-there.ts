// Reads a file that may be missing.

import { existsSync, readFileSync } from 'node:fs';

/** Null if the file does not exist. */
export function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
