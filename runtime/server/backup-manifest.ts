// The manifest of a backup: what must be in its folder. The last line of the file is the checksum of the others, so that damage
// is noticed.

import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The only format there is. */
export const FORMAT = 1;

export interface Manifest {
  readonly format: number;
  /** The moment whose state the backup holds. */
  readonly taken: string;
  readonly database: { readonly bytes: number; readonly sum: string };
  /** Hashes of all files that records hold, in order; those in `missing` had been lost before the backup. */
  readonly files: readonly string[];
  readonly missing: readonly string[];
}

export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const text = `${JSON.stringify(manifest)}\n`;
  writeFileSync(manifestPath(folder), `${text}${sumOf(text)}\n`);
}

/** @returns null if it is missing or damaged. It may be of another format */
export function readManifest(folder: string): Manifest | null {
  const path = manifestPath(folder);
  if (!isPlainFile(path)) return null;
  const [line = '', sum] = readFileSync(path, 'utf8').split('\n');
  return sumOf(`${line}\n`) === sum ? (JSON.parse(line) as Manifest) : null;
}

/** Whether it is a file that can be read to its end: a named pipe would wait for its writer. */
export function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
