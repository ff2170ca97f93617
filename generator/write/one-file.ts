// Writes and removes a single file that people keep, such as a version that was cut.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates the folder if necessary. Throws if the file exists. */
export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: 'wx' });
}

export function removeFile(path: string): void {
  rmSync(path);
}
