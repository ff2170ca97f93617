// Reads a spec folder, compares outputs with what is on disk and writes what differs. The generator's only touch of the disk.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Source } from '../compile-spec.js';
import { type Content, hashed, type Output } from '../emit/output.js';
import type { Ledger } from '../ledger/ledger.js';
import { parseLedger } from '../ledger/parse.js';
import { compiledPath, isOwn, ROOT } from './compile.js';
import type { Standing } from './hand-edits.js';
import { MANIFEST, type Manifest, parseManifest } from './manifest.js';

/**
 * @param folder the spec folder
 * @returns its texts, each under a path that starts with the folder's own name, so that it is the same from anywhere
 * @throws UnreadableSpec when the folder is not there or a file is no UTF-8 text
 */
export function readSpec(folder: string): Source {
  const name = basename(resolve(folder));
  const resources = join(folder, 'resources');
  if (!existsSync(resources))
    throw new UnreadableSpec(`${folder} holds no resources/ folder; give the spec folder with --spec`);
  const paths = [
    ...['conventions.yaml', 'events.yaml'].filter((file) => existsSync(join(folder, file))),
    ...readdirSync(resources)
      .filter((file) => /\.ya?ml$/.test(file))
      .sort()
      .map((file) => `resources/${file}`),
  ];
  const ledger = join(folder, 'ledger.json');
  return {
    files: paths.map((path) => ({ path: `${name}/${path}`, text: readText(join(folder, path)) })),
    ledger: existsSync(ledger) ? readLedger(ledger) : null,
    code: isOwnSpec(folder) ? 'own' : 'shared',
  };
}

/** True for the project's own descriptors, for which runtime/resources is written. */
function isOwnSpec(folder: string): boolean {
  const own = join(ROOT, 'spec');
  return existsSync(own) && realpathSync(folder) === realpathSync(own);
}

/** Something about the spec folder itself, before any text of it is looked at. */
export class UnreadableSpec extends Error {
  /** @param code exit code: 2 where the wrong place was named, 1 where a file in it cannot be read */
  constructor(
    message: string,
    readonly code: 1 | 2 = 2,
  ) {
    super(message);
  }
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    throw new UnreadableSpec(`${path} is not UTF-8 text`, 1);
  }
}

function readLedger(path: string): Ledger {
  const ledger = parseLedger(readText(path));
  if (typeof ledger === 'string') throw new UnreadableSpec(`${path} ${ledger}`, 1);
  return ledger;
}

/** The manifest of an output folder; null where there is none. */
export function readManifest(folder: string): Manifest | null {
  const path = join(folder, MANIFEST);
  return existsSync(path) ? parseManifest(readFileSync(path, 'utf8')) : null;
}

/** @returns every output and every file that the manifest says gen wrote, as it is on disk and as it should be */
export function standings(folder: string, outputs: readonly Output[], manifest: Manifest | null): readonly Standing[] {
  const wanted = new Set(outputs.map(({ path }) => path));
  const made = [...(manifest?.keys() ?? [])].filter(isBelow);
  const stale = made.filter((path) => !wanted.has(path)).map((path) => ({ path, after: null }));
  return [...outputs.map((output) => ({ path: output.path, after: hashed(output) })), ...stale]
    .map((file) => ({ ...file, before: onDisk(join(folder, file.path)) }))
    .filter(({ before, after }) => before !== null || after !== null);
}

/** A manifest that anybody could have written does not reach out of its folder. */
function isBelow(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[\\/]/).includes('..');
}

/** @returns those of the paths where the compiler would write over a file that has no source, so that it is not gen's */
export function compiledStrangers(folder: string, paths: readonly string[]): readonly string[] {
  if (isOwn(folder)) return [];
  return paths
    .filter((path) => path.endsWith('.ts') && !existsSync(join(folder, path)))
    .map((path) => path.replace(/\.ts$/, '.js'))
    .filter((path) => existsSync(join(folder, path)));
}

function onDisk(path: string): Content | null {
  return existsSync(path) ? hashed({ path, text: readFileSync(path, 'utf8') }) : null;
}

/** The text of a file; empty where there is none. */
export function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Writes a file whole or not at all, and the folders that it lies in. */
export function write(path: string, text: string): void {
  const part = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Brings files to what they should be: writes what differs, removes what has no source any more. */
export function apply(changes: readonly Standing[]): void {
  for (const { path, after } of changes) {
    if (after === null) {
      rmSync(path);
      rmSync(compiledPath(path), { force: true });
    } else {
      write(path, after.text);
    }
  }
}
