// Loads generated code: the project's own, which is compiled with it, or that of another folder. Never runs the generator.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyDefinition, Generated } from '../definition.js';
import { readSchema } from '../schema/compact.js';
import type { Schema } from '../schema/schema.js';
import { StartError } from '../store/start-error.js';

export interface Loaded {
  readonly generated: Generated;
  readonly schema: Schema;
  /** Path of the API document. */
  readonly document: string;
}

/** The project's root folder. */
const ROOT = resolve(__dirname, '..', '..', '..');

/**
 * @param folder output folder of `punchboard gen`; null: the project's own
 * Throws StartError, naming the command to run, if part of it is missing.
 */
export function loadGenerated(folder: string | null): Loaded {
  const { source, code, isOwn } = placesOf(folder);
  const command = commandFor(source, isOwn);
  const compiled = join(code, 'index.js');
  const schema = join(source, 'schema.json');
  const document = join(source, 'openapi.json');
  for (const path of [compiled, schema, document]) {
    if (!existsSync(path)) throw new StartError(`${path} is missing: run ${command}`);
  }
  const { generated } = load(compiled, command) as { readonly generated?: Generated };
  if (generated === undefined) throw new StartError(`${compiled} is not an output of gen: run ${command}`);
  return { generated, schema: readSchema(readFileSync(schema, 'utf8')), document };
}

/** The resource whose records log in. Throws StartError if there is none. */
export function principalOf({ definitions }: Generated): AnyDefinition {
  const principal = definitions.find((definition) => definition.principal);
  if (principal === undefined) throw new StartError('no descriptor declares `principal: true`: nobody can log in');
  return principal;
}

/** The version of this program. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}

/** The API document as gen writes it. @param folder as for `loadGenerated`; throws StartError if it is missing */
export function readDocument(folder: string | null): Buffer {
  const { source, isOwn } = placesOf(folder);
  const path = join(source, 'openapi.json');
  if (!existsSync(path)) throw new StartError(`${path} is missing: run ${commandFor(source, isOwn)}`);
  return readFileSync(path);
}

function commandFor(source: string, isOwn: boolean): string {
  return isOwn ? 'npm run gen' : `punchboard gen --spec DIR --out ${source}`;
}

/** The file that gen writes after everything else is written and compiled. */
export function compiledMarker(folder: string | null): string {
  return join(placesOf(folder).code, 'compiled.js');
}

/** The folders of the outputs and of the code compiled from them. */
function placesOf(folder: string | null): { source: string; code: string; isOwn: boolean } {
  const own = join(ROOT, 'generated');
  const source = folder === null ? own : resolve(folder);
  const isOwn = same(source, own);
  return { source, code: isOwn ? join(ROOT, 'dist', 'generated') : source, isOwn };
}

function same(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) ? realpathSync(one) === realpathSync(other) : one === other;
}

function load(path: string, command: string): unknown {
  try {
    return require(path);
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new StartError(`${path} cannot be loaded (${line}): run ${command}`);
  }
}
