// Turns the texts of a spec into its model, with which every command starts. Pure: text in, data out.

import { buildModel } from './build/build-model.js';
import { type CheckedSpec, check } from './check/check.js';
import { assemble, type SpecSource } from './check/project.js';
import { collect, hasErrors } from './diagnostics/diagnostic.js';
import type { Ledger } from './ledger/ledger.js';
import { load } from './load/load.js';
import type { Model } from './model/model.js';
import { isVersionFile, readVersions } from './versions/read.js';
import type { Shape } from './versions/shape.js';

/** The contents of a spec, and its model if no diagnostic is an error. */
export type CompiledSpec = CheckedSpec &
  (
    | { readonly ok: false }
    | {
        readonly ok: true;
        readonly model: Model;
        readonly ledger: Ledger;
        /** The versions that were cut, oldest first (D68). */
        readonly versions: readonly Shape[];
      }
  );

/** Never throws for a mistake in the spec. */
export function compileSpec({ files, ledger, code }: SpecSource): CompiledSpec {
  const descriptors = files.filter((file) => !isVersionFile(file));
  const checked = check(assemble(load(descriptors), { ledger, code: code ?? null }));
  const { shapes, diagnostics } = readVersions(files.filter(isVersionFile), checked.project.extended.ledger);
  if (diagnostics.length === 0) return build(checked, shapes);
  return { ...checked, diagnostics: collect(checked.diagnostics, diagnostics), ok: false };
}

function build(checked: CheckedSpec, versions: readonly Shape[]): CompiledSpec {
  if (hasErrors(checked.diagnostics)) return { ...checked, ok: false };
  const { ledger } = checked.project.extended;
  const built = buildModel(checked.spec, ledger);
  const model = versions.length === 0 ? built : { ...built, versions };
  return { ...checked, ok: true, model, ledger, versions };
}
