// Type-checks and compiles what gen wrote, and the functions it imports, with the project's TypeScript, for `serve`.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The project's root folder. */
export const ROOT = resolve(__dirname, '..', '..', '..');

/** Whether the path is that of the project's own outputs, or below it: they are compiled with the project, into dist/. */
export function isOwn(path: string): boolean {
  const [top] = relative(ROOT, resolve(path)).split(sep);
  return top === 'generated' && existsSync(join(ROOT, 'tsconfig.json'));
}

/** Import path of the kit from the output folder: its source for the project's own output, the compiled file for any other. */
export function kitPath(out: string): string {
  const kit = isOwn(out) ? join(ROOT, 'runtime', 'kit.js') : join(ROOT, 'dist', 'runtime', 'kit.js');
  return relative(resolve(out), kit).replaceAll('\\', '/');
}

/**
 * The project's own output is compiled into dist/, any other next to its sources, where the same import paths hold.
 * @param sources what gen wrote, below `out`, and absolute paths of hand-written functions: nothing else is compiled
 *   unless it is imported
 * @param stateFolder folder for the compiler's incremental state of an output folder outside the project
 * @returns the compiler's error messages, with paths as seen from the working directory; empty if there are none
 */
export function compile(out: string, sources: readonly string[], stateFolder: string): string {
  // Functions that are changed and changed back would otherwise look compiled, although the last run failed.
  unmark(out);
  return typescript(projectOptions(out, sources, stateFolder));
}

/**
 * Compiles files alone, without types, in a tenth of the time: the same code that `compile` makes of them.
 * @param sources changed outputs, below `out`; whatever they import is compiled already
 */
export function transpile(out: string, sources: readonly string[]): void {
  const place = isOwn(out) ? ['--rootDir', ROOT, '--outDir', join(ROOT, 'dist'), '--sourceMap'] : [];
  const alone = ['--noCheck', '--noResolve', '--isolatedModules', '--types', '', '--lib', 'es5'];
  if (sources.length > 0) typescript([...EMITTED, ...place, ...alone, ...sources.map((path) => resolve(out, path))]);
}

/** Checks the types of what `transpile` has compiled. @returns as `compile` does; with errors, it does not count as compiled */
export function checkTypes(out: string, sources: readonly string[], stateFolder: string): string {
  // On one processor: the server that starts meanwhile needs another.
  const mistakes = typescript(['--noEmit', '--singleThreaded', ...projectOptions(out, sources, stateFolder)]);
  if (mistakes !== '') unmark(out);
  return mistakes;
}

/** As in tsconfig.json. */
const EMITTED = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'];

function projectOptions(out: string, sources: readonly string[], stateFolder: string): readonly string[] {
  if (isOwn(out)) return ['--project', ROOT];
  const roots = sources.map((path) => resolve(out, path));
  return [
    ...EMITTED,
    ...['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
    ...['--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
    ...incrementalOptions(roots, stateFolder),
    // Each file is named, since nothing imports tests, nor the validators of events in a project without events.
    ...roots,
  ];
}

function typescript(options: readonly string[]): string {
  const [program, ...script] = compiler();
  const { stdout, stderr, error } = spawnSync(program, [...script, ...options], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return `${stdout}${stderr}`.trim();
}

/**
 * The compiler's own program, which is native. The script `tsc` starts it as a second process: with that, compiling one file
 * took 135 ms instead of 20. The script is used where the program is not where it usually is.
 */
function compiler(): readonly [program: string, ...script: string[]] {
  const folder = dirname(require.resolve('typescript/package.json', { paths: [ROOT] }));
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
  const place = isOwn(path) ? join(ROOT, 'dist', relative(ROOT, resolve(path))) : resolve(path);
  return place.replace(/\.ts$/, '.js');
}

/**
 * Signals that all outputs are written and compiled.
 * @param outputHash hash of what was compiled
 * @param isChecked false: `transpile` has compiled them, and it does not count until their types are checked
 */
export function markCompiled(out: string, outputHash: string, isChecked = true): void {
  const unchecked = join(compiledPath(out), UNCHECKED);
  if (isChecked) rmSync(unchecked, { force: true });
  else writeFileSync(unchecked, '// The types of what is beside it have not been checked yet.\n');
  writeFileSync(join(compiledPath(out), MARKER), marker(outputHash));
}

function unmark(out: string): void {
  rmSync(join(compiledPath(out), MARKER), { force: true });
}

/** False: the gen that wrote these outputs was killed before it had checked their types, or the compiler found mistakes. */
export function isCompiled(out: string, outputHash: string): boolean {
  const path = join(compiledPath(out), MARKER);
  if (existsSync(join(compiledPath(out), UNCHECKED))) return false;
  return existsSync(path) && readFileSync(path, 'utf8') === marker(outputHash);
}

const MARKER = 'compiled.js';
const UNCHECKED = 'unchecked.js';

function marker(outputHash: string): string {
  return `// Written by \`punchboard gen\` after everything beside it was compiled; \`serve --watch\` waits for it.\n// ${outputHash}\n`;
}

/** The compiler skips what it believes is compiled, so its state is deleted if compiled files have disappeared. */
function incrementalOptions(sources: readonly string[], stateFolder: string): readonly string[] {
  if (!canWrite(stateFolder)) return [];
  const info = join(stateFolder, 'compiled.tsbuildinfo');
  const compiled = statSync(info, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOutdated = sources.some(
    (source) => !existsSync(source.replace(/\.ts$/, '.js')) && statSync(source).mtimeMs < compiled,
  );
  if (isOutdated) rmSync(info);
  return ['--incremental', '--tsBuildInfoFile', info];
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
