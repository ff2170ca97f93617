// The project's own code and model, as the matrix takes them.
import { join } from 'node:path';
import { type Generation, generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/io.js';
import type { Model } from '../../generator/model.js';
import type { Running, StartOptions } from '../../runtime/main.js';
import type { Collaborators, Operations } from '../../runtime/operations/operations.js';
import { ROOT } from '../support/paths.js';
import type { Code } from './world.js';

export const SPEC = join(ROOT, 'spec');

/** The model of a spec folder; throws with its diagnostics. */
export function modelOf(spec: string): Model {
  return ok(generate(readSpec(spec), '../runtime/kit.js')).model;
}

/** Throws with the diagnostics of a spec that is wrong. */
export function ok(generation: Generation): Extract<Generation, { ok: true }> {
  if (generation.ok) return generation;
  throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
}

/** The code under test from its two functions, which come from wherever the code was loaded. */
export function codeOf(
  start: (options: StartOptions) => Promise<Running>,
  createOperations: (collaborators: Collaborators) => Operations,
): Code {
  return {
    start,
    operations: ({ service: { store, generated } }) =>
      createOperations({
        store,
        definitions: generated.definitions,
        hashPassword: async (text) => text,
        // Actions whose module is not there yet: whether they may be called is looked at, not what they do.
        actions: Object.fromEntries(
          generated.definitions.map(({ name, actions }) => [
            name,
            Object.fromEntries(Object.keys(actions).map((action) => [action, () => ({ status: 200, body: '{}' })])),
          ]),
        ),
      }),
  };
}
