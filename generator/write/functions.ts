// Where the hand-written functions of a spec are: ours in runtime/resources, those of any other in its own folder.

import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Code } from '../../runtime/check-needs.js';
import { FUNCTIONS, functionsIn, hasFunctions, hashOfCode } from '../../runtime/project/compiled.js';
import { ROOT } from './compile.js';

/** Which hand-written code the descriptors of a spec folder must suit. */
export function codeOf(spec: string): Code {
  if (isOwnSpec(spec)) return 'own';
  return hasFunctions(spec) ? 'given' : 'shared';
}

/** Absolute paths of the TypeScript files in the folder, sorted; empty unless the spec brings its own functions. */
export function functionFiles(spec: string): readonly string[] {
  if (codeOf(spec) !== 'given') return [];
  return functionsIn(spec).map((file) => resolve(spec, FUNCTIONS, file));
}

/** Import path of the functions from the output folder; null if the spec brings none. */
export function functionsPath({ spec, out }: { readonly spec: string; readonly out: string }): string | null {
  if (codeOf(spec) !== 'given') return null;
  const path = relative(resolve(out), resolve(spec, FUNCTIONS, 'index.js')).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** A hash of everything that is compiled: the outputs, by their build identity, and the functions. */
export function hashWithFunctions(identity: string, spec: string): string {
  return hashOfCode(identity, codeOf(spec) === 'given' ? resolve(spec) : null);
}

/** Whether these are the project's own descriptors, which runtime/resources is written for. */
function isOwnSpec(folder: string): boolean {
  const own = join(ROOT, 'spec');
  return existsSync(own) && realpathSync(folder) === realpathSync(own);
}
