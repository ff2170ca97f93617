// A table that somebody has locked: requests that need it wait or are refused in time, and others are not affected.

import { Client } from 'pg';
import type { StartOptions } from '../../runtime/server/main.js';
import { clientOf, type Reply, type Send } from '../support/client.js';
import { hasPostgres, sharePostgres } from '../support/postgres.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { shared } from '../support/shared.js';

/** Milliseconds that a statement may take in these tests. */
const TIMEOUT = 700;
const MANY = 40;
const ROUNDS = 5;

(hasPostgres ? describe : describe.skip)('while a table is locked', () => {
  const postgres = shared(sharePostgres);
  let service: TestService;
  let operator: Client;
  let send: Send;
  let session: string;
  let designer: string;
  let game: string;
  let folder: string;
  afterEach(() => stop());
  const start = async (parameters: string, options: Partial<StartOptions> = {}) => {
    const database = await postgres.createDatabase();
    service = await startService({ database: `${database}${parameters}`, ...options });
    const user = await service.user('maker');
    session = user.session;
    const call = clientOf(service.address);
    send = (method, path, more) => call(method, path, { session, ...more });
    const make = async (path: string, parameters: object) =>
      (await send('POST', path, { parameters: { ...parameters } })).body.id as string;
    designer = await make('/api/designer', { name: 'One' });
    game = await make('/api/game', { name: 'Chess', designer_id: designer });
    folder = await make('/api/folder', { name: 'Pictures' });
    operator = new Client(database);
    await operator.connect();
  };
  const stop = async () => {
    await operator.end();
    await service.stop();
  };
  const lock = async (table: string): Promise<void> => {
    await operator.query('BEGIN');
    await operator.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  };
  const release = () => operator.query('ROLLBACK');
  /** Sends requests and counts the responses so far. */
  const many = (request: (at: number) => Promise<Reply>) => {
    const state = { answered: 0 };
    const replies = Array.from({ length: MANY }, (_, at) =>
      request(at).finally(() => {
        state.answered += 1;
      }),
    );
    return { state, replies: Promise.all(replies) };
  };
  const update = (path: string, parameters: object) => send('PUT', path, { parameters: { ...parameters } });

  const BLOCKED: readonly (readonly [string, (at: number) => Promise<Reply>])[] = [
    ['reads', () => send('GET', `/api/game/${game}`)],
    ['writes', () => update(`/api/game/${game}`, { name: 'Chess' })],
    ['either', (at) => (at % 2 === 0 ? send('GET', `/api/game/${game}`) : send('DELETE', `/api/game/g0${at}`))],
  ];
  test('N23: requests to other tables are answered while 40 wait for the locked one', async () => {
    await start('');
    for (const [name, blocked] of BLOCKED) {
      await lock('game');
      const { state, replies } = many(blocked);
      for (let round = 0; round < ROUNDS; round += 1) {
        const others = await Promise.all([
          send('GET', `/api/folder/${folder}`),
          update(`/api/folder/${folder}`, { name: `Pictures ${round}` }),
          send('POST', '/api/folder', { parameters: { name: 'Further', folder_id: folder } }),
          send('GET', `/api/designer/${designer}`),
        ]);
        expect([name, ...others.map(({ status }) => status)]).toEqual([name, 200, 200, 201, 200]);
      }
      expect([name, state.answered]).toEqual([name, 0]);
      await release();
      for (const { status } of await replies) expect([200, 404]).toContain(status);
    }
  }, 60_000);

  test('N22: a statement that takes too long is a 503, and the statements sent after it are executed', async () => {
    await start(`?statement_timeout=${TIMEOUT}`);
    await lock('game');
    let first: (reply: Reply) => void = () => undefined;
    const refused = new Promise<Reply>((resolve) => {
      first = resolve;
    });
    const { replies } = many(async () => {
      const reply = await send('GET', `/api/game/${game}`);
      first(reply);
      return reply;
    });
    const { status, headers } = await refused;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await release();
    const statuses = (await replies).map((reply) => reply.status);
    expect(statuses.filter((one) => one !== 200 && one !== 503)).toEqual([]);
    expect(statuses.filter((one) => one === 200).length).toBeGreaterThan(MANY / 2);
    expect((await send('GET', `/api/game/${game}`)).status).toBe(200);
  }, 60_000);

  test('N25, N26: the number of connections and the timeouts are options, and /metrics shows both', async () => {
    await start('', { processes: 1, databaseConnections: 8, databaseTimeoutMs: TIMEOUT, databaseWaitMs: 2 * TIMEOUT });
    await lock('game');
    const { replies } = many(() => send('GET', `/api/game/${game}`));
    expect((await replies).map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array.from({ length: MANY }, () => [503, '1']),
    );
    await release();
    const metrics = await figures();
    expect(metrics('statement_timeouts_total')).toBeGreaterThan(0);
    expect(metrics('waits_total{use="read"}')).toBeGreaterThan(0);
    expect(metrics('refusals_total{use="read"}')).toBeGreaterThan(0);
    expect(metrics('connections{use="read"}')).toBeLessThanOrEqual(2);
    const { rows } = await operator.query<{ connections: string }>(
      "SELECT count(*) AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'punchboard'",
    );
    expect(Number(rows[0]?.connections)).toBeLessThanOrEqual(8);
  }, 60_000);
  const figures = async () => {
    const { text } = await send('GET', '/metrics', {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      session: null,
    });
    return (name: string): number => {
      const line = text.split('\n').find((one) => one.startsWith(`punchboard_database_${name} `));
      return Number(line?.split(' ')[1]);
    };
  };
});
