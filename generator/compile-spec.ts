// From the texts of a spec to its model. Every command starts here. Pure: text in, data out.

import { buildModel } from './build/build-model.js';
import { type CheckedSpec, check } from './check/check.js';
import { assemble, type SpecSource } from './check/project.js';
import { refused } from './diagnostics/diagnostic.js';
import type { Ledger } from './ledger/ledger.js';
import { load } from './load/load.js';
import type { Model } from './model/model.js';

/** What a spec says, and its model where no diagnostic is an error. */
export type CompiledSpec = CheckedSpec &
  ({ readonly ok: false } | { readonly ok: true; readonly model: Model; readonly ledger: Ledger });

/** Never throws for a mistake in the spec. */
export function compileSpec({ files, ledger, code }: SpecSource): CompiledSpec {
  return build(check(assemble(load(files), { ledger, code: code ?? null })));
}

function build(checked: CheckedSpec): CompiledSpec {
  if (refused(checked.diagnostics)) return { ...checked, ok: false };
  const { ledger } = checked.project.extended;
  return { ...checked, ok: true, model: buildModel(checked.spec, ledger), ledger };
}
