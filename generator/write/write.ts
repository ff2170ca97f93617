// Compares outputs with the files on disk and writes those that differ.

import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandError } from '../../runtime/contract/command-error.js';
import { type Content, hash, type Output } from '../emit/output.js';
import type { SourceFile } from '../load/load.js';
import { compiledPath, isOwnOutput, readIfThere } from './compile.js';
import type { OutputState } from './hand-edits.js';
import { MANIFEST, type Manifest, parseManifest } from './manifest.js';

/** The manifest of an output folder; null if there is none. */
export function readManifest(folder: string): Manifest | null {
  const text = readIfThere(join(folder, MANIFEST));
  return text === null ? null : parseManifest(text);
}

/** @returns every output and every file that gen wrote according to the manifest, as on disk and as it should be */
export function outputStates(
  folder: string,
  outputs: readonly (Output & Content)[],
  manifest: Manifest | null,
): readonly OutputState[] {
  const current = new Set(outputs.map(({ path }) => path));
  const listed = [...(manifest?.keys() ?? [])].filter(isBelow);
  const stale = listed.filter((path) => !current.has(path)).map((path) => ({ path, after: null }));
  return [...outputs.map((output) => ({ path: output.path, after: output })), ...stale]
    .map((file) => ({ ...file, before: onDisk(join(folder, file.path), file.after) }))
    .filter(({ before, after }) => before !== null || after !== null);
}

/** Whether every output is on disk as the manifest lists it. */
export function matchesManifest(folder: string, manifest: Manifest): boolean {
  return [...manifest].every(([path, hashes]) => {
    const text = readIfThere(join(folder, path));
    return text !== null && hashes.has(hash(text));
  });
}

/** Anybody could have written the manifest, so its paths must not lead outside its folder. */
function isBelow(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[\\/]/).includes('..');
}

/**
 * @param paths of outputs that are not on disk
 * @returns the paths where the compiler would overwrite a file without a source, which gen therefore did not write
 */
export function foreignCompiledFiles(folder: string, paths: readonly string[]): readonly string[] {
  if (isOwnOutput(folder)) return [];
  return paths
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/\.ts$/, '.js'))
    .filter((path) => existsSync(join(folder, path)));
}

/** @param expected the output, whose hash is already known */
function onDisk(path: string, expected: Content | null): Content | null {
  const text = readIfThere(path);
  if (text === null) return null;
  return text === expected?.text ? expected : { text, hash: hash(text) };
}

/** Writes a file whole or not at all, and creates its folders. */
export function write(path: string, text: string): void {
  tryWriting(path, () => mkdirSync(dirname(path), { recursive: true }));
  writeInFolder(path, text);
}

/** Throws a CommandError that names the file if the system refuses to write it. */
function tryWriting(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The rest of the message names the call and its paths, which may be those of the temporary file.
    const [reason] = message.split(',');
    throw code === undefined ? error : new CommandError(`${path} cannot be written (${reason})`);
  }
}

function writeInFolder(path: string, text: string): void {
  const part = `${path}.${process.pid}`;
  tryWriting(path, () => {
    try {
      writeFileSync(part, text);
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  });
}

/** Writes outputs that differ and removes those that no longer have a source. */
export function apply(changes: readonly OutputState[]): void {
  const folders = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : [dirname(path)])));
  for (const folder of folders) tryWriting(folder, () => mkdirSync(folder, { recursive: true }));
  for (const { path, after } of changes) {
    if (after === null) {
      tryWriting(path, () => rmSync(path));
      rmSync(compiledPath(path), { force: true });
    } else {
      writeInFolder(path, after.text);
    }
  }
}

/** Writes files of a spec folder, whose paths begin with the folder's name. A link remains a link. */
export function rewriteSpec(folder: string, files: readonly SourceFile[]): void {
  for (const { path, text } of files) writeInFolder(realpathSync(join(folder, path.replace(/^[^/]*\//, ''))), text);
}

/** @throws if the file already exists, regardless of who created it */
export function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'wx' });
}
