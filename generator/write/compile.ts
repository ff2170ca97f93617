// Type-checks and compiles what gen wrote, and the functions it imports, with the repository's TypeScript, for `serve`.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { notInstalled } from '../../runtime/contract/peers.js';
import { BUILD_FOLDER, codeFolderOf, MARKER, markerText, repositoryOf } from '../../runtime/project/compiled.js';
import { identityOfCode } from '../../runtime/project/identity.js';
import { KIT } from '../emit/outputs.js';

/** The root folder of Punchboard, as installed or as a checkout. */
export const ROOT = resolve(__dirname, '..', '..', '..');

/** Whether the path is that of Punchboard's own outputs, or below it: they are compiled with its code, into dist/. */
export function isOwn(path: string): boolean {
  const [top] = relative(ROOT, resolve(path)).split(sep);
  return top === 'generated' && existsSync(join(ROOT, 'tsconfig.json'));
}

/** Import path of the kit from the output folder: its name where Punchboard is installed, elsewhere where this Punchboard is. */
export function kitPath(out: string): string {
  return resolved(KIT, [out]) === null
    ? relative(resolve(out), join(ROOT, 'dist', 'runtime', 'contract', 'kit.js')).replaceAll('\\', '/')
    : KIT;
}

/** @returns where the module is that code in the first of the folders imports by this name; null: in none of them there is one */
export function resolved(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      return createRequire(join(resolve(folder), 'index.js')).resolve(name);
    } catch {
      // The next one may have it.
    }
  }
  return null;
}

/**
 * Our own output is compiled into dist/, that of another repository into .punchboard/, and any other next to its sources: in
 * each place the same import paths hold.
 * @param sources what gen wrote, below `out`, and absolute paths of hand-written functions: nothing else is compiled
 *   unless it is imported
 * @param stateFolder folder for the compiler's incremental state of an output folder outside the project
 * @returns the compiler's error messages, with paths as seen from the working directory; empty if there are none
 */
export function compile(out: string, sources: readonly string[], stateFolder: string): string {
  // Functions that are changed and changed back would otherwise look compiled, although the last run failed.
  unmark(out);
  const mistakes = typescript(out, projectOptions(out, sources, stateFolder));
  if (mistakes !== '' || uncompiled(out, sources).length === 0) return mistakes;
  // The compiler skips what it remembers to have compiled, also where that has disappeared or was replaced since.
  rmSync(memory(out, stateFolder), { force: true });
  return typescript(out, projectOptions(out, sources, stateFolder));
}

/** Where the compiler keeps what it remembers. */
function memory(out: string, stateFolder: string): string {
  return isOwn(out) ? join(ROOT, 'dist', 'tsconfig.tsbuildinfo') : join(stateFolder, 'compiled.tsbuildinfo');
}

/** A file that the compiler has to write. */
interface UncompiledFile {
  readonly path: string;
  readonly state: 'missing' | 'stale';
}

/**
 * The compiled files that are missing, and that which says of which build it is, if that is another one.
 * @param sources as for `compile`; those of the output folder may be of any kind
 */
export function uncompiled(out: string, sources: readonly string[]): readonly UncompiledFile[] {
  const code = sources.filter((path) => /(?<!\.d)\.ts$/.test(path)).map((path) => resolve(out, path));
  return code.flatMap((source): readonly UncompiledFile[] => {
    const path = compiledPath(source);
    if (!existsSync(path)) return [{ path, state: 'missing' }];
    const isStale = source === resolve(out, BUILD) && identityIn(path) !== identityIn(source);
    return isStale ? [{ path, state: 'stale' }] : [];
  });
}

function identityIn(path: string): string | null {
  return identityOfCode(readIfThere(path));
}

const BUILD = 'build.ts';

/**
 * Compiles files alone, without types, in a tenth of the time: the same code that `compile` makes of them.
 * @param sources changed outputs, below `out`; all that they import is compiled already
 */
export function transpile(out: string, sources: readonly string[]): void {
  const place = isOwn(out)
    ? ['--rootDir', ROOT, '--outDir', join(ROOT, 'dist'), '--sourceMap']
    : repositoryOptions(out);
  const alone = ['--noCheck', '--noResolve', '--isolatedModules', '--types', '', '--lib', 'es5'];
  if (sources.length > 0)
    typescript(out, [...EMITTED, ...place, ...alone, ...sources.map((path) => resolve(out, path))]);
}

