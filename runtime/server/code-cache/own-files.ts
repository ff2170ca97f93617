// Modules read from their own files: while the cache is recorded, and if they have changed since.

import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { Script } from 'node:vm';
import type { Content, Modules } from './loader.js';

/** The beginning of a module in Node's own loader. It adds no line, so that line numbers in stacks are those of the file. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';

/** Undefined: Node loads it, or reports why it cannot. It may be an ES module, for example. */
export function readOwnFile(path: string): Content | undefined {
  try {
    const source = readSource(path);
    if (path.endsWith('.json')) return source;
    return IMPORTS.test(source.replace(COMMENTS, '')) ? undefined : compile(source, path);
  } catch {
    return undefined;
  }
}

/** A call of `import()`, which V8 refuses in code that comes from a cache (Node 20). */
const IMPORTS = /\bimport\s*\(/;
/** Matches most comments, since types in comments look like calls. */
const COMMENTS = /\/\*\*.*?\*\/|^\s*(\*|\/\/).*$/gm;

/** The text of a JSON file; otherwise a function of what Node passes to a module. */
export function readSource(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  return path.endsWith('.json') ? text : HEAD + text.replace(/^#!/, '//') + TAIL;
}

/** @param source as `readSource` returns it @param code V8's, if there is any */
export function compile(source: string, path: string, code?: Buffer): Script {
  return new Script(source, {
    filename: path,
    columnOffset: -HEAD.length,
    ...(code === undefined ? {} : { cachedData: code }),
  });
}

/** The same as `Modules.resolve`. @param isHere whether a module is loaded here */
export function resolveAsNode(
  specifier: string,
  path: string,
  isHere: (path: string) => boolean,
): ReturnType<Modules['resolve']> {
  if (isBuiltin(specifier)) return null;
  const resolved = createRequire(path).resolve(specifier);
  return isHere(resolved) ? resolved : undefined;
}
