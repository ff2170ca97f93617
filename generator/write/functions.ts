// Where the hand-written functions of a spec are: ours in runtime/resources, those of any other in its own folder.

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Code } from '../../runtime/check-needs.js';
import { hash } from '../emit/output.js';
import { ROOT } from './compile.js';

/** Folder in the spec folder; its index.ts exports what behaviour.ts declares. */
export const FUNCTIONS = 'functions';

/** Which hand-written code the descriptors of a spec folder must suit. */
export function codeOf(spec: string): Code {
  if (isOwnSpec(spec)) return 'own';
  return existsSync(join(spec, FUNCTIONS, 'index.ts')) ? 'given' : 'shared';
}

/** Absolute paths of the TypeScript files in the folder, sorted; empty unless the spec brings its own functions. */
export function functionFiles(spec: string): readonly string[] {
  if (codeOf(spec) !== 'given') return [];
  const folder = resolve(spec, FUNCTIONS);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes('node_modules'))
    .sort()
    .map((file) => join(folder, file));
}

/** Import path of the functions from the output folder; null if the spec brings none. */
export function functionsPath({ spec, out }: { readonly spec: string; readonly out: string }): string | null {
  if (codeOf(spec) !== 'given') return null;
  const path = relative(resolve(out), resolve(spec, FUNCTIONS, 'index.js')).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** A hash of everything that is compiled: the outputs, by the hash of their manifest, and the functions. */
export function hashWithFunctions(manifestHash: string, spec: string): string {
  const texts = functionFiles(spec).map((path) => [path, readFileSync(path, 'utf8')]);
  return texts.length === 0 ? manifestHash : hash(JSON.stringify([manifestHash, texts]));
}

/** Whether these are the project's own descriptors, which runtime/resources is written for. */
function isOwnSpec(folder: string): boolean {
  const own = join(ROOT, 'spec');
  return existsSync(own) && realpathSync(folder) === realpathSync(own);
}
