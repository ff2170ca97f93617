// A page that is composed in one pass comes from an index, in the list's own order: if it were sorted, SQLite would compose the
// texts of all records of the list.
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { orderOf } from '../../runtime/store/sql/list-order.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { listStatements } from '../../runtime/store/sqlite/list-statement.js';
import { registerWordFunction } from '../../runtime/store/sqlite/words.js';

const { generated, schema } = loadGenerated(null);
const definitions = new Map(generated.definitions.map((definition) => [definition.name, definition]));
const db = connectInMemory();
db.exec(sqliteDdl(schema).join(';\n'));
registerWordFunction(db);
afterAll(() => db.close());

/** The first page for an anonymous caller: whether its rows are materialized before their texts, and SQLite's plan. */
function pageOf(definition: AnyDefinition, list: AnyDefinition['lists'][number], order: string) {
  const variant = {
    viewer: 'anonymous',
    order: orderOf(definition.order, order, false),
    filtered: false,
    searched: false,
  } as const;
  const composing = { dialect: SQLITE, definitions, formats: PROFILES.plain };
  const sql = listStatements(composing, definition, list, variant).page(null);
  // The plan does not depend on the bound values.
  const steps = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replace(/(?<!")@\w+/g, '1')}`).all();
  return { isKept: sql.includes('"@page"'), isSorted: steps.some(({ detail }) => detail.includes('TEMP B-TREE')) };
}

const lists = generated.definitions.flatMap((definition) =>
  definition.lists
    .filter(({ through }) => through === undefined)
    .map((list) => ({ name: `${list.parent}/${list.name}`, definition, list })),
);

test('a page in its own order is never sorted after its texts are composed', () => {
  const pages = lists.map(({ name, definition, list }) => ({
    name,
    ...pageOf(definition, list, definition.order.join(',') || 'id'),
  }));
  const direct = pages.filter(({ isKept }) => !isKept);
  expect(direct.filter(({ isSorted }) => isSorted)).toEqual([]);
  expect(direct.length).toBeGreaterThan(200);
});

test('a page in another order is sorted and materialized before its texts are composed', () => {
  const [boxTops] = lists.filter(({ name }) => name === 'game/boxtops');
  if (boxTops === undefined) throw new Error('no list of box tops');
  expect(pageOf(boxTops.definition, boxTops.list, 'name')).toEqual({ isKept: true, isSorted: true });
});
