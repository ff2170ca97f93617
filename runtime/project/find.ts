// Finds the project that a command applies to: the nearest folder upwards with a spec, or with generated code that carries a
// build identity. No command falls back to another service (N13).

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { identitiesIn } from './identity.js';
import { isSpec } from './spec-files.js';

/** Folders of a project. */
export const SPEC = 'spec';
export const GENERATED = 'generated';

/** @returns the project's folder, absolute; null: neither the folder nor any above it is a project */
export function findProject(folder: string): string | null {
  const here = resolve(folder);
  if (isProject(here)) return here;
  const above = dirname(here);
  return above === here ? null : findProject(above);
}

/** The beginning of a message; advice follows. */
export const NO_PROJECT =
  'no folder from here upwards is a project, with a spec (spec/resources) or generated code (generated/schema.json)';

/** A place in the project's folder, as seen from the working directory. @param project absolute */
export function pathInProject(project: string, place: string): string {
  return relative('', join(project, place)) || '.';
}

/** An image has no spec. */
function isProject(folder: string): boolean {
  const schema = join(folder, GENERATED, 'schema.json');
  return isSpec(join(folder, SPEC)) || (existsSync(schema) && identitiesIn(readFileSync(schema, 'utf8')).length > 0);
}
