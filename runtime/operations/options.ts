// GET /api/<resource>/_options: the allowed values by field (D24), computed at start.
import type { Run } from './call.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** Responds 200 with `{field: [values]}`, the same for every caller. */
export function optionsOperation(planOf: PlanOf): Run {
  return ({ definition, parameters }) => ({
    status: 200,
    body: planOf(definition).options,
    ignored: unknownNames(parameters),
  });
}
