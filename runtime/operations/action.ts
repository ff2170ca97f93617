// POST /api/<resource>/<id>/<action>: the declared checks around what the engine carries out.
import { ServiceError } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import { hashOfToken, withToken } from '../contract/tokens.js';
import type { Records } from '../store/records.js';
import type { Run } from './call.js';
import type { NewSecret } from './change.js';
import type { PlanOf } from './plan.js';
import { validateInput } from './validate.js';

/**
 * Responds 200 with the record as the caller sees it after the action, or 201 with the copy that it creates. Throws not_found
 * for an action that is not declared, or has no function.
 */
export function actionOperation(store: Pick<Records, 'act' | 'copy'>, planOf: PlanOf, newSecret: NewSecret): Run {
  return (call) => {
    const { definition, id, name, caller, parameters, now, idempotencyKey, conditions } = call;
    const declared = planOf(definition).actions.get(name);
    if (declared === undefined) throw new ServiceError('not_found', `${definition.title} has no such action.`);
    const { input, failures, ignored } = validateInput(declared.schema, parameters, caller);
    const action = {
      name,
      caller,
      input,
      failures,
      now,
      ...(idempotencyKey && { idempotencyKey }),
      ...(conditions && { conditions }),
    };
    const { renews } = declared.definition;
    if (renews !== undefined) {
      const secret = newSecret();
      return chain(store.act(definition.name, id, { ...action, token: hashOfToken(secret) }), ({ text, version }) => {
        return { status: 200, body: withToken(text, renews, { id, secret }), version, ignored };
      });
    }
    if (declared.definition.copies !== undefined) {
      return chain(store.copy(definition.name, id, action), (copy) => {
        const { text: body, version, isReplay = false } = copy;
        const records = isReplay ? 1 : (copy.records ?? 1);
        return { status: 201, body, version, records, location: `/api/${definition.name}/${copy.id}`, ignored };
      });
    }
    return chain(store.act(definition.name, id, action), ({ text: body, version }) => ({
      status: 200,
      body,
      version,
      ignored,
    }));
  };
}
