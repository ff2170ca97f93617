// Applies the rules to a whole spec and reports all mistakes in one pass.
import { collect, type Diagnostic } from '../diagnostics/diagnostic.js';
import type { RawSpec } from '../language/language.js';
import type { Document } from '../load/load.js';
import { ACCESS_RULES } from './access-rules.js';
import { ACTION_RULES } from './action-rules.js';
import { CATALOGUE_RULES } from './catalogue-rules.js';
import { FIELD_RULES } from './field-rules.js';
import { HISTORY_RULES } from './history-rules.js';
import { NAME_RULES } from './name-rules.js';
import { NEIGHBOUR_RULES } from './neighbour-rules.js';
import { PLACEMENT_RULES } from './placement-rules.js';
import type { AssembledSpec, Project } from './project.js';
import { PROJECT_RULES } from './project-rules.js';
import { REFERENCE_RULES } from './reference-rules.js';
import type { RuleTable } from './rule.js';
import { VALUE_RULES } from './value-rules.js';
import { VIEW_RULES } from './view-rules.js';

export interface CheckedSpec {
  readonly documents: readonly Document[];
  readonly project: Project;
  /** Complete only if no diagnostic is an error. */
  readonly spec: RawSpec;
  /** From all phases so far, sorted by path and position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Never throws for an author's mistake. */
export function check({ documents, project, diagnostics }: AssembledSpec): CheckedSpec {
  const reported = Object.values(RULES).map((rule) => [...rule(project)]);
  return { documents, project, spec: project.spec, diagnostics: collect(diagnostics, ...reported) };
}

/** All rules by name, each name a sentence. A new rule is a row in the table of its subject. */
export const RULES: RuleTable = {
  ...FIELD_RULES,
  ...NAME_RULES,
  ...HISTORY_RULES,
  ...VALUE_RULES,
  ...REFERENCE_RULES,
  ...ACCESS_RULES,
  ...VIEW_RULES,
  ...ACTION_RULES,
  ...NEIGHBOUR_RULES,
  ...PLACEMENT_RULES,
  ...CATALOGUE_RULES,
  ...PROJECT_RULES,
};
