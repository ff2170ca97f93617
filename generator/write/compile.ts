// Type-checks and compiles what gen wrote, so that `serve` finds it ready. Runs the project's TypeScript, nothing else.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The project's root, seen from the compiled generator. */
export const ROOT = resolve(__dirname, '..', '..', '..');

/** True: the folder is compiled with the project, into dist/. */
export function isOwn(out: string): boolean {
  const inside = relative(ROOT, resolve(out));
  return inside !== '' && !inside.startsWith('..') && existsSync(join(ROOT, 'tsconfig.json'));
}

/** Import path of the kit, seen from the output folder: the source for our own, the compiled one for any other. */
export function kitPath(out: string): string {
  const kit = isOwn(out) ? join(ROOT, 'runtime', 'kit.js') : join(ROOT, 'dist', 'runtime', 'kit.js');
  return relative(resolve(out), kit).replaceAll('\\', '/');
}

/**
 * Our own output is compiled into dist/ with the project, any other beside its sources, where the same import paths hold.
 * @param sources what gen wrote, below `out`: nothing else in the folder is looked at unless it is imported
 * @param memory folder where the compiler remembers what it has seen of a folder that is not ours
 * @returns what the compiler says against the generated code; empty when all is well
 */
export function compile(out: string, sources: readonly string[], memory: string): string {
  const roots = sources.map((path) => resolve(out, path));
  const options = isOwn(out)
    ? ['--project', ROOT]
    : [
        ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'],
        ...['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
        ...['--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
        ...remembering(roots, memory),
        // Each by its name: nothing imports a test, nor the validators of events where there are none.
        ...roots,
      ];
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...options], { cwd: ROOT, encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}

/** Where the code is that was compiled from a file of an output folder, or from all of one. */
export function compiledPath(path: string): string {
  const place = isOwn(path) ? join(ROOT, 'dist', relative(ROOT, resolve(path))) : resolve(path);
  return place.replace(/\.ts$/, '.js');
}

/** Tells whoever waits for it that all is written and compiled. @param stamp of the outputs */
export function markCompiled(out: string, stamp: string): void {
  writeFileSync(join(compiledPath(out), MARKER), marker(stamp));
}

/** False: a gen that wrote the outputs of `stamp` was killed, or the compiler found mistakes. */
export function isCompiled(out: string, stamp: string): boolean {
  const path = join(compiledPath(out), MARKER);
  return existsSync(path) && readFileSync(path, 'utf8') === marker(stamp);
}

const MARKER = 'compiled.js';

function marker(stamp: string): string {
  return `// Written by \`punchboard gen\` when all beside it was compiled: \`serve --watch\` waits for it.\n// ${stamp}\n`;
}

/** The compiler leaves alone what it remembers to have compiled, so it must not remember what is no longer there. */
function remembering(sources: readonly string[], memory: string): readonly string[] {
  if (!canWrite(memory)) return [];
  const info = join(memory, 'compiled.tsbuildinfo');
  const compiled = statSync(info, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const gone = sources.some(
    (source) => !existsSync(source.replace(/\.ts$/, '.js')) && statSync(source).mtimeMs < compiled,
  );
  if (gone) rmSync(info);
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
