// Runs the statements of one definition's lists (D23).
import type Database from 'better-sqlite3';
import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { type ListReads, type ListSource, readList } from '../records/list.js';
import type { ReadList } from '../records/reads.js';
import { patternIn } from '../sql/list-order.js';
import type { PageItem } from '../sql/list-page.js';
import type { RecordComposer } from '../sql/viewers.js';
import { ready, runSync } from '../unit.js';
import { type CountCache, createCountCache } from './count-cache.js';
import { type ListStatements, listStatements } from './list-statement.js';
import { boundOrder } from './requested-order.js';
import { createWordReads } from './words.js';

type BoundValues = Readonly<Record<string, Scalar>>;

/** Statements are prepared at their first use, and kept. */
export function createLists(db: Database.Database, composing: RecordComposer, definition: AnyDefinition): ReadList {
  const kept = new Map<string, ListReads>();
  const cacheCounts = createCountCache(db);
  const source: ListSource = {
    definition,
    words: createWordReads(db, definition),
    readsOf({ statements, list, variant }) {
      const { order, searched } = variant;
      const composed = () => listStatements(composing, definition, list, variant);
      // The counts of searches are not kept, since their values, which would be the key, contain all matches.
      const reads = kept.get(statements) ?? createReads(db, composed(), searched ? (count) => count : cacheCounts);
      kept.set(statements, reads);
      return order.isOwn ? reads : inOrder(reads, boundOrder(order));
    },
  };
  return (page, parentId, caller) => runSync(readList(source, page, parentId, caller));
}

function createReads(db: Database.Database, statements: ListStatements, cacheCounts: CountCache): ListReads {
  const counting = db.prepare<BoundValues, [rows: number, shown: number]>(statements.count).raw();
  const count = cacheCounts((bound) => counting.get(bound) ?? NONE);
  const page = memoize((key: string) => db.prepare<BoundValues, PageItem>(statements.page(patternIn(key))).raw());
  const end = memoize((key: string) => {
    const sql = statements.end(patternIn(key));
    return sql === '' ? null : db.prepare<BoundValues, Scalar[]>(sql).raw();
  });
  return {
    count: (bound) => ready(count(bound)),
    page: (key, bound) => ready(page(key).all(bound)),
    end: (key, bound) => ready(end(key)?.get(bound) ?? null),
  };
}

const NONE = [0, 0] as const;

/** One statement serves every order made up by a request, whose columns it binds. */
function inOrder({ count, page, end }: ListReads, order: BoundValues): ListReads {
  return {
    count,
    page: (key, bound) => page(key, { ...bound, ...order }),
    end: (key, bound) => end(key, { ...bound, ...order }),
  };
}
