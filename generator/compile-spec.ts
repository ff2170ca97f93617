// From the texts of a spec to its model. Every command starts here. Pure: text in, data out.

import type { Code } from '../runtime/check-needs.js';
import { type CheckedSpec, check } from './check/check.js';
import { assemble } from './check/project.js';
import { refused } from './diagnostics/collect.js';
import type { Ledger } from './ledger/ledger.js';
import { load, type SourceFile } from './load/load.js';
import { buildModel } from './model/build-model.js';
import type { Model } from './model/model.js';

export interface Source {
  /** conventions.yaml, events.yaml and resources/*.yaml, in any order. */
  readonly files: readonly SourceFile[];
  /** Null where the spec has none yet. */
  readonly ledger: Ledger | null;
  /** The hand-written code that must find what it needs; none unless given. */
  readonly code?: Code;
  /** Whether the process compiles the spec again after an edit: then it remembers what rules found. Otherwise that costs time. */
  readonly repeated?: boolean;
}

/** What a spec says, and its model where no diagnostic is an error. */
export type CompiledSpec = CheckedSpec &
  ({ readonly ok: false } | { readonly ok: true; readonly model: Model; readonly ledger: Ledger });

/** Never throws for a mistake in the spec. */
export function compileSpec({ files, ledger, code, repeated = false }: Source): CompiledSpec {
  return build(check(assemble(load(files), { ledger, code: code ?? null, repeated })));
}

function build(checked: CheckedSpec): CompiledSpec {
  if (refused(checked.diagnostics)) return { ...checked, ok: false };
  const { ledger } = checked.project.extended;
  return { ...checked, ok: true, model: buildModel(checked.spec, ledger), ledger };
}
