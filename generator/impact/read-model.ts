// From the texts of a spec to its model and ledger, without what gen would write. The pipeline of generate.ts up to the views.

import { check } from '../check/check.js';
import type { Source } from '../compile-spec.js';
import { collect, refused } from '../diagnostics/collect.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { EMPTY_LEDGER, type Ledger } from '../ledger/ledger.js';
import { load } from '../load/load.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';

export interface Read {
  readonly diagnostics: readonly Diagnostic[];
  /** Null where there are errors. */
  readonly built: { readonly model: Model; readonly ledger: Ledger } | null;
}

export function readModel({ files, ledger }: Source): Read {
  const { documents, diagnostics: unreadable } = load(files);
  const { spec, diagnostics: wrong } = check(documents, ledger);
  const diagnostics = collect(unreadable, wrong);
  return { diagnostics, built: refused(diagnostics) ? null : buildModel(spec, ledger ?? EMPTY_LEDGER) };
}
