// Reads a spec folder, compares outputs with what is on disk and writes what differs. The generator's only touch of the disk.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Source } from './generate.js';
import type { Ledger } from './ledger.js';
import type { Output } from './render.js';

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
    ledger: existsSync(ledger) ? parseLedger(ledger) : null,
  };
}

/** Something about the spec folder itself, before any text of it is looked at. */
export class UnreadableSpec extends Error {}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    throw new UnreadableSpec(`${path} is not UTF-8 text`);
  }
}

function parseLedger(path: string): Ledger {
  try {
    const value = JSON.parse(readText(path)) as Partial<Ledger>;
    if (typeof value.next === 'number' && typeof value.resources === 'object') return value as Ledger;
  } catch {
    // Said below, in the same words as a ledger of another shape.
  }
  throw new UnreadableSpec(`${path} is damaged: take it from version control, it must never be written by hand`);
}

export interface Difference {
  readonly path: string;
  /** Null: not there yet, or no longer wanted. */
  readonly before: string | null;
  readonly after: string | null;
}

/** @returns what writing the outputs would change below `folder`; `prune` names the subfolders that hold nothing else */
export function differences(
  folder: string,
  outputs: readonly Output[],
  prune: readonly string[],
): readonly Difference[] {
  const wanted = new Set(outputs.map(({ path }) => path));
  const changed = outputs
    .map(({ path, text }) => ({ path, before: readIfThere(join(folder, path)), after: text }))
    .filter(({ before, after }) => before !== after);
  const stale = prune
    .flatMap((sub) => filesIn(folder, sub))
    .filter((path) => !wanted.has(path))
    .map((path) => ({ path, before: readIfThere(join(folder, path)), after: null }));
  return [...changed, ...stale];
}

/** Brings the folder to the outputs: writes what differs, removes what has no source any more. */
export function apply(folder: string, changes: readonly Difference[]): void {
  for (const { path, after } of changes) {
    const target = join(folder, path);
    if (after === null) {
      rmSync(target);
      // What was compiled from it beside it, in an output folder that is not ours.
      rmSync(target.replace(/\.ts$/, '.js'), { force: true });
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, after);
  }
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function filesIn(folder: string, sub: string): readonly string[] {
  const path = join(folder, sub);
  return existsSync(path)
    ? readdirSync(path)
        .filter((file) => file.endsWith('.ts'))
        .sort()
        .map((file) => `${sub}/${file}`)
    : [];
}
