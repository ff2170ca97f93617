// Applies the rules to a whole spec and reports every mistake in one pass.
import { collect } from '../diagnostics/collect.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { RawSpec } from '../language/language.js';
import type { Document } from '../load/load.js';
import type { Assembled, Project } from './project.js';
import { RULES } from './rules.js';

export interface CheckedSpec {
  readonly documents: readonly Document[];
  readonly project: Project;
  /** Complete only when no diagnostic is an error. */
  readonly spec: RawSpec;
  /** From all phases so far, sorted by path and position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Never throws for an author's mistake. */
export function check({ documents, project, diagnostics }: Assembled): CheckedSpec {
  const found = Object.values(RULES).map((rule) => [...rule(project)]);
  return { documents, project, spec: project.spec, diagnostics: collect(diagnostics, ...found) };
}
