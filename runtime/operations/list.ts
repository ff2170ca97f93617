// GET /api/<resource>/<id>/<list>: a page of the records that belong to a record (D23); GET /api/<resource>: a page of all
// records (D44). Items are sent as the text from the store.
import type { AnyDefinition } from '../contract/definition.js';
import { type Failure, ServiceError, throwAll } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import { memoize } from '../contract/memoize.js';
import type { ListedPage, Page, Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Run } from './call.js';
import { type BoundPrefixes, listFilters, namesOf, pageOf } from './page.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** How a wire profile differs in lists. */
export interface ListFormat {
  /** Records per page where a request asks for fewer than 1 or more than 100; null: that is refused. */
  readonly otherPageSize: number | null;
  /** Other names of the bounds of a range. */
  readonly boundPrefixes: BoundPrefixes;
  formatBoolean(value: boolean): boolean | number;
}

/** `call.definition` is the parent's, `call.name` the list, empty for all records. Throws not_found for an unknown list. */
export function listOperation(store: Pick<Records, 'list'>, planOf: PlanOf, format: ListFormat): Run {
  const { otherPageSize, boundPrefixes } = format;
  const filtersOf = memoize((items: AnyDefinition) => listFilters(items, boundPrefixes));
  return ({ definition, id, name, caller, parameters }) => {
    const isWhole = name === '';
    if (isWhole) authorize(definition, 'list', caller);
    const items = isWhole ? definition : planOf(definition).lists.get(name);
    if (items === undefined) throw new ServiceError('not_found', `${definition.title} has no such list.`);
    const failures: Failure[] = [];
    const parent = isWhole ? null : definition.name;
    const listing = { parent, list: name, items, filters: filtersOf(items), otherPageSize };
    const page = pageOf(listing, parameters, failures);
    throwAll(failures);
    const ignored = unknownNames(parameters, namesOf(listing));
    return chain(store.list(items.name, page, id, caller), (listed) => ({
      status: 200,
      body: listBody(page, listed, format),
      ignored,
    }));
  };
}

/** Counts like the framework that clients know: next is always this page plus 1, previous is never below 1. */
export function listBody(
  { number, size }: Page,
  { items, total, complete, cursor }: ListedPage,
  format: ListFormat,
): string {
  const paging = {
    total_items: total,
    // Only where there are more than were counted.
    ...(complete === false ? { complete: format.formatBoolean(complete) } : {}),
    total_pages: Math.ceil(total / size),
    page_number: number,
    items_per_page: size,
    next_page_number: number + 1,
    previous_page_number: Math.max(1, number - 1),
    next_cursor: cursor,
  };
  return `{"paging":${JSON.stringify(paging)},"items":[${items.join(',')}]}`;
}
