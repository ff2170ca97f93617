// Loads the program from the cache of its modules, as Python does from .pyc files. The start of a server loads more than 500
// modules, and used to spend most of its time on finding, reading and compiling their files. `npm run build` starts a server
// once and stores the modules that are loaded by its first answer in one file, with the code that V8 has compiled from them by
// then; modules that most starts do not need are at its end. A module is used while its own file has the same time and size, so
// that nothing has to be invalidated; without the cache Node loads everything as usual.

import { join, resolve } from 'node:path';
import { openArchive } from './archive.js';
import { createLoader } from './loader.js';

/** The project's root folder. */
export const ROOT = resolve(__dirname, '..', '..', '..', '..');

/** The module that is the `punchboard` command. */
export const PROGRAM = join(ROOT, 'dist', 'generator', 'program.js');

/** What `npm run build` writes. */
export const CACHE = join(ROOT, 'dist', 'code-cache.bin');

/** The same as `require(path)`, but faster. */
export function loadFromCache(path: string, file = CACHE): unknown {
  const { execArgv, env } = process;
  const modules = isPlain(execArgv, env) ? openArchive(file, ROOT, Date.now()) : null;
  return modules === null ? require(path) : createLoader(modules)(path);
}

/** Options of Node that only limit something. */
const LIMIT = /^--max-[a-z-]+=\d+$/;

/**
 * Whether Node runs as usual. Other options may replace what modules require, or count which lines run: then Node itself loads
 * all modules.
 */
export function isPlain(options: readonly string[], env: Readonly<Record<string, string | undefined>>): boolean {
  const more = (env.NODE_OPTIONS ?? '').split(/\s+/).filter((one) => one !== '');
  return [...options, ...more].every((one) => LIMIT.test(one)) && !CHANGES_LOADING.some((name) => env[name]);
}

/** Variables with the effect of such options. */
const CHANGES_LOADING = ['NODE_V8_COVERAGE', 'NODE_PRESERVE_SYMLINKS'];