/** Checks the types of what `transpile` has compiled. @returns as `compile` does; with errors, it does not count as compiled */
export function checkTypes(out: string, sources: readonly string[], stateFolder: string): string {
  // On one processor: the server that starts meanwhile needs another.
  const mistakes = typescript(out, ['--noEmit', '--singleThreaded', ...projectOptions(out, sources, stateFolder)]);
  if (mistakes !== '') unmark(out);
  return mistakes;
}

/** Compiles tests that people of a repository write. @returns as `compile` does */
export function compileTests(out: string, tests: readonly string[]): string {
  return typescript(out, [...EMITTED, ...repositoryOptions(out), '--types', 'node,jest', ...STRICT, ...tests]);
}

/** As in tsconfig.json. */
const EMITTED = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'];

function projectOptions(out: string, sources: readonly string[], stateFolder: string): readonly string[] {
  if (isOwn(out)) return ['--project', ROOT];
  const roots = sources.map((path) => resolve(out, path));
  const repository = repositoryOptions(out);
  return [
    ...EMITTED,
    ...(repository.length > 0 ? repository : ['--typeRoots', join(ROOT, 'node_modules', '@types')]),
    ...['--types', 'node', ...STRICT],
    ...incrementalOptions(stateFolder),
    // Each file is named, since nothing imports tests, nor the validators of events in a project without events.
    ...roots,
  ];
}

const STRICT = ['--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];

/** Empty outside a repository. */
function repositoryOptions(out: string): readonly string[] {
  const repository = repositoryOf(out);
  return codeFolderOf(out) === resolve(out) || repository === null
    ? []
    : ['--rootDir', repository, '--outDir', join(repository, BUILD_FOLDER)];
}

function typescript(out: string, options: readonly string[]): string {
  const [program, ...script] = compiler(out);
  const { stdout, stderr, error } = spawnSync(program, [...script, ...options], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return `${stdout}${stderr}`.trim();
}

/**
 * The compiler's own program, which is native. The script `tsc` starts it as a second process: with that, compiling one file
 * took 135 ms instead of 20. The script is used where the program is not where it usually is.
 */
function compiler(out: string): readonly [program: string, ...script: string[]] {
  const manifest = resolved('typescript/package.json', [out, ROOT]);
  if (manifest === null) throw notInstalled('typescript');
  const folder = dirname(manifest);
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const program = process.platform === 'win32' ? 'tsc.exe' : 'tsc';
  try {
    return [join(dirname(require.resolve(platform, { paths: [folder] })), 'lib', program)];
  } catch {
    return [process.execPath, join(folder, 'bin', 'tsc')];
  }
}

/** Path of the compiled code of an output file, or of a whole output folder. */
export function compiledPath(path: string): string {
  const place = isOwn(path) ? join(ROOT, 'dist', relative(ROOT, resolve(path))) : codeFolderOf(path);
  return place.replace(/\.ts$/, '.js');
}

/**
 * Signals that all outputs are written and compiled.
 * @param codeHash hash of what was compiled
 * @param isChecked false: `transpile` has compiled them, and it does not count until their types are checked
 */
export function markCompiled(out: string, codeHash: string, isChecked = true): void {
  const unchecked = join(compiledPath(out), UNCHECKED);
  if (isChecked) rmSync(unchecked, { force: true });
  else writeFileSync(unchecked, '// The types of what is beside it have not been checked yet.\n');
  writeFileSync(join(compiledPath(out), MARKER), markerText(codeHash));
}

function unmark(out: string): void {
  rmSync(join(compiledPath(out), MARKER), { force: true });
}

/**
 * Whether all sources are compiled, and were without mistakes. False also after a gen that was killed before it had checked
 * their types.
 */
export function isCompiled(out: string, sources: readonly string[], codeHash: string): boolean {
  const place = compiledPath(out);
  if (existsSync(join(place, UNCHECKED)) || readIfThere(join(place, MARKER)) !== markerText(codeHash)) return false;
  return uncompiled(out, sources).length === 0;
}

const UNCHECKED = 'unchecked.js';

function incrementalOptions(stateFolder: string): readonly string[] {
  return canWrite(stateFolder) ? ['--incremental', '--tsBuildInfoFile', join(stateFolder, 'compiled.tsbuildinfo')] : [];
}

function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null if the file does not exist. */
export function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
