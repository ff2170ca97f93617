// DELETE /api/<resource>/<id>. The store handles what is deleted with the record (D33).

import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Answer, Run } from './call.js';
import { unknownNames } from './service.js';

/** Responds `{"success":1}`; the second time the store throws not_found. */
export function removeOperation(store: Records): Run {
  return ({ definition, id, caller, parameters, now, conditions }) => {
    authorize(definition, 'delete', caller);
    const answer: Answer = { status: 200, body: '{"success":1}', ignored: unknownNames(parameters) };
    return chain(store.remove(definition.name, id, { caller, now, ...(conditions && { conditions }) }), () => answer);
  };
}
