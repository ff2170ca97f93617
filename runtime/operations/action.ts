// POST /api/<resource>/<id>/<action>: the declared checks around a hand-written function.
import type { Actions } from '../behaviour.js';
import type { Row } from '../definition.js';
import { ServiceError } from '../errors.js';
import { chain } from '../maybe-promise.js';
import type { Store } from '../store/store.js';
import type { Run } from './call.js';
import type { PlanOf } from './plan.js';
import { throwAll, validateInput } from './validate.js';

/**
 * Answers 200 with the record as the caller sees it after the action. Throws not_found for an action that is not
 * declared, or declared and not given.
 */
export function actionOperation(store: Store, planOf: PlanOf, actions: Actions): Run {
  return (call) => {
    const { definition, id, name, caller, parameters, now } = call;
    const declared = planOf(definition).actions.get(name);
    const perform = actions[definition.name]?.[name];
    if (declared === undefined || perform === undefined) {
      throw new ServiceError('not_found', `${definition.title} has no such action.`);
    }
    const right = declared.definition.by;
    const { input, failures, ignored } = validateInput(declared.intake, parameters, caller);
    const decide = (row: Row) => {
      // Not before: who may not do it is not told what is wrong with the parameters.
      throwAll(failures);
      return perform(row, input, now);
    };
    return chain(store.act(definition, id, { right, caller, now, decide }), (body) => ({ status: 200, body, ignored }));
  };
}
