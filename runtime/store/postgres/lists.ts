// Runs the statements of one definition's lists (D23). A list through the reference that places its records reads one shard; any
// other list reads all.

import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import { idOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import type { Table } from '../../schema/schema.js';
import { type ListReads, type ListSource, readList } from '../records/list.js';
import type { ReadList } from '../records/reads.js';
import { patternIn } from '../sql/list-order.js';
import type { PageItem } from '../sql/list-page.js';
import { fromPromise, ready, runAsync } from '../unit.js';
import { type NamedStatement, type NamedValues, prepareNamed } from './database.js';
import { type ListStatements, listStatements } from './list-statement.js';
import type { ReadContext } from './record-text.js';
import { createWordReads } from './words.js';

export function createLists(reading: ReadContext, definition: AnyDefinition, table: Table): ReadList {
  const { connections } = reading;
  const kept = new Map<string, ListReads>();
  const source: ListSource = {
    definition,
    words: createWordReads(connections, table),
    readsOf({ statements, list, variant }) {
      const compose = () => listStatements(reading, definition, list, variant);
      // Orders made up by a request are not prepared, since a connection keeps prepared statements for good.
      if (!variant.order.isOwn) return createReads(reading, compose(), UNPREPARED);
      const reads = kept.get(statements) ?? createReads(reading, compose(), connections);
      kept.set(statements, reads);
      return reads;
    },
  };
  return (page, parentId, caller) => runAsync(readList(source, page, parentId, caller));
}

const UNPREPARED = { prepare: (text: string) => ({ name: '', text }) };

function createReads(
  reading: ReadContext,
  { texts, count, page, end }: ListStatements,
  connections: Pick<ReadContext['connections'], 'prepare'>,
): ListReads {
  const { query } = reading.connections;
  const named = (text: string) => prepareNamed(connections, text);
  const counting = named(count);
  const paging = memoize((key: string) => named(page(patternIn(key))));
  const ending = memoize((key: string) => {
    const text = end(patternIn(key));
    return text === '' ? null : named(text);
  });
  const run = (statement: NamedStatement, bound: NamedValues) =>
    reading.run(query, statement, { ...bound, ...placedBy(String(bound.parent)) });
  const readPage = async (key: string, bound: NamedValues): Promise<readonly PageItem[]> => {
    const rows = await run(paging(key), bound);
    const shown = await texts.texts(query, rows, bound.user as string | null);
    return rows.map((row, at) => [shown[at] ?? '', ...valuesOf(row)]);
  };
  const readCount = async (bound: NamedValues) => {
    const [row] = await run(counting, bound);
    return [Number(row?.rows), Number(row?.shown)] as const;
  };
  const readEnd = async (statement: NamedStatement, bound: NamedValues) => {
    const [row] = await run(statement, bound);
    return row === undefined ? null : valuesOf(row);
  };
  return {
    count: (bound) => fromPromise(readCount(bound)),
    page: (key, bound) => fromPromise(readPage(key, bound)),
    end(key, bound) {
      const statement = ending(key);
      return statement === null ? NO_END : fromPromise(readEnd(statement, bound));
    },
  };
}

const NO_END = ready(null);

/** The parent, and the placement that its records may have. */
function placedBy(parent: string): NamedValues {
  const { id, placement } = idOf(parent);
  return { parent: id, placement };
}

function valuesOf(row: Readonly<Record<string, Scalar>>): readonly Scalar[] {
  return Object.keys(row)
    .filter((name) => name.startsWith('@order'))
    .map((name) => row[name] ?? null);
}
