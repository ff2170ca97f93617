// The statements of the service on PostgreSQL: its own parser accepts them, those of records use one shard with named
// exceptions, and none has a shape that Citus refuses.
import { loadModule, parseSync } from 'libpg-query';
import { actions, behaviours } from '../../../runtime/resources/index.js';
import { postgresDdl } from '../../../runtime/schema/postgres/ddl.js';
import { loadGenerated } from '../../../runtime/server/load-generated.js';
import { engineTables, FILL_SUBSCRIPTIONS } from '../../../runtime/store/postgres/tables.js';
import { RECORDS_ACROSS_SHARDS } from '../../engine/across-shards.js';
import { refusals } from '../../engine/citus-shapes.js';
import { otherTexts, outboxTexts } from '../../engine/composed-statements.js';
import { openOnServer, type RecordsFixture } from '../../engine/records-fixture.js';
import { composedIn, normalized } from '../../engine/sql-in-sources.js';
import { story } from '../../engine/story.js';
import { hasPostgres } from '../../support/postgres.js';

type Node = Readonly<Record<string, unknown>>;

/** Every node below a value, with the name of its kind. */
function* nodesIn(value: unknown): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [kind, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) yield [kind, inner as Node];
    yield* nodesIn(inner);
  }
}

function allOf(statement: unknown, kind: string): readonly Node[] {
  return [...nodesIn(statement)].flatMap(([name, node]) => (name === kind ? [node] : []));
}

/** Returns `t` for `t._shard`, otherwise null. */
function shardOf(expression: unknown): string | null {
  const [column] = allOf({ expression }, 'ColumnRef');
  const names = column === undefined ? [] : allOf(column, 'String').map(({ sval }) => String(sval));
  return names.at(-1) === '_shard' ? (names.length > 1 ? (names[0] ?? '') : '') : null;
}

/** Whether an expression is a parameter or starts with one, so that it is known before any row is read. */
function isKnownBeforehand(expression: unknown): boolean {
  return allOf({ expression }, 'ParamRef').length === 1 && allOf({ expression }, 'ColumnRef').length === 0;
}

/** The tables whose shard the statement does not determine. */
function unplaced(sql: string): readonly string[] {
  const tree = parseSync(sql) as unknown;
  const placed = allOf(tree, 'A_Expr').flatMap(({ lexpr, rexpr }) => {
    const shard = shardOf(lexpr);
    return shard !== null && isKnownBeforehand(rexpr) ? [shard] : [];
  });
  const [inserted] = allOf(tree, 'InsertStmt');
  if (inserted !== undefined)
    return allOf(inserted.cols, 'ResTarget').some(({ name }) => name === '_shard') ? [] : [sql];
  const local = new Set(allOf(tree, 'CommonTableExpr').map(({ ctename }) => ctename));
  const locks = new Set(allOf(tree, 'LockingClause').flatMap((clause) => allOf(clause, 'RangeVar')));
  const tables = [...allOf(tree, 'RangeVar'), ...allOf(tree, 'relation').filter(({ relname }) => relname)];
  return tables.flatMap((range) => {
    const { alias, relname } = range as { readonly alias?: { readonly aliasname: string }; readonly relname: string };
    if (locks.has(range) || local.has(relname) || placed.includes(alias?.aliasname ?? '')) return [];
    return [relname];
  });
}

