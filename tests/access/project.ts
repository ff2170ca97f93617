// The model of a spec folder, as the matrix takes it. Loads the generator, never the runtime.
import { join } from 'node:path';
import { type Generation, generate } from '../../generator/emit/generate.js';
import type { Model } from '../../generator/model/model.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ROOT } from '../support/paths.js';

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
