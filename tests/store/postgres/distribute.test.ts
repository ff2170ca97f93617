// Distributes tables over the nodes of Citus, on the cluster of CITUS_URL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchema } from '../../../runtime/schema/compact.js';
import { postgresDdl } from '../../../runtime/schema/postgres/ddl.js';
import type { Table } from '../../../runtime/schema/schema.js';
import { SESSION } from '../../../runtime/store/engine-tables.js';
import { type Connections, createConnections, type Query } from '../../../runtime/store/postgres/connections.js';
import { distribute, hasAddedTables } from '../../../runtime/store/postgres/migrate/distribute.js';
import { METADATA_TABLES, putMetadata } from '../../../runtime/store/postgres/migrate/metadata.js';
import { tableStatements } from '../../../runtime/store/postgres/tables.js';
import { hasCitus, startCitus } from '../../support/citus.js';
import { ROOT } from '../../support/paths.js';
import { hasPostgres, sharePostgres } from '../../support/postgres.js';
import { unrouted } from '../../support/routing.js';
import type { TestServer } from '../../support/servers.js';

const OURS = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));

const REFERENCE = { onDelete: 'cascade', inside: true } as const;

/** A table with text columns that refer to other tables of the same placement. */
function table(name: string, number: number, ...targets: string[]): Table {
  const plain = { type: 'text', default: null, check: null, nullable: true, references: null } as const;
  const columns = targets.map((to, at) => ({
    ...{ ...plain, number: number + 2 + at, name: `${to}_id` },
    references: { ...REFERENCE, table: to },
  }));
  const id = { ...plain, number: number + 1, name: 'id', nullable: false };
  return { number, name, columns: [id, ...columns], uniques: [], indexes: [] };
}

(hasPostgres ? test : test.skip)('without Citus nothing is distributed', async () => {
  const server = await sharePostgres();
  const connections = createConnections({ url: await server.createDatabase(), size: 1, timeout: 60_000 });
  expect(await connections.session(hasAddedTables)).toBe(false);
  await expect(connections.session((query) => distribute(query))).rejects.toThrow(
    'the database has no Citus: run CREATE EXTENSION citus in it, on every node, or leave out --distribute',
  );
  await connections.close();
  await server.stop();
});

