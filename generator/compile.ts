// Type-checks and compiles what gen wrote, so that `serve` finds it ready. Runs the project's TypeScript, nothing else.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The project's root, seen from the compiled generator. */
export const ROOT = resolve(__dirname, '..', '..');

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
 * @returns what the compiler says against the generated code; empty when all is well
 */
export function compile(out: string): string {
  const options = isOwn(out)
    ? ['--project', ROOT]
    : [
        ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'],
        ...['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
        ...['--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
        resolve(out, 'index.ts'),
        resolve(out, 'behaviour.ts'),
      ];
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...options], { cwd: ROOT, encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}
