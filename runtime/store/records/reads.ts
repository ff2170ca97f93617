// Reads of records of any definition. Listing the records that belong to a record or use it needs the right to read that record.

import type { AnyDefinition, Row, Scalar } from '../../contract/definition.js';
import { refusal } from '../../contract/errors.js';
import { idOf } from '../../contract/ids.js';
import { chain, type MaybePromise } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { Caller, ListedPage, Lookup, Page, Permission, Records, RequestedRelations } from '../records.js';
import type { Composer } from '../sql/access.js';
import { STORE_PARTS } from '../sql/optional-parts.js';
import { usesOf } from '../sql/uses.js';
import type { ViewerName } from '../sql/viewers.js';
import { awaitAll, type Pending, type Queries } from '../unit.js';
import { listUses, type UsesReads } from './uses.js';

/** Reads a page of a list; the caller must already be known to have read access to its parent. */
export type ReadList = (page: Page, parentId: string, caller: Caller) => MaybePromise<ListedPage>;

/** Reads the records of one definition. */
export interface Reader {
  readonly definition: AnyDefinition;
  get(id: string, caller: Caller, want?: RequestedRelations): MaybePromise<Lookup>;
  permission(right: string, id: string, caller: Caller): MaybePromise<Permission>;
  row(id: string): MaybePromise<Row | undefined>;
  text(viewer: ViewerName, id: string, user: string | null): Pending<string | null | undefined>;
  readonly list: ReadList;
}

export interface ReadParts {
  readonly composer: Composer;
  at(resource: string): Reader;
  /** Finds the `id` of the record that has a unique value. */
  withValue(queries: Queries, definition: AnyDefinition, column: string, value: Scalar): Pending<Row | undefined>;
  /** Carries out a verb that only reads; its statements may depend on the caller's rights. */
  read<T>(verb: (queries: Queries) => Pending<T>): MaybePromise<T>;
}

type Reads = Pick<
  Records,
  'findIdByValue' | 'removedWith' | 'get' | 'permission' | 'find' | 'texts' | 'secret' | 'list' | 'uses'
>;

export function createReads({ composer, at, read, withValue }: ReadParts): Reads {
  const uses = memoize((name: string) => usesOf(composer, at(name).definition));
  const removedWith = memoize((name: string) =>
    STORE_PARTS.removedWith().countRemovedWith(composer, at(name).definition),
  );
  const permitted = (resource: string, id: string, caller: Caller): MaybePromise<void> => {
    const { definition, permission } = at(resource);
    return chain(permission('read', id, caller), (answer) => {
      if (!answer.allowed) throw refusal(definition, answer.code);
    });
  };
  return {
    get: (resource, id, caller, want) => at(resource).get(id, caller, want),
    permission: (resource, id, right, caller) => at(resource).permission(right, id, caller),
    find: (resource, search) =>
      read((queries) => STORE_PARTS.find().findRecords(composer, queries, at(resource).definition, search)),
    texts: (resource, columns, ids) =>
      read((queries) => STORE_PARTS.find().textsOf(composer, queries, at(resource).definition, { columns, ids })),
    secret: (resource, id, password) =>
      chain(at(resource).row(id), (row) => (row?.[password] ?? null) as string | null),
    findIdByValue: (resource, column, value) =>
      read(function* (queries) {
        const row = yield* withValue(queries, at(resource).definition, column, value);
        return row === undefined ? null : String(row.id);
      }),
    removedWith: (resource, id) =>
      read(function* (queries) {
        const all = removedWith(resource);
        const counts = yield* awaitAll(all.map(({ sql }) => queries.row(sql, idOf(id))));
        const removed = all.map((one, at) => ({ resource: one.resource, count: Number(counts[at]?.count) }));
        return removed.filter(({ count }) => count > 0);
      }),
    list(resource, page, parentId, caller) {
      const list = () => at(resource).list(page, parentId, caller);
      return page.parent === null ? list() : chain(permitted(page.parent, parentId, caller), list);
    },
    async uses(resource, page, id, caller) {
      await permitted(resource, id, caller);
      const { dialect } = composer;
      const text: UsesReads['text'] = (name, ...shown) => at(name).text(...shown);
      return read((queries) => listUses({ queries, dialect, text }, uses(resource), { id, page, caller }));
    },
  };
}
