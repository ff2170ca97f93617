// The pipeline: load, check, model, views, render. Text in, text out; it never touches the disk.

import { check } from './check/check.js';
import type { Code } from './check/project.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import type { Output } from './emit/output.js';
import { type KitPath, render } from './emit/render.js';
import { forget, type Remember } from './emit/validators.js';
import { descriptorSchema } from './language/descriptor-schema.js';
import type { RawSpec } from './language/language.js';
import { EMPTY_LEDGER, type Ledger, ledgerText } from './ledger/ledger.js';
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
}

export type Generation =
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: true;
      readonly diagnostics: readonly Diagnostic[];
      readonly model: Model;
      /** Files of the output folder. */
      readonly outputs: readonly Output[];
      /** Files that gen keeps in the spec folder: the ledger and the editors' schema. */
      readonly specOutputs: readonly Output[];
    };

/**
 * @param source the texts of a spec
 * @param kit import path of the runtime's kit as seen from the output folder
 * @param remember what is remembered of earlier runs; nothing unless given
 * @returns every output, or what is wrong with the spec; with errors there is no output at all
 */
export function generate(source: Source, kit: KitPath, remember: Remember = forget): Generation {
  const { documents, diagnostics: unreadable } = load(source.files);
  const { spec, diagnostics: wrong } = check(documents, source.ledger, source.code);
  const diagnostics = [...unreadable, ...wrong];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics };
  const { model, ledger } = buildModel(spec, source.ledger ?? EMPTY_LEDGER);
  return {
    ok: true,
    diagnostics,
    model,
    outputs: render(model, kit, remember),
    specOutputs: specOutputs(spec, ledger),
  };
}

function specOutputs(spec: RawSpec, ledger: Ledger): readonly Output[] {
  const names = {
    resources: spec.resources.map(({ resource }) => resource),
    conventions: spec.conventions,
    events: spec.events,
  };
  return [
    { path: 'descriptor.schema.json', text: `${JSON.stringify(descriptorSchema(names), null, 2)}\n` },
    { path: 'ledger.json', text: ledgerText(ledger) },
  ];
}
