// Reads a file that may not be there, and writes one that must not be: for commands that touch a single file.

import { readFileSync, writeFileSync } from 'node:fs';

/** Null: it is not there, or is no UTF-8 text. */
export function readIfText(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}

/** @throws when there is a file already, whoever made it in the meantime */
export function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx' });
}
