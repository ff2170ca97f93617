// The model of a spec folder for the matrix. It loads the generator, never the runtime.
import { join } from 'node:path';
import { compileSpec } from '../../generator/compile-spec.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import type { Model } from '../../generator/model/model.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ROOT } from '../support/paths.js';

export const SPEC = join(ROOT, 'spec');

/** The model of a spec folder; throws with its diagnostics. */
export function modelOf(spec: string): Model {
  return ok(compileSpec(readSpec(spec))).model;
}

/** Throws with the diagnostics if the spec is wrong. */
export function ok<T extends Result>(result: T): Extract<T, { ok: true }> {
  if (result.ok) return result as Extract<T, { ok: true }>;
  throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
}

interface Result {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}
