// Where compiled code is stored, and the file that gen leaves with it, which identifies what it was compiled from.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { findProject, GENERATED, SPEC } from './find.js';
import { hashOf } from './identity.js';

/** Written after everything else; `serve --watch` waits for it. */
export const MARKER = 'compiled.js';

/** The text of the marker. @param hash as `hashOfCode` returns it */
export function markerText(hash: string): string {
  return `// Written by \`punchboard gen\` after everything beside it was compiled; \`serve --watch\` waits for it.\n// ${hash}\n`;
}

/** The folder for compiled code in a repository of its own, and for what gen remembers there. Git ignores it. */
export const BUILD_FOLDER = '.punchboard';

/** @returns the repository that the path belongs to: the folder of its project, with a package.json; null: none */
export function repositoryOf(path: string): string | null {
  const project = findProject(path);
  return project !== null && existsSync(join(project, 'package.json')) ? project : null;
}

/** @returns the folder for the code of a source: in a repository apart from the sources, elsewhere beside them */
export function codeFolderOf(source: string): string {
  const path = resolve(source);
  const repository = repositoryOf(path);
  if (repository === null) return path;
  const below = relative(repository, path);
  return [GENERATED, SPEC].includes(below.split(sep, 1)[0] ?? '') ? join(repository, BUILD_FOLDER, below) : path;
}

/** Folder of the hand-written functions, in the spec folder; its index.ts exports what behaviour.ts declares. */
export const FUNCTIONS = 'functions';

/** Whether the spec has functions of its own. */
export function hasFunctions(spec: string): boolean {
  return existsSync(join(spec, FUNCTIONS, 'index.ts'));
}

/** Paths of the TypeScript files with functions, sorted, relative to their folder. */
export function functionsIn(spec: string): readonly string[] {
  return readdirSync(join(spec, FUNCTIONS), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes('node_modules'))
    .sort();
}

/**
 * A hash of everything that is compiled: generated code, by its build identity, and functions.
 * @param spec folder of the spec with the functions; null: there are none
 */
export function hashOfCode(identity: string, spec: string | null): string {
  if (spec === null) return identity;
  const texts = functionsIn(spec).map((file) => [
    file.replaceAll('\\', '/'),
    readFileSync(join(spec, FUNCTIONS, file), 'utf8').replaceAll('\r\n', '\n'),
  ]);
  return hashOf(JSON.stringify([identity, texts]));
}
