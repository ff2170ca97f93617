// The statements that Citus refuses, each shape with an example and a similar accepted statement; a real cluster agrees.
import { loadModule } from 'libpg-query';
import { Client } from 'pg';
import { hasCitus, startCitus } from '../support/citus.js';
import { hasPostgres, sharePostgres } from '../support/postgres.js';
import type { TestServer } from '../support/servers.js';
import { refusedShapes, type Shape } from './citus-shapes.js';
import { VOLATILITY } from './parsed-sql.js';

interface Example {
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

const EXAMPLES: Readonly<Record<Shape, Example>> = {
  'a subquery in VALUES or ON CONFLICT': {
    refused: [
      `INSERT INTO die (_shard, id, x) VALUES ('a7', 'a71', (SELECT x FROM box WHERE _shard = 'a7'))`,
      `INSERT INTO die (_shard, id, x) VALUES ('a7', 'a71', CASE WHEN NOT EXISTS (SELECT 1 FROM box p WHERE p._shard = 'a7') THEN 1 END)`,
      `INSERT INTO die (_shard, id, x) VALUES ('a7', 'a71', 1)
       ON CONFLICT (_shard, id) DO UPDATE SET x = (SELECT x FROM box WHERE _shard = 'a7')`,
      `INSERT INTO die (_shard, id, x) VALUES ('a7', 'a71', 1)
       ON CONFLICT (_shard, id) DO UPDATE SET x = 2 WHERE EXISTS (SELECT 1 FROM box WHERE _shard = 'a7')`,
    ],
    taken: [
      `INSERT INTO die (_shard, id, x) SELECT b._shard, 'a71', (SELECT x FROM die d WHERE d._shard = 'a7' LIMIT 1)
       FROM box b WHERE b._shard = 'a7' ON CONFLICT DO NOTHING`,
    ],
  },
  'a row without a placement': {
    refused: [`INSERT INTO die (id, x) VALUES ('a71', 1)`],
    taken: [`INSERT INTO die (_shard, id, x) VALUES ('a7', 'a71', 1) ON CONFLICT DO NOTHING`],
  },
  'a conflict without the placement': {
    refused: [`INSERT INTO die (_shard, id) VALUES ('a7', 'a71') ON CONFLICT (id) DO NOTHING`],
    taken: [
      `INSERT INTO die (_shard, id) VALUES ('a7', 'a71') ON CONFLICT (_shard, id) DO UPDATE SET x = excluded.x`,
      `INSERT INTO die AS d (_shard, id) VALUES ('a7', 'a71') ON CONFLICT (_shard, id) DO UPDATE SET x = d.x + 1 WHERE d.x > 3`,
    ],
  },
  'a placement that is changed': {
    refused: [`UPDATE box SET _shard = 'b2' WHERE _shard = 'a7'`],
    taken: [`UPDATE box SET x = 1 WHERE _shard = 'a7'`],
  },
  'tables joined across placements': {
    refused: [
      'SELECT 1 FROM box b JOIN die d ON d.box_id = b.id',
      'SELECT 1 FROM box b LEFT JOIN die d ON d.box_id = b.id',
      `SELECT 1 FROM box b, die d WHERE b._shard = 'a7' AND d._shard = 'b2' AND d.box_id = b.id`,
      `SELECT 1 FROM box b JOIN die d ON d.box_id = b.id AND (d._shard = b._shard OR d.x = 1)`,
      `UPDATE box b SET x = 1 FROM die d WHERE d.box_id = b.id`,
      'DELETE FROM box b USING die d WHERE d.box_id = b.id',
    ],
    taken: [
      'SELECT 1 FROM box b JOIN die d ON d._shard = b._shard AND d.box_id = b.id',
      'SELECT 1 FROM box b JOIN die d USING (_shard, id)',
      `SELECT 1 FROM box b LEFT JOIN die d ON d._shard = 'a7' AND d.box_id = b.id WHERE b._shard = 'a7'`,
      'SELECT 1 FROM box b JOIN (SELECT box_id FROM die LIMIT 3) q ON q.box_id = b.id',
      'SELECT 1 FROM box b WHERE b.id IN (SELECT box_id FROM die)',
      'SELECT id FROM box UNION ALL SELECT id FROM die ORDER BY 1',
      'UPDATE box b SET x = 1 FROM die d WHERE d._shard = b._shard AND d.box_id = b.id',
      'WITH old AS (SELECT _shard, id FROM box WHERE x < 0 LIMIT 2) DELETE FROM box b USING old o WHERE b._shard = o._shard AND b.id = o.id',
      `SELECT 1 FROM unnest(ARRAY['a7x']) h (id), die d WHERE d.box_id = h.id`,
    ],
  },
  'a correlated subquery across placements': {
    refused: [
      'SELECT 1 FROM box b WHERE EXISTS (SELECT 1 FROM die d WHERE d.box_id = b.id)',
      `SELECT (SELECT d.x FROM die d WHERE d.box_id = b.id LIMIT 1) FROM box b WHERE b._shard = 'a7'`,
      'UPDATE box b SET x = 1 WHERE EXISTS (SELECT 1 FROM die d WHERE d.box_id = b.id)',
      `SELECT h.id FROM unnest(ARRAY['a7x']) h (id) WHERE EXISTS (SELECT 1 FROM die d WHERE d.box_id = h.id)`,
      'SELECT 1 FROM box b, LATERAL (SELECT 1 FROM die d WHERE d.box_id = b.id LIMIT 1) q',
      'SELECT (SELECT d.x FROM die d WHERE d.box_id = b.id LIMIT 1) FROM (SELECT * FROM box ORDER BY id LIMIT 2) b',
      `SELECT (SELECT d.x FROM die d WHERE d._shard = b._shard AND d.box_id = b.id LIMIT 1)
       FROM (SELECT * FROM box t WHERE t._shard = 'a7' ORDER BY id LIMIT 2) b`,
    ],
    taken: [
      'SELECT (SELECT count(*) FROM die d WHERE d._shard = b._shard AND d.box_id = b.id) FROM box b',
      `SELECT (SELECT d.x FROM die d WHERE d._shard = 'a7' AND d.box_id = b.id LIMIT 1) FROM box b WHERE b._shard = 'a7'`,
      `SELECT h.id FROM unnest(ARRAY['a7x']) h (id) WHERE EXISTS (SELECT 1 FROM die d WHERE d._shard = 'a7' AND d.box_id = h.id)`,
      `SELECT (SELECT d.x FROM die d WHERE d._shard = 'a7' AND d.box_id = b.id LIMIT 1)
       FROM (SELECT * FROM box t WHERE t._shard = 'a7' ORDER BY id LIMIT 2) b`,
    ],
  },
  'a lock without a placement': {
    refused: [`SELECT id FROM box WHERE id = 'a7x' FOR UPDATE`, `SELECT id FROM box WHERE id = 'a7x' FOR KEY SHARE`],
    taken: [`SELECT id FROM box WHERE _shard = 'a7' FOR UPDATE SKIP LOCKED`],
  },
  'a volatile function in a write': {
    refused: [
      `UPDATE box SET x = random() WHERE _shard = 'a7'`,
      `DELETE FROM box WHERE _shard = 'a7' AND x > random() * 1000`,
      'UPDATE box SET x = extract(epoch FROM clock_timestamp())',
    ],
    taken: [
      `INSERT INTO box (_shard, id, x) VALUES ('a7', 'a7v', extract(epoch FROM clock_timestamp())) ON CONFLICT DO NOTHING`,
      `UPDATE box SET x = extract(epoch FROM now()) WHERE _shard = 'a7'`,
    ],
  },
  'a stable function of a column in a write': {
    refused: [`UPDATE box SET t = to_char(x, '999') WHERE _shard = 'a7'`],
    taken: [`UPDATE box SET t = left(t, 2) WHERE _shard = 'a7'`],
  },
  'a function in ON CONFLICT that is not immutable': {
    refused: [
      `INSERT INTO box (_shard, id) VALUES ('a7', 'a7x') ON CONFLICT (_shard, id) DO UPDATE SET x = extract(epoch FROM now())`,
    ],
    taken: [`INSERT INTO box (_shard, id) VALUES ('a7', 'a7x') ON CONFLICT (_shard, id) DO UPDATE SET t = lower('A')`],
  },
  'a function in RETURNING that is not immutable': {
    refused: [
      `UPDATE box SET x = 1 WHERE _shard = 'a7' RETURNING id, now()`,
      `INSERT INTO box (_shard, id) VALUES ('a7', 'a7z') RETURNING CURRENT_TIMESTAMP`,
    ],
    taken: [`UPDATE box SET x = 1 WHERE _shard = 'a7' RETURNING id, left(id, 2)`],
  },
  'recursion without a placement': {
    refused: [
      `WITH RECURSIVE r AS (SELECT id FROM box UNION SELECT d.id FROM die d JOIN r ON d.box_id = r.id) SELECT id FROM r`,
    ],
    taken: [
      `WITH RECURSIVE r AS (SELECT id FROM box WHERE _shard = 'a7' UNION
       SELECT d.id FROM die d JOIN r ON d.box_id = r.id WHERE d._shard = 'a7') SELECT id FROM r`,
    ],
  },
  'grouping sets without a placement': {
    refused: ['SELECT t, count(*) FROM box GROUP BY GROUPING SETS ((t), ())'],
    taken: [`SELECT t, count(*) FROM box WHERE _shard = 'a7' GROUP BY GROUPING SETS ((t), ())`],
  },
  MERGE: {
    refused: ['MERGE INTO box b USING die d ON b.id = d.box_id WHEN MATCHED THEN UPDATE SET x = 1'],
    taken: [],
  },
  'a key without the placement': {
    refused: ['CREATE UNIQUE INDEX by_name ON box (t)', 'ALTER TABLE box ADD CONSTRAINT named UNIQUE (t)'],
    taken: ['CREATE UNIQUE INDEX by_name ON box (_shard, lower(t), id)', 'CREATE INDEX by_name_alone ON box (t)'],
  },
  'a foreign key without the placement': {
    refused: ['ALTER TABLE die ADD CONSTRAINT die_fk FOREIGN KEY (box_id) REFERENCES box (id)'],
    taken: [
      'ALTER TABLE die ADD CONSTRAINT die_fk FOREIGN KEY (_shard, box_id) REFERENCES box (_shard, id) ON DELETE CASCADE',
    ],
  },
  'a foreign key that clears the placement': {
    refused: [
      'ALTER TABLE die ADD CONSTRAINT die_fk2 FOREIGN KEY (_shard, box_id) REFERENCES box (_shard, id) ON DELETE SET NULL',
    ],
    taken: [],
  },
  'a constraint that is not added alone': {
    refused: ['ALTER TABLE box ADD COLUMN y bigint, ADD CONSTRAINT y_check CHECK (y > 0)'],
    taken: ['ALTER TABLE box ADD COLUMN y bigint, ADD COLUMN z bigint'],
  },
  'a trigger': {
    refused: [
      'CREATE TRIGGER changed BEFORE UPDATE ON box FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    taken: [],
  },
};

const SHAPES = Object.entries(EXAMPLES);

beforeAll(() => loadModule());

describe('a shape that Citus refuses', () => {
  test.each(SHAPES)('%s', (shape, { refused, taken }) => {
    for (const sql of refused) expect([sql, refusedShapes(sql)]).toEqual([sql, [shape]]);
    for (const sql of taken) expect([sql, refusedShapes(sql)]).toEqual([sql, []]);
  });

  test('N20: the insert of a delivery in its first form is refused', () => {
    const before = `INSERT INTO webhook_delivery
       (_shard, id, webhook_id, type, message, created, due, ready, attempt_id, snapshot_uri, snapshot_key)
     VALUES ($1, $2, $3, $4, $5, $6, $6, CASE WHEN NOT EXISTS (SELECT 1 FROM webhook_pause p
       WHERE p._shard = $1 AND p.webhook_id = $3) THEN $7::bigint END, $8, $9, $10)`;
    expect(refusedShapes(before)).toEqual(['a subquery in VALUES or ON CONFLICT']);
  });

  test('a function without a known volatility is an error', () => {
    expect(() => refusedShapes(`UPDATE box SET t = md5(t) WHERE _shard = 'a7'`)).toThrow('md5()');
  });
});

(hasPostgres ? test : test.skip)('functions are as immutable as PostgreSQL says', async () => {
  const server = await sharePostgres();
  const client = new Client(await server.createDatabase());
  await client.connect();
  const { rows } = await client.query<{ name: string; kinds: readonly string[] }>(
    `SELECT proname::text AS name, array_agg(DISTINCT provolatile::text) AS kinds FROM pg_proc
WHERE proname = ANY($1) AND NOT (prokind = 'a' AND proname IN ('max', 'min', 'sum', 'count') AND provolatile <> 'i') GROUP BY 1`,
    [Object.keys(VOLATILITY)],
  );
  await client.end();
  await server.stop();
  const kinds = new Map(rows.map(({ name, kinds: found }) => [name, found]));
  for (const [name, volatility] of Object.entries(VOLATILITY)) {
    expect([name, kinds.get(name)]).toEqual([name, expect.arrayContaining([volatility[0]])]);
  }
});

/** A cluster agrees with these expectations. */
(hasCitus ? describe : describe.skip)('on Citus', () => {
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    server = await startCitus();
    client = new Client(await server.createDatabase());
    await client.connect();
    for (const name of ['box', 'die']) {
      await client.query(
        `CREATE TABLE ${name} (_shard text NOT NULL, id text NOT NULL, box_id text, x bigint, t text, PRIMARY KEY (_shard, id))`,
      );
      await client.query(`SELECT create_distributed_table('${name}', '_shard')`);
      await client.query(`INSERT INTO ${name} VALUES ('a7', 'a7x', 'a7x', 1, 'q'), ('b2', 'b2x', 'b2x', 2, 'z')`);
    }
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  const problemOf = async (sql: string) => {
    await client.query('BEGIN');
    const problem = await client.query(sql).then(
      () => null,
      (error: Error) => error.message,
    );
    await client.query('ROLLBACK');
    return problem;
  };

  test.each(SHAPES)('%s', async (_, { refused, taken }) => {
    for (const sql of refused) expect([sql, await problemOf(sql)]).toEqual([sql, expect.any(String)]);
    for (const sql of taken) expect([sql, await problemOf(sql)]).toEqual([sql, null]);
  });
});
