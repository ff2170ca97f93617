// The model of a spec folder, as the matrix takes it. Loads the generator, never the runtime.
import { join } from 'node:path';
import { type Generation, generate } from '../../generator/emit/generate.js';
import type { Model } from '../../generator/model/model.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ROOT } from '../support/paths.js';

export const SPEC = join(ROOT, 'spec');

/**
 * The model of a spec folder; throws with its diagnostics. Without resources of which a create can be an update: the matrix
 * makes a record of its own for each probe, and deletes it.
 */
export function modelOf(spec: string): Model {
  const { model } = ok(generate(readSpec(spec), '../runtime/kit.js'));
  return { ...model, resources: model.resources.filter(({ existing }) => existing === null) };
}

/** Throws with the diagnostics of a spec that is wrong. */
export function ok(generation: Generation): Extract<Generation, { ok: true }> {
  if (generation.ok) return generation;
  throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
}
