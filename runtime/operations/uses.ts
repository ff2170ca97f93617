// GET /api/<uploads>/<id>/<list>: a page of the records, of any type, that use an upload (D56).
import { type Failure, throwAll } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import type { Run } from './call.js';
import { type ListFormat, listBody } from './list.js';
import { type ListContext, NO_FILTERS, pageOf } from './page.js';
import { unknownNames } from './service.js';

/** Records of several types have no order in common except that of their ids. */
const ITEMS = { items: { sortable: [] }, filters: NO_FILTERS } satisfies Partial<ListContext>;

export function usesOperation(store: Pick<Records, 'uses'>, format: ListFormat): Run {
  const { otherPageSize } = format;
  return ({ definition, id, name, caller, parameters }) => {
    const failures: Failure[] = [];
    const page = pageOf({ parent: definition.name, list: name, ...ITEMS, otherPageSize }, parameters, failures);
    throwAll(failures);
    const ignored = unknownNames(parameters);
    return chain(store.uses(definition.name, page, id, caller), (listed) => {
      return { status: 200, body: listBody(page, listed, format), ignored };
    });
  };
}
