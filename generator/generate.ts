// Every file that is generated from a spec, as text.

import type { SpecSource } from './check/project.js';
import { compileSpec } from './compile-spec.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import { type GeneratedFiles, identifiedOutputs, type Output } from './emit/output.js';
import { printJson } from './emit/print.js';
import { render } from './emit/render.js';
import { type Remember, withoutCache } from './emit/validators.js';
import { editorSchema } from './form/descriptor-schema.js';
import type { RawSpec } from './language/language.js';
import { ledgerText } from './ledger/ledger.js';
import { kindOf } from './model/kinds/kinds.js';
import type { Model } from './model/model.js';
import { clientLicence, clientPart, punchboardVersion } from './write/installed.js';

export type Generation =
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  | (GeneratedFiles & { readonly ok: true; readonly diagnostics: readonly Diagnostic[]; readonly model: Model });

/**
 * @param source the texts of a spec
 * @param kit import path of the runtime's kit, relative to the output folder
 * @param remember cache of compiled validators from earlier runs; none by default
 * @param functions import path of the spec's own functions, relative to the output folder; null if it has none
 * @returns every output, or the mistakes in the spec; if there are errors, there is no output at all
 */
export function generate(
  source: SpecSource,
  kit: string,
  remember: Remember = withoutCache,
  functions: string | null = null,
): Generation {
  const compiled = compileSpec(source);
  const { diagnostics } = compiled;
  if (!compiled.ok) return { ok: false, diagnostics };
  const { model, spec } = compiled;
  const ledger = { path: 'ledger.json', text: ledgerText(compiled.ledger) };
  const origin = { files: source.files, ledger, version: punchboardVersion() };
  return {
    ...{ ok: true, diagnostics, model },
    ...identifiedOutputs(
      render(model, {
        ...{ kit, remember, functions, versions: compiled.versions },
        isOwn: source.code === 'own',
        ...{ copied: clientPart, licence: clientLicence() },
      }),
      origin,
    ),
    specOutputs: [editorsSchema(spec), ledger],
  };
}

function editorsSchema(spec: RawSpec): Output {
  const references = spec.resources.flatMap(({ fields }) =>
    [...fields].flatMap(([name, field]) => (kindOf(field).refers === 'named' ? [name] : [])),
  );
  const names = {
    references: [...new Set(references)].sort(),
    resources: spec.resources.map(({ resource }) => resource),
    conventions: spec.conventions,
    events: spec.events,
  };
  return { path: 'descriptor.schema.json', text: printJson(editorSchema(names)) };
}
