// Part of the build, in a process of its own: runs a command of the program as its arguments say, and when asked, writes the
// modules that are loaded by then into the file of the cache, with the code of all functions that have been called.

import { renameSync, writeFileSync } from 'node:fs';
import { archiveOf, type Recorded } from './archive.js';
import { PROGRAM, ROOT } from './load.js';
import { createLoader, type Modules } from './loader.js';
import { readOwnFile, readSource, resolveAsNode } from './own-files.js';

/** What this process is asked. */
export interface WriteRequest {
  /** Path of the file. */
  readonly file: string;
}

interface Recording extends Modules {
  recorded(): readonly Recorded[];
}

/** @param root only modules below it are recorded */
export function createRecording(root: string): Recording {
  const contents = new Map<string, NonNullable<ReturnType<Modules['read']>>>();
  const requires = new Map<string, Map<string, string | null>>();
  const isBelow = (path: string): boolean => path.startsWith(`${root}/`) && /\.(js|cjs|mjs|json)$/.test(path);
  return {
    read(path) {
      const content = readOwnFile(path);
      if (content !== undefined) contents.set(path, content);
      requires.set(path, new Map());
      return content;
    },
    resolve(specifier, path) {
      const resolved = resolveAsNode(specifier, path, isBelow);
      const target = resolved?.endsWith('.mjs') ? passedOn(resolved) : resolved;
      if (target !== undefined) requires.get(path)?.set(specifier, target);
      return target;
    },
    recorded: () =>
      [...contents].map(([path, content]) => ({
        path,
        source: readSource(path),
        code: typeof content === 'string' ? null : content.createCachedData(),
        requires: requires.get(path) ?? new Map(),
      })),
  };
}

/**
 * Some packages have an ES module for `require` that only re-exports a CommonJS one, which is as good: Node's loader of ES
 * modules takes 8 ms of a start.
 * @returns the path of the CommonJS module, to be loaded here; undefined if the ES module does more
 */
function passedOn(path: string): string | undefined {
  const exports: unknown = require(path);
  const same = Object.entries(require.cache).find(([other, loaded]) => other !== path && loaded?.exports === exports);
  if (same !== undefined) delete require.cache[same[0]];
  return same?.[0];
}

/** Replaces the file in one step: a server may start meanwhile. */
export function writeArchive(file: string, root: string, { recorded }: Recording): void {
  const whole = `${file}-${process.pid}`;
  writeFileSync(whole, archiveOf(root, recorded()));
  renameSync(whole, file);
}

function main(): void {
  const recording = createRecording(ROOT);
  process.once('message', ({ file }: WriteRequest) => {
    writeArchive(file, ROOT, recording);
    process.exit();
  });
  const program = createLoader(recording)(PROGRAM) as { main(): Promise<void> };
  void program.main();
}

if (require.main === module) main();
