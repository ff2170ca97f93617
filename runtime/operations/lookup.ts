// GET /api/<resource>/<word>/<value>: a fetch of the record that has a unique value.
import { refusal } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Run } from './call.js';
import { valueInPath } from './page.js';

/** The fetch `run` for a path with the value of a column in place of the id. Throws not_found if no record has the value. */
export function fetchByValue(store: Pick<Records, 'findIdByValue'>, column: string, run: Run): Run {
  return (call) => {
    const { definition, id: sent, caller } = call;
    authorize(definition, 'fetch', caller);
    const value = valueInPath(definition, column, sent);
    return chain(value === null ? null : store.findIdByValue(definition.name, column, value), (id) => {
      if (id === null) throw refusal(definition, 'not_found');
      return run({ ...call, id });
    });
  };
}
