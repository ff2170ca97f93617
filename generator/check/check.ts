// Documents to the merged spec, with every mistake in one pass. The model is built from the spec only when none is an error.
import { collect } from '../diagnostics/collect.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { RawSpec } from '../language/language.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Document } from '../load/load.js';
import { assemble, type Code } from './project.js';
import { RULES } from './rules.js';

export interface Checked {
  /** Complete only when no diagnostic is an error. */
  readonly spec: RawSpec;
  /** Sorted by path and position; those of `load` are not among them. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks the form of every document, merges conventions, and applies the rules to the whole. Never throws for an author's mistake.
 * @param ledger what the names of the spec were before; null: there is none yet
 * @param code the hand-written code that must find what it needs; null: none is looked at
 */
export function check(documents: readonly Document[], ledger: Ledger | null = null, code: Code | null = null): Checked {
  const { project, diagnostics } = assemble(documents, ledger, code);
  const found = Object.values(RULES).map((rule) => [...rule(project)]);
  return { spec: project.spec, diagnostics: collect(diagnostics, ...found) };
}
