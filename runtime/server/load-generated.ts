// Loads generated code: the project's own, which is compiled with it, or code from another folder. Never runs the generator.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyDefinition, Generated } from '../contract/definition.js';
import { findBuildMismatch, specOf } from '../project/build-mismatch.js';
import { genCommand } from '../project/command-line.js';
import { codeFolderOf, MARKER } from '../project/compiled.js';
import { findProject, GENERATED, NO_PROJECT } from '../project/find.js';
import type { Build } from '../project/identity.js';
import * as projectFunctions from '../resources/index.js';
import { readSchema, withFunctions } from '../schema/compact.js';
import type { Schema } from '../schema/schema.js';
import { StartError } from '../store/start-error.js';

export interface GeneratedService {
  readonly generated: Generated;
  readonly schema: Schema;
  /** Path of the API document. */
  readonly document: string;
}

/** The folder of this program. */
const ROOT = resolve(__dirname, '..', '..', '..');

/**
 * @param folder output folder of `punchboard gen`; null: that of the project
 * Throws StartError, naming the command to run, if a part is missing or belongs to another build than the rest.
 */
export function loadGenerated(folder: string | null): GeneratedService {
  const places = placesOf(folder);
  const command = commandFor(places);
  refuseBuildMismatch(places, command);
  const compiled = join(places.code, 'index.js');
  const { generated } = load(compiled, command) as { readonly generated?: Generated };
  if (generated === undefined) throw new StartError(`${compiled} is not an output of gen: run ${command}`);
  const { handwritten = projectFunctions } = generated;
  const schema = withFunctions(schemaIn(places, command), handwritten.fills);
  return { generated, schema, document: join(places.source, 'openapi.json') };
}

function schemaIn({ source }: GeneratedPaths, command: string): Schema {
  const path = join(source, 'schema.json');
  const text = readFileSync(path, 'utf8');
  try {
    return readSchema(text);
  } catch {
    throw new StartError(`${path} is not an output of gen: run ${command}`);
  }
}

/** Runs before any of the generated code is used, and before a database is opened. */
function refuseBuildMismatch({ source, code }: GeneratedPaths, command: string): void {
  for (const path of [join(code, 'index.js'), join(source, 'schema.json'), join(source, 'openapi.json')]) {
    if (!existsSync(path)) throw new StartError(`${path} is missing: run ${command}`);
  }
  const path = join(code, 'build.js');
  const { build } = existsSync(path) ? (load(path, command) as { readonly build?: Build }) : {};
  const problem = findBuildMismatch({ generated: source, code, build, version: programVersion() });
  if (problem !== null) throw new StartError(`${problem}: run ${command}`);
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

/** The API document as gen has written it. @param folder as for `loadGenerated`, which throws for the same reasons */
export function readDocument(folder: string | null): Buffer {
  const places = placesOf(folder);
  refuseBuildMismatch(places, commandFor(places));
  return readFileSync(join(places.source, 'openapi.json'));
}

function commandFor({ source, isOwn }: GeneratedPaths): string {
  if (!isOwn) return genCommand(specOf(source), source);
  return findProject('') === ROOT ? 'npm run gen' : `npm --prefix ${ROOT} run gen`;
}

/** The file that gen writes once everything else is written and compiled. */
export function compiledMarker(folder: string | null): string {
  return join(placesOf(folder).code, MARKER);
}

/** Throws StartError outside a project. */
function projectHere(): string {
  const project = findProject(process.cwd());
  if (project === null) throw new StartError(`${NO_PROJECT}: go to the project's folder`);
  return project;
}

interface GeneratedPaths {
  /** The output folder. */
  readonly source: string;
  /** The folder of the code compiled from it. */
  readonly code: string;
  /** It is compiled with the project. */
  readonly isOwn: boolean;
}

function placesOf(folder: string | null): GeneratedPaths {
  const projectCode = join(ROOT, GENERATED);
  const source = resolve(folder ?? join(projectHere(), GENERATED));
  const isOwn = same(source, projectCode);
  return { source, code: isOwn ? join(ROOT, 'dist', 'generated') : codeFolderOf(source), isOwn };
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
