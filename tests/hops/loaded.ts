// `npm run loaded`: how much of `runtime` a server on SQLite without the operators' pages loads, in lines by folder. It starts
// without the cache of modules, so that modules which only some requests need count too.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { serve } from '../cli/processes.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const LOADED = join(__dirname, '..', 'support', 'loaded-modules.js');
const COMPILED = join('dist', 'runtime') + sep;

export interface LoadedFile {
  readonly files: number;
  readonly lines: number;
}

/** The compiled modules of `runtime` that a server has loaded once it responds. */
async function loadedModules(): Promise<readonly string[]> {
  const folder = temporaryFolder('loaded');
  // The first start creates the database.
  const first = await serve(['--port', '0'], folder);
  await first.end();
  const server = await serve(['--port', '0'], folder, { NODE_OPTIONS: `--require ${LOADED}` });
  try {
    await fetch(`${server.address}/api/status`);
    server.process.kill('SIGUSR2');
    const line = await server.line(/^loaded \d+ 1 .*\]$/);
    const paths = JSON.parse(line.slice(line.indexOf('['))) as readonly string[];
    // A library that the build copied has no source.
    return paths.filter((path) => path.startsWith(COMPILED) && existsSync(sourceOf(path)));
  } finally {
    await server.end();
    rmSync(folder, { recursive: true });
  }
}

const sourceOf = (compiled: string) => join(ROOT, 'runtime', relative(COMPILED, compiled)).replace(/\.js$/, '.ts');
const linesOf = (compiled: string) => readFileSync(sourceOf(compiled), 'utf8').split('\n').length - 1;

/** @returns files and lines of each folder of `runtime`, and in total, largest first */
export async function loadedByFolder(): Promise<ReadonlyMap<string, LoadedFile>> {
  const folders = new Map<string, LoadedFile>();
  const count = (folder: string, lines: number) => {
    const before = folders.get(folder) ?? { files: 0, lines: 0 };
    folders.set(folder, { files: before.files + 1, lines: before.lines + lines });
  };
  for (const path of await loadedModules()) {
    const lines = linesOf(path);
    count(relative(COMPILED, path).split(sep)[0] ?? '', lines);
    count('all', lines);
  }
  return new Map([...folders].sort(([, a], [, b]) => b.lines - a.lines));
}

async function print(): Promise<void> {
  for (const [folder, { files, lines }] of await loadedByFolder())
    process.stdout.write(`${folder.padEnd(12)}${String(files).padStart(5)} files${String(lines).padStart(8)} lines\n`);
}

if (require.main === module) void print();
