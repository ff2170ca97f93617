// Edits of one small spec, each with what it means for callers, receivers of web hooks and stored data. Every expectation is
// derived by hand from the meaning of the edit; none was taken from a run.

import type { Pair } from './pair.js';
import { CATALOGUE_PAIRS } from './pairs-catalogue.js';
import { FIELD_PAIRS } from './pairs-fields.js';
import { LIMIT_PAIRS } from './pairs-limits.js';
import { MEANING_PAIRS } from './pairs-meaning.js';
import { RESOURCE_PAIRS } from './pairs-resources.js';
import { RIGHT_PAIRS } from './pairs-rights.js';
import { RULE_PAIRS } from './pairs-rules.js';

export type { Pair, States, Verdict } from './pair.js';
export { states } from './pair.js';
export { BASE, type Edit, edited, type State, sourceOf, state, type Texts } from './texts.js';

export const PAIRS: readonly Pair[] = [
  ...FIELD_PAIRS,
  ...LIMIT_PAIRS,
  ...RULE_PAIRS,
  ...RESOURCE_PAIRS,
  ...RIGHT_PAIRS,
  ...MEANING_PAIRS,
  ...CATALOGUE_PAIRS,
];