(hasCitus ? describe : describe.skip)('on Citus', () => {
  let server: TestServer;
  let url: string;
  let connections: Connections;
  beforeAll(async () => {
    server = await startCitus();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    connections = createConnections({ url, size: 1, timeout: 120_000 });
  });
  afterEach(() => connections.close());
  afterAll(() => server.stop());

  const session = <T>(work: (query: Query) => Promise<T>) => connections.session(work);
  const run = (text: string, ...values: string[]) => connections.query(connections.prepare(text), values);
  const create = (tables: readonly Table[]) =>
    session(async (query) => {
      for (const sql of postgresDdl({ revision: 1, tables })) await query(sql);
    });
  const says = async () => (await session((query) => distribute(query))).map(({ says: text }) => text);
  const kinds = async () => {
    const rows = await run(`SELECT citus_table_type AS kind, count(*) AS tables, count(DISTINCT colocation_id) AS groups
FROM citus_tables WHERE table_name::text NOT LIKE '%citus%' GROUP BY 1 ORDER BY 1`);
    return rows;
  };

  test('every table is distributed by its placement, beside the others, or copied to every node, once', async () => {
    await create(OURS.tables);
    await session(async (query) => {
      for (const sql of [...tableStatements(SESSION), ...METADATA_TABLES]) await query(sql);
      await putMetadata(query, 'schema', '{}');
      await query('CREATE TABLE report (id text PRIMARY KEY)');
    });
    const lines = await says();
    // The lease of a migrator stays on the coordinator.
    const copiedTables = METADATA_TABLES.length - 1;
    // A searched table has a table of words beside it; the others hold claimed values and sessions.
    const placed = OURS.tables.length + OURS.tables.filter(({ search }) => search !== undefined).length + 2;
    expect(lines.length).toBe(placed + copiedTables);
    expect(lines).toContain('game: distributed by its placement');
    expect(lines).toContain('_punchboard: copied to every node');
    // The table was added by hand.
    expect(lines.filter((line) => line.startsWith('report'))).toEqual([]);
    expect(await kinds()).toEqual([
      { kind: 'distributed', tables: placed, groups: 1 },
      { kind: 'reference', tables: copiedTables, groups: 1 },
    ]);
    expect(await says()).toEqual([]);
    expect(await session(hasAddedTables)).toBe(false);
    await session((query) => putMetadata(query, 'schema', '{"revision":2}'));
    expect(await run('SELECT "value" FROM "_punchboard"')).toEqual([{ value: '{"revision":2}' }]);
  });

  test('rows and foreign keys are kept, and no row is left on the coordinator', async () => {
    await create([table('box', 10), table('die', 20, 'box')]);
    const ids = Array.from({ length: 50 }, (_, at) => `${String.fromCharCode(97 + (at % 26))}0${at}`);
    for (const id of ids) {
      await run('INSERT INTO box VALUES ($1, $2)', id.slice(0, 2), id);
      await run('INSERT INTO die VALUES ($1, $2, $2)', id.slice(0, 2), id);
    }
    await says();
    expect(await run('SELECT count(*) AS count FROM box JOIN die USING (_shard, id)')).toEqual([{ count: 50 }]);
    expect(await run(`SELECT pg_relation_size('box') + pg_relation_size('die') AS size`)).toEqual([{ size: 0 }]);
    await run('DELETE FROM box WHERE _shard = $1 AND id = $2', 'a0', 'a00');
    expect(await run('SELECT id FROM die WHERE _shard = $1 AND id = $2', 'a0', 'a00')).toEqual([]);
    await expect(run('INSERT INTO die VALUES ($1, $2, $2)', 'a0', 'a0x')).rejects.toThrow('die_box_id_fk');
    await expect(run('INSERT INTO box VALUES ($1, $2)', 'b0', 'a0x')).rejects.toThrow('box_shard');
  });

  test('tables that refer to each other or to themselves are distributed', async () => {
    await create([table('box', 10, 'die', 'box'), table('die', 20, 'box'), table('page', 30, 'die')]);
    expect(await says()).toEqual([
      '_unique_value: distributed by its placement',
      ...['box', 'die', 'page'].map((name) => `${name}: distributed by its placement`),
    ]);
    const keys = await run(
      `SELECT conname::text AS name FROM pg_constraint WHERE contype = 'f' AND conname LIKE '%_fk' ORDER BY 1`,
    );
    expect(keys.map(({ name }) => name)).toEqual(['box_box_id_fk', 'box_die_id_fk', 'die_box_id_fk', 'page_die_id_fk']);
  });

  test('a table that is added later is distributed', async () => {
    await create([table('box', 10)]);
    expect(await session(hasAddedTables)).toBe(false);
    await says();
    const [unique, ...added] = postgresDdl({ revision: 2, tables: [table('die', 20, 'box')] });
    expect(unique).toContain('_unique_value');
    for (const sql of added) await run(sql);
    expect(await session(hasAddedTables)).toBe(true);
    expect(await says()).toEqual(['die: distributed by its placement']);
    expect(await session(hasAddedTables)).toBe(false);
    expect(await kinds()).toEqual([{ kind: 'distributed', tables: 3, groups: 1 }]);
  });

  test('a table that Citus refuses is named, and the rest is distributed after its removal', async () => {
    await create([table('box', 10), table('die', 20, 'box')]);
    await run('CREATE UNIQUE INDEX by_hand ON die (box_id)');
    await expect(session((query) => distribute(query))).rejects.toThrow(
      'Citus cannot distribute die: cannot create constraint on "die"',
    );
    await run('DROP INDEX by_hand');
    expect(await says()).toEqual(['die: distributed by its placement']);
  });

  test('the rows of an owner are on one shard', async () => {
    await create([table('box', 10), table('die', 20, 'box')]);
    await says();
    const nodes = await run(`SELECT DISTINCT s.shardminvalue AS least, p.groupid AS node
FROM (VALUES ('box'::regclass), ('die'), ('_unique_value')) AS t(name)
JOIN pg_dist_shard s ON s.shardid = get_shard_id_for_distribution_column(t.name, 'a7')
JOIN pg_dist_placement p USING (shardid)`);
    expect(nodes.length).toBe(1);
  });

  test('a statement without placement is reported', async () => {
    await create([table('box', 10), table('die', 20, 'box')]);
    await says();
    const call = (text: string, ...values: string[]) => ({ statement: { name: '', text }, values });
    const good = [
      call('SELECT id FROM box WHERE _shard = $1 AND id = $2', 'a7', 'a7x'),
      call('SELECT 1 FROM box JOIN die USING (_shard) WHERE box._shard = $1', 'a7'),
      call('INSERT INTO box VALUES ($1, $2)', 'a7', 'a7x'),
      call('INSERT INTO die SELECT _shard, id, id FROM box WHERE _shard = $1', 'a7'),
      call('UPDATE box SET id = id WHERE _shard = $1', 'a7'),
      call('SELECT $1', 'a7'),
    ];
    const bad = [
      call('SELECT id FROM box WHERE id = $1', 'a7x'),
      call('DELETE FROM box WHERE id = $1', 'a7x'),
      call('INSERT INTO die SELECT _shard, id, id FROM box'),
      call('SELECT id FROM box WHERE _shard = $1 AND id IN (SELECT box_id FROM die WHERE id = $2)', 'a7', 'a7x'),
    ];
    expect(await unrouted(url, good)).toEqual([]);
    expect((await unrouted(url, bad)).map(({ text }) => text)).toEqual(bad.map(({ statement }) => statement.text));
  });
});
