// Type-checks and compiles gen's outputs, and the functions that they import, with the repository's TypeScript, for `serve`.

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

/** Whether the path is in the folder of Punchboard's own outputs, which are compiled with its code, into dist/. */
export function isOwnOutput(path: string): boolean {
  const [top] = relative(ROOT, resolve(path)).split(sep);
  return top === 'generated' && existsSync(join(ROOT, 'tsconfig.json'));
}

/** Import path of the kit from the output folder: its name if Punchboard is installed, else the path to this Punchboard. */
export function kitPath(out: string): string {
  return resolveModule(KIT, [out]) === null
    ? relative(resolve(out), join(ROOT, 'dist', 'runtime', 'contract', 'kit.js')).replaceAll('\\', '/')
    : KIT;
}

/** @returns the path of the module, resolved from the first of the folders that has it; null if none has it */
export function resolveModule(name: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      return createRequire(join(resolve(folder), 'index.js')).resolve(name);
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/**
 * Our own output is compiled into dist/, another repository's into .punchboard/, and any other next to its sources: the same
 * import paths apply everywhere.
 * @param sources outputs below `out`, and absolute paths of hand-written functions: nothing else is compiled unless it is
 * imported
 * @param stateFolder folder for the compiler's incremental state of an output folder outside the project
 * @returns the compiler's error messages, with paths relative to the working directory; empty if there are none
 */
export function compile(out: string, sources: readonly string[], stateFolder: string): string {
  // Functions that are changed and changed back would otherwise look compiled, although the last run failed.
  unmark(out);
  const mistakes = typescript(out, projectOptions(out, sources, stateFolder));
  if (mistakes !== '' || uncompiled(out, sources).length === 0) return mistakes;
  // The compiler skips files that it has compiled before, even if its output has been removed or replaced since.
  rmSync(memory(out, stateFolder), { force: true });
  return typescript(out, projectOptions(out, sources, stateFolder));
}

/** The compiler's incremental state. */
function memory(out: string, stateFolder: string): string {
  return isOwnOutput(out) ? join(ROOT, 'dist', 'tsconfig.tsbuildinfo') : join(stateFolder, 'compiled.tsbuildinfo');
}

/** A file that the compiler has to write. */
interface UncompiledFile {
  readonly path: string;
  readonly state: 'missing' | 'stale';
}

/**
 * The compiled files that are missing, and the one with the build identity, if that is of another build.
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
 * Compiles files separately, without types, in a tenth of the time, with the same result as `compile`.
 * @param sources changed outputs, below `out`; all their imports are compiled already
 */
export function transpile(out: string, sources: readonly string[]): void {
  const place = isOwnOutput(out)
    ? ['--rootDir', ROOT, '--outDir', join(ROOT, 'dist'), '--sourceMap']
    : repositoryOptions(out);
  const alone = ['--noCheck', '--noResolve', '--isolatedModules', '--types', '', '--lib', 'es5'];
  if (sources.length > 0)
    typescript(out, [...EMITTED, ...place, ...alone, ...sources.map((path) => resolve(out, path))]);
}

/** Checks the types of transpiled code. @returns as `compile` does; with errors, the code does not count as compiled */
export function checkTypes(out: string, sources: readonly string[], stateFolder: string): string {
  // On one processor, since the server that is starting needs another.
  const mistakes = typescript(out, ['--noEmit', '--singleThreaded', ...projectOptions(out, sources, stateFolder)]);
  if (mistakes !== '') unmark(out);
  return mistakes;
}

/** Compiles hand-written tests of a repository. @returns as `compile` does */
export function compileTests(out: string, tests: readonly string[]): string {
  return typescript(out, [...EMITTED, ...repositoryOptions(out), '--types', 'node,jest', ...CHECKED, ...tests]);
}

/** The same as in tsconfig.json. */
const EMITTED = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'];

function projectOptions(out: string, sources: readonly string[], stateFolder: string): readonly string[] {
  if (isOwnOutput(out)) return ['--project', ROOT];
  const roots = sources.map((path) => resolve(out, path));
  const repository = repositoryOptions(out);
  return [
    ...EMITTED,
    ...(repository.length > 0 ? repository : ['--typeRoots', join(ROOT, 'node_modules', '@types')]),
    ...['--types', 'node', ...CHECKED],
    ...incrementalOptions(stateFolder),
    // Each file is named, since nothing imports tests, or the validators of events in a project without events.
    ...roots,
  ];
}

/** Without the types of browsers, the compiler takes a third less time. */
const CHECKED = [
  ...['--lib', 'es2023', '--strict', '--skipLibCheck'],
  ...['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
];

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
 * The compiler's own program, which is native. The script `tsc` starts it as a second process, which takes 135 ms instead of 20
 * for one file; it is used if the program is not in its usual place.
 */
function compiler(out: string): readonly [program: string, ...script: string[]] {
  const manifest = resolveModule('typescript/package.json', [out, ROOT]);
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
  const place = isOwnOutput(path) ? join(ROOT, 'dist', relative(ROOT, resolve(path))) : codeFolderOf(path);
  return place.replace(/\.ts$/, '.js');
}

/**
 * Signals that all outputs are written and compiled.
 * @param codeHash hash of the compiled code
 * @param isChecked false after `transpile`, whose code does not count as compiled until its types are checked
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
 * Whether all sources are compiled without mistakes. False also after a gen that was killed before it had checked their types.
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
