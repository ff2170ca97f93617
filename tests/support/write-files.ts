// Writes files of a test, and creates the folders that contain them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param files a list, or texts by path; the paths are relative to the folder */
export function writeFiles(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[] | Readonly<Record<string, string>>,
): void {
  const entries = Array.isArray(files) ? files.map(({ path, text }) => [path, text] as const) : Object.entries(files);
  for (const [path, text] of entries) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
