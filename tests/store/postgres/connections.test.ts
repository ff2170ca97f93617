import { ServiceError } from '../../../runtime/contract/errors.js';
import { urlsOf } from '../../../runtime/store/postgres/client.js';
import { type Connections, createConnections, retryTransient } from '../../../runtime/store/postgres/connections.js';
import { hasPostgres, startPostgres, startReplicated, type TestPostgres } from '../../support/postgres.js';
import { startGateway } from '../../support/postgres-gateway.js';

/** A statement that needs a transaction, unlike a plain read. */
const TRANSACTIONAL = 'WITH it AS (SELECT 1 AS one) SELECT one FROM it';

test('a URL with several hosts becomes one URL for each', () => {
  expect(urlsOf('postgres://ada:pass@one:5432,two:5433/shop?sslmode=require')).toEqual([
    'postgres://ada:pass@one:5432/shop?sslmode=require',
    'postgres://ada:pass@two:5433/shop?sslmode=require',
  ]);
  expect(urlsOf('postgres://one/shop')).toEqual(['postgres://one/shop']);
});

test('on Linux and x64 the package has a server', () => {
  const platform = `${process.platform}-${process.arch}`;
  expect(hasPostgres || platform !== 'linux-x64').toBe(true);
});

(hasPostgres ? describe : describe.skip)('connections', () => {
  let server: TestPostgres;
  let connections: Connections;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    connections = createConnections({ url, size: 2, timeout: 20_000 });
    await run('CREATE TABLE piece (id text PRIMARY KEY, size bigint NOT NULL CHECK (size > 0))');
  });
  afterAll(async () => {
    await connections.close();
    await server.stop();
  });
  beforeEach(() => run('DELETE FROM piece'));

  const run = (text: string, ...values: (string | number | null)[]) =>
    connections.query(connections.prepare(text), values);
  const insert = (id: string, size: number) => ({
    statement: connections.prepare('INSERT INTO piece VALUES ($1, $2)'),
    values: [id, size],
  });
  const ids = async () => (await run('SELECT id FROM piece ORDER BY id')).map(({ id }) => id);

  test('each of many statements in flight gets its own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => run('SELECT $1::bigint AS at', at)));
    expect(answers.map(([row]) => row?.at)).toEqual(Array.from({ length: 300 }, (_, at) => at));
  });

  test('a statement that follows an answer uses the connection of the answer', async () => {
    await run('CREATE TABLE stand (id text PRIMARY KEY)');
    const follow = createConnections({ url, size: 2, timeout: 20_000 });
    try {
      const write = (text: string, id: string) => follow.query(follow.prepare(text), [id]);
      for (const id of ['a', 'b', 'c']) {
        await write('INSERT INTO piece VALUES ($1, 1)', id);
        // A statement about another table does not queue behind work under way.
        await write('INSERT INTO stand VALUES ($1)', id);
        await expect(write('INSERT INTO piece VALUES ($1, 1)', id)).rejects.toMatchObject({ code: '23505' });
        await write('DELETE FROM stand WHERE id = $1', id);
      }
      expect(follow.metrics().pools.write.open).toBe(1);
    } finally {
      await follow.close();
    }
  });

  test('a transaction is all or nothing', async () => {
    const refused = connections.transaction([insert('a', 1), insert('b', 0), insert('c', 1)]);
    const others = ['d', 'e', 'f', 'g'].map((id) => connections.transaction([insert(id, 1), insert(`${id}2`, 2)]));
    await expect(refused).rejects.toMatchObject({ code: '23514', constraint: 'piece_size_check' });
    await Promise.all(others);
    expect(await ids()).toEqual(['d', 'd2', 'e', 'e2', 'f', 'f2', 'g', 'g2']);
  });

  test('an interactive transaction that fails changes nothing', async () => {
    const { statement } = insert('', 0);
    const failing = connections.interactive(async (query) => {
      await query(statement, ['a', 1]);
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    await connections.interactive((query) => query(statement, ['b', 1]));
    expect(await ids()).toEqual(['b']);
  });

  test('a transaction whose work swallows a failure is not committed', async () => {
    const { statement } = insert('', 0);
    const silent = connections.interactive(async (query) => {
      await query(statement, ['a', 1]);
      await query(statement, ['b', 0]).catch(() => undefined);
    });
    await expect(silent).rejects.toThrow('a statement of it had failed');
    expect(await ids()).toEqual([]);
  });

  test('a statement that comes after the end of its transaction is refused', async () => {
    const { statement } = insert('', 0);
    const late = await connections.interactive(async (query) => ({ query }));
    await expect(late.query(statement, ['a', 1])).rejects.toThrow('after the end of its transaction');
    expect(await ids()).toEqual([]);
  });

  test('a transaction with a single held statement is sent as that statement', async () => {
    // PostgreSQL refuses VACUUM between BEGIN and COMMIT.
    const vacuum = connections.prepare('VACUUM piece');
    const holdTimes = (times: number) =>
      connections.interactive(async (_query, hold) => {
        for (let at = 0; at < times; at += 1) hold(vacuum, []).catch(() => undefined);
      });
    await holdTimes(1);
    await expect(holdTimes(2)).rejects.toThrow('a statement of it had failed');
  });

  test('held statements succeed or fail with their transaction', async () => {
    const { statement } = insert('', 0);
    const failures: Promise<unknown>[] = [];
    const sizes = async (one: number, other: number | null, work: (query: Connections['query']) => Promise<unknown>) =>
      connections.interactive(async (query, hold) => {
        for (const [id, size] of [['a', one] as const, ['b', other] as const]) {
          if (size !== null) failures.push(hold(statement, [id, size]).catch((error: unknown) => error));
        }
        await work(query);
      });
    const refused = async () => {
      throw new Error('on second thoughts');
    };
    await expect(sizes(1, 1, refused)).rejects.toThrow('on second thoughts');
    await expect(sizes(1, 0, async () => undefined)).rejects.toThrow('a statement of it had failed');
    await expect(sizes(0, null, async () => undefined)).rejects.toMatchObject({ code: '23514' });
    expect(await Promise.all(failures)).toMatchObject([
      ...[{ message: 'on second thoughts' }, { message: 'on second thoughts' }],
      ...[[], { code: '23514' }, { code: '23514' }],
    ]);
    expect(await ids()).toEqual([]);
    const countRows = connections.prepare('SELECT count(*) AS count FROM piece');
    const counts: unknown[] = [];
    await sizes(1, 1, async (query) => counts.push(await query(countRows, [])));
    expect([counts, await ids()]).toEqual([[[{ count: 2 }]], ['a', 'b']]);
  });

  test('transactions wait for a connection of their own', async () => {
    let underWay = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { statement } = insert('', 0);
    const transaction = (at: number) =>
      connections.interactive(async (query) => {
        await query(statement, [`${at}`, 1]);
        underWay += 1;
        most = Math.max(most, underWay);
        // The first waits for the third, however long that takes to connect.
        if (underWay === 3) open();
        await opened;
        await query(connections.prepare('SELECT 1'), []);
        underWay -= 1;
        if (at % 5 === 0) throw new Error('on second thoughts');
      });
    const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => transaction(at)));
    expect([most, settled.filter(({ status }) => status === 'fulfilled').length]).toEqual([3, 16]);
    expect(await ids()).toHaveLength(16);
  });

  test('reads before the first write of a transaction need no exclusive connection', async () => {
    const { statement } = insert('', 0);
    const read = connections.prepare('SELECT count(*) AS count FROM piece');
    let reading = 0;
    let release: () => void = () => undefined;
    // There are more transactions than connections, and each waits until all have read.
    const allHaveRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transaction = (at: number) =>
      connections.interactive(async (query) => {
        await query(read, []);
        reading += 1;
        if (reading === 6) release();
        await allHaveRead;
        await query(statement, [`${at}`, 1]);
        return (await query(read, []))[0]?.count;
      });
    const counts = await Promise.all(Array.from({ length: 6 }, (_, at) => transaction(at)));
    // The transaction sees its own writes.
    for (const count of counts) expect(count).toBeGreaterThan(0);
    expect(await ids()).toHaveLength(6);
  });

  test('statements that come one by one use one connection', async () => {
    const pids: unknown[] = [];
    for (let at = 0; at < 4; at += 1) pids.push((await run('SELECT pg_backend_pid() AS pid'))[0]?.pid);
    expect(new Set(pids).size).toBe(1);
    const many = await Promise.all(Array.from({ length: 20 }, () => run('SELECT pg_backend_pid() AS pid')));
    expect(new Set(many.map(([row]) => row?.pid)).size).toBe(2);
  });

  test('a transaction that waits too long for a connection is unavailable', async () => {
    const single = createConnections({ url: await server.createDatabase(), size: 1, timeout: 3_000 });
    const write = single.prepare(TRANSACTIONAL);
    let refusal: unknown;
    await single.interactive(async (query) => {
      await query(write, []);
      refusal = await single.interactive((later) => later(write, [])).catch((error: unknown) => error);
    });
    expect(refusal).toMatchObject({ code: 'unavailable' });
    expect(await single.interactive((query) => query(write, []))).toEqual([{ one: 1 }]);
    await single.close();
  });

  test('a server that stops answering is unavailable, and does not delay the close', async () => {
    const gateway = await startGateway(await server.createDatabase());
    const connections = createConnections({ url: gateway.url, size: 2, timeout: 3_000 });
    const one = connections.prepare('SELECT 1 AS one');
    await Promise.all([1, 2].map(() => connections.query(one, [])));
    await connections.interactive((query) => query(connections.prepare(TRANSACTIONAL), []));
    gateway.silence();
    await expect(connections.query(one, [])).rejects.toMatchObject({ code: 'unavailable' });
    // One connection has failed; the others have not noticed anything yet.
    await connections.close();
    await gateway.close();
  }, 60_000);

  test('a connection to a server that became a standby is given up', async () => {
    const single = createConnections({ url: await server.createDatabase(), size: 1, timeout: 20_000 });
    const send = (text: string) => single.query(single.prepare(text), []);
    await send('CREATE TABLE piece (id text)');
    // From now on every write is refused, as on a standby.
    await send('SET default_transaction_read_only = on');
    await expect(send("INSERT INTO piece VALUES ('a')")).rejects.toMatchObject({ code: 'unavailable' });
    await send("INSERT INTO piece VALUES ('b')");
    expect(await send('SELECT id FROM piece')).toEqual([{ id: 'b' }]);
    await single.close();
  });

  test('while the server is down every call is unavailable, and later calls succeed', async () => {
    await run('SELECT 1');
    await server.kill();
    const refused = await Promise.allSettled([
      run('SELECT 1'),
      run('SELECT 1'),
      connections.transaction([insert('a', 1)]),
    ]);
    for (const one of refused) {
      const { reason } = one as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(ServiceError);
      expect(reason).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    }
    await server.restart();
    await connections.transaction([insert('b', 1)]);
    expect(await ids()).toEqual(['b']);
  });

  test('statements that a migration invalidated are prepared again without an error', async () => {
    await run('CREATE TABLE note (id bigint PRIMARY KEY)');
    const read = 'SELECT * FROM note';
    const lock = { statement: connections.prepare('SELECT * FROM note FOR UPDATE'), values: [] };
    const uses: readonly (() => Promise<readonly unknown[]>)[] = [
      () => Promise.all([run(read), run(read), run(read)]),
      () => retryTransient(() => connections.transaction([lock, lock])),
      () => retryTransient(() => connections.interactive(async (query) => [await query(lock.statement, [])])),
    ];
    await run('INSERT INTO note VALUES (1)');
    for (let added = 0; added < 3; added++) {
      for (const use of uses) for (let times = 0; times < 3; times++) await use();
      await run(`ALTER TABLE note ADD COLUMN c${added} bigint`);
      for (const use of uses) {
        const rows = (await use()) as readonly (readonly unknown[])[];
        for (const [row] of rows) expect(row).toEqual(expect.objectContaining({ id: 1, [`c${added}`]: null }));
      }
    }
    await expect(Promise.all(uses.map((use) => use()))).resolves.toHaveLength(3);
  });

  test('a broken connection is replaced once', async () => {
    await run('SELECT 1');
    await server.kill();
    await Promise.allSettled([run('SELECT 1'), run('SELECT 1')]);
    await server.restart();
    await Promise.all(Array.from({ length: 20 }, () => run('SELECT 1')));
    await Promise.all(Array.from({ length: 20 }, () => run('SELECT 1')));
    const [row] = await run("SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = 'punchboard'");
    expect(row).toEqual({ count: 2 });
  });

  test('a host that is down is skipped', async () => {
    const url = await server.createDatabase();
    const host = /@([^/]*)/.exec(url)?.[1] ?? '';
    const elsewhere = createConnections({ url: url.replace(host, `127.0.0.1:1,${host}`), size: 1, timeout: 20_000 });
    // Calls that arrive while the hosts are tried wait for the same connection.
    const asked: Promise<unknown>[] = [];
    for (let at = 0; at < 20; at++) {
      asked.push(elsewhere.query(elsewhere.prepare('SELECT 1'), []));
      await new Promise(setImmediate);
    }
    await Promise.all(asked);
    const countConnections = 'SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()';
    expect(await elsewhere.query(elsewhere.prepare(countConnections), [])).toEqual([{ count: 1 }]);
    await elsewhere.close();
  });
});

(hasPostgres ? test : test.skip)('every acknowledged write is stored after the standby is promoted', async () => {
  const { primary, standby, createDatabase, promote } = await startReplicated();
  const url = await createDatabase();
  const connections = createConnections({ url, size: 2, timeout: 20_000 });
  const run = (text: string, ...values: number[]) => connections.query(connections.prepare(text), values);
  try {
    await run('CREATE TABLE piece (id bigint PRIMARY KEY)');
    const acknowledged: number[] = [];
    const write = (id: number) => run('INSERT INTO piece VALUES ($1)', id).then(() => acknowledged.push(id));
    await Promise.all(Array.from({ length: 50 }, (_, id) => write(id)));
    const during = Promise.allSettled(Array.from({ length: 50 }, (_, at) => write(50 + at)));
    await primary.kill();
    await during;
    await expect(run('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
    await promote();
    await write(100);
    const stored = new Set((await run('SELECT id FROM piece')).map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(50);
  } finally {
    await connections.close();
    await Promise.all([primary.stop(), standby.stop()]);
  }
});