(hasPostgres ? describe : describe.skip)('statements on PostgreSQL', () => {
  test('the check recognizes statements of one shard', async () => {
    await loadModule();
    for (const [sql, tables] of [
      ['SELECT 1 FROM "a" t WHERE t."_shard" = $1', []],
      ['SELECT (SELECT 1 FROM "b" c WHERE c."_shard" = left($2, 2)) FROM "a" t WHERE t."_shard" = $1', []],
      ['SELECT (SELECT 1 FROM "b" c WHERE c."_shard" = t."_shard") FROM "a" t WHERE t."_shard" = $1', ['b']],
      ['SELECT 1 FROM "a" t WHERE t."id" = $1', ['a']],
      ['UPDATE "a" t SET "b" = NULL WHERE t."b" = ANY($1)', ['a']],
      ['DELETE FROM "a" WHERE "_shard" = $1 AND "id" = $2', []],
    ] as const) {
      expect([sql, unplaced(sql)]).toEqual([sql, tables]);
    }
  });

  describe('of the service', () => {
    const { generated, schema } = loadGenerated(null);
    let prepared: ReadonlySet<string>;
    beforeAll(async () => {
      await loadModule();
      prepared = await preparedByRecords();
    });

    test('each statement of records uses one shard, except deletions and lists across placements', () => {
      expect(prepared.size).toBeGreaterThan(150);
      const across = [...prepared].filter((sql) => unplaced(sql).length > 0);
      const unexpected = across.filter((sql) => !RECORDS_ACROSS_SHARDS.some((exception) => exception.test(sql)));
      expect(unexpected).toEqual([]);
      for (const exception of RECORDS_ACROSS_SHARDS)
        expect(across.filter((sql) => exception.test(sql)).length).toBeGreaterThan(0);
    });

    test('N20: no statement has a shape that Citus refuses, and no source file composes a statement that is missing here', async () => {
      const all = [...prepared, ...(await outboxTexts()), ...(await otherTexts()), FILL_SUBSCRIPTIONS];
      const tables = [...postgresDdl(schema), ...engineTables(generated.definitions)];
      expect(refusals([...all, ...tables])).toEqual([]);
      const seen = all.map(normalized);
      const composed = composedIn('runtime/store', ['sqlite', 'migrate']);
      expect(composed.length).toBeGreaterThan(150);
      const unseen = composed.filter(
        ({ file, text, fits }) => !NOT_ON_CITUS.has(file) && !ELSEWHERE.includes(text) && !seen.some(fits),
      );
      expect(unseen.map(({ file, text }) => [file, text])).toEqual([]);
    });
  });
});

async function preparedByRecords(): Promise<ReadonlySet<string>> {
  const { generated, schema } = loadGenerated(null);
  const options = { definitions: generated.definitions, schema, behaviours, actions };
  const { fixture, prepared, take } = await openOnServer('PostgreSQL', options);
  try {
    await story(fixture.records);
    // Databases from before D40 have such rows.
    await fixture.select('UPDATE "user" SET "root_folder_id" = NULL RETURNING "id"');
    await fixture.makeMissing();
    await renewGameWords(fixture);
    await fixture.files.listUsersAbove(1);
    await fixture.files.release(['cd'.repeat(32)]);
    for (const release of await fixture.files.listReleases(0, 10)) {
      await fixture.files.isHeld(release.hash);
      await fixture.files.deleteReleases([release]);
    }
    return new Set([...prepared, ...take().map(({ statement }) => statement.text)]);
  } finally {
    await fixture.end();
  }
}

/** Rewrites the words of games that a server with an earlier rule wrote. */
async function renewGameWords({ select, renewWords }: RecordsFixture): Promise<void> {
  const words = () => select('SELECT "id", "word", "outdated_2" FROM "game_words" ORDER BY "id", "word"');
  const before = await words();
  await select(`UPDATE ONLY "game_words" SET "word" = 'old' || "word", "outdated_2" = 1 RETURNING "id"`);
  expect(await renewWords()).toBe(false);
  expect(before.length).toBeGreaterThan(0);
  expect(await words()).toEqual(before);
}

/** Files whose statements use no table of the service, or a table that is not distributed yet. */
const NOT_ON_CITUS = new Set(
  ['client.ts', 'oldest-versions.ts', 'session.ts', 'transfer.ts'].map((file) => `runtime/store/postgres/${file}`),
);

/**
 * Statements that other tests run: the last row that a page searches where a list has more rows than are counted
 * (tests/engine/list-costs.test.ts has such lists), and what SQLite counts for each hook where PostgreSQL joins.
 */
const ELSEWHERE = [
  'SELECT ready, attempt_id FROM webhook_delivery d WHERE … AND …',
  'SELECT … FROM (…) t … LIMIT 1 OFFSET @searched - 1',
];
