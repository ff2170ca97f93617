// All rules by name, each name a sentence. A new rule is a row in the table of its topic.
import { ACCESS_RULES } from './access-rules.js';
import { ACTION_RULES } from './action-rules.js';
import { CATALOGUE_RULES } from './catalogue-rules.js';
import { COPY_RULES } from './copy-rules.js';
import { DEPARTURE_RULES } from './departure-rules.js';
import { ENGINE_RULES } from './engine-rules.js';
import { EVENT_RULES } from './event-rules.js';
import { FIELD_RULES } from './field-rules.js';
import { FILL_RULES } from './fill-rules.js';
import { HISTORY_RULES } from './history-rules.js';
import { LIMIT_RULES } from './limit-rules.js';
import { MADE_RULES } from './made-rules.js';
import { MEMBER_RULES } from './member-rules.js';
import { NAME_RULES } from './name-rules.js';
import { NEED_RULES } from './need-rules.js';
import { PATH_RULES } from './path-rules.js';
import { PLACEMENT_RULES } from './placement-rules.js';
import { REFERENCE_RULES } from './reference-rules.js';
import type { RuleTable } from './rule.js';
import { SHORT_FORM_RULES } from './short-form-rules.js';
import { VALUE_RULES } from './value-rules.js';
import { VIEW_RULES } from './view-rules.js';
import { WHOLE_RULES } from './whole-rules.js';

export const RULES: RuleTable = {
  ...SHORT_FORM_RULES,
  ...NAME_RULES,
  ...HISTORY_RULES,
  ...DEPARTURE_RULES,
  ...FIELD_RULES,
  ...VALUE_RULES,
  ...FILL_RULES,
  ...LIMIT_RULES,
  ...REFERENCE_RULES,
  ...PATH_RULES,
  ...ACCESS_RULES,
  ...VIEW_RULES,
  ...EVENT_RULES,
  ...ACTION_RULES,
  ...COPY_RULES,
  ...MEMBER_RULES,
  ...PLACEMENT_RULES,
  ...MADE_RULES,
  ...ENGINE_RULES,
  ...CATALOGUE_RULES,
  ...WHOLE_RULES,
  ...NEED_RULES,
};
