// POST /api/<resource>/<id>/<action>: the declared checks around a hand-written function.
import type { Input } from '../definition.js';
import { ServiceError } from '../errors.js';
import { after } from '../eventually.js';
import type { MaybePromise, Store } from '../store/store.js';
import { requireRight } from './admit.js';
import type { Answer, Call, Run } from './call.js';
import type { PlanOf } from './plan.js';
import { throwAll, validateInput } from './validate.js';

/** A hand-written action; the caller holds the right and the input is valid when it is called. */
export type ActionFunction = {
  // A method, so that a function of declared parameters is still one of any input.
  call(call: Call, input: Input): MaybePromise<Answer>;
}['call'];

/** Hand-written actions by resource, then by name. */
export type Actions = Readonly<Record<string, Readonly<Record<string, ActionFunction>>>>;

/** Throws not_found for an action that is not declared, or declared and not given. */
export function actionOperation(store: Store, planOf: PlanOf, actions: Actions): Run {
  return (call) => {
    const { definition, name, caller, parameters } = call;
    const declared = planOf(definition).actions.get(name);
    const perform = actions[definition.name]?.[name];
    if (declared === undefined || perform === undefined) {
      throw new ServiceError('not_found', `${definition.title} has no such action.`);
    }
    return after(requireRight(store, call, declared.definition.by), () => {
      const { input, failures, ignored } = validateInput(declared.intake, parameters, caller);
      throwAll(failures);
      return after(perform(call, input), (answer) => ({ ignored, ...answer }));
    });
  };
}
