// Part of the build, in a process of its own: runs the command that its arguments name and, when asked, writes the modules that
// are loaded by then into the file of the cache, with the code of all functions that have been called.

import { renameSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { archiveOf, type RecordedModule } from './archive-contents.js';
import { PROGRAM, ROOT } from './load.js';
import { createLoader, type Modules } from './loader.js';
import { readOwnFile, readSource, resolveAsNode } from './own-files.js';

/** The message that asks this process to write the file. */
export interface WriteRequest {
  /** Path of the file. */
  readonly file: string;
  /** The folder of descriptors that `COMMAND` reads. */
  readonly spec: string;
}

/** Loads the modules that only some servers need, or that a server needs only later. */
const LATER = join(ROOT, 'dist', 'runtime', 'server', 'later-modules.js');

/** Only a start on a database without the current schema loads this, with what it requires: most often the first start. */
const FIRST_START = join(ROOT, 'dist', 'runtime', 'store', 'sqlite', 'migrate', 'at-start.js');

/** Modules that only servers on PostgreSQL or with files in a bucket load, by the library that these modules need. */
const OF_PEERS: Readonly<Record<string, readonly string[]>> = {
  pg: [join(ROOT, 'dist', 'runtime', 'store', 'postgres', 'engine.js')],
  '@aws-sdk/client-s3': ['bucket-address.js', 'bucket.js'].map((name) => join(ROOT, 'dist', 'runtime', 'files', name)),
};

/** The script of further processes of a server; it does nothing before its first message. */
const WORKER = join(ROOT, 'dist', 'runtime', 'server', 'processes', 'worker.js');

interface RecordingModules extends Modules {
  recorded(): readonly RecordedModule[];
  /** Modules that are loaded from now on are not needed by a start. */
  beginLater(): void;
}

/** @param root only modules below it are recorded @param rare a module that most starts do not need */
export function createRecorder(root: string, rare?: string): RecordingModules {
  const contents = new Map<string, NonNullable<ReturnType<Modules['read']>>>();
  const requires = new Map<string, Map<string, string | null>>();
  const targetsOf = (path: string) => [...(requires.get(path)?.values() ?? [])].filter((target) => target !== null);
  let early: ReadonlySet<string> | null = null;
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
        requires: new Map([...laterRequires(path, (target) => contents.has(target)), ...(requires.get(path) ?? [])]),
        isLater: early !== null && !early.has(path),
      })),
    beginLater() {
      const all = [...contents.keys()];
      const usual = reachable(all.slice(0, 1), (path) => targetsOf(path).filter((target) => target !== rare));
      const ofRare = reachable(rare === undefined ? [] : [rare], targetsOf);
      early = new Set(all.filter((path) => usual.has(path) || !ofRare.has(path)));
    },
  };
}

/** The modules that these require, directly or not, and these themselves. */
function reachable(first: readonly string[], targetsOf: (path: string) => readonly string[]): ReadonlySet<string> {
  const all = new Set(first);
  // A set also iterates over what is added meanwhile.
  for (const path of all) for (const target of targetsOf(path)) all.add(target);
  return all;
}

const REQUIRES = /\brequire\(\s*(?:'([^'\n]+)'|"([^"\n]+)")\s*\)/g;

/** What the module requires in functions that have not been called yet, if it is recorded. */
function laterRequires(path: string, isRecorded: (target: string) => boolean): ReadonlyMap<string, string> {
  const named = [...readSource(path).matchAll(REQUIRES)].map(([, single, double]) => single ?? double ?? '');
  const targets = [...new Set(named)].map((specifier) => [specifier, resolvedFrom(path, specifier)] as const);
  return new Map(targets.filter((pair): pair is [string, string] => pair[1] !== null && isRecorded(pair[1])));
}

/** Null: there is no such module, or it is part of Node. */
function resolvedFrom(path: string, specifier: string): string | null {
  try {
    return isBuiltin(specifier) ? null : createRequire(path).resolve(specifier);
  } catch {
    return null;
  }
}

/**
 * Some packages have an ES module for `require` that only re-exports a CommonJS module. The latter serves as well, while Node's
 * loader of ES modules takes 8 ms of a start.
 * @returns the path of the CommonJS module, to be loaded here; undefined if the ES module does more
 */
function passedOn(path: string): string | undefined {
  const exports: unknown = require(path);
  const same = Object.entries(require.cache).find(([other, loaded]) => other !== path && loaded?.exports === exports);
  if (same !== undefined) delete require.cache[same[0]];
  return same?.[0];
}

/** Replaces the file in one step: a server may start meanwhile. */
export function writeArchive(file: string, root: string, { recorded }: RecordingModules): void {
  const whole = `${file}-${process.pid}`;
  writeFileSync(whole, archiveOf(root, recorded()));
  renameSync(whole, file);
}

function main(): void {
  const recorder = createRecorder(ROOT, FIRST_START);
  const load = createLoader(recorder);
  const program = load(PROGRAM) as Program;
  process.once('message', async ({ file, spec }: WriteRequest) => {
    recorder.beginLater();
    (load(LATER) as typeof import('../later-modules.js')).loadAllParts();
    for (const [peer, paths] of Object.entries(OF_PEERS)) if (resolvedFrom(LATER, peer) !== null) paths.forEach(load);
    load(WORKER);
    program.describedCommands();
    process.argv.splice(2, process.argv.length, ...COMMAND, spec);
    await program.main();
    writeArchive(file, ROOT, recorder);
    process.exit(0);
  });
  void program.main();
}

interface Program {
  main(): Promise<void>;
  /** Loads the modules of all commands. */
  describedCommands(): unknown;
}

/** A command, without its folder, that runs most of the code that maintainers' commands share. */
const COMMAND = ['check', '--spec'];

if (require.main === module) main();
