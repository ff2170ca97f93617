// A server whose database becomes unreachable reports that it is not ready, and still ends when asked to.

import { type Server, serve } from '../cli/processes.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { type Gateway, startGateway } from '../support/postgres-gateway.js';

interface DatabaseUnderTest {
  readonly server: Server;
  readonly postgres: TestPostgres;
  readonly gateway: Gateway;
}

const AWAYS: readonly (readonly [name: string, away: (place: DatabaseUnderTest) => Promise<void> | void])[] = [
  ['refuses connections', ({ postgres }) => postgres.kill()],
  ['is gone without a word', ({ gateway }) => gateway.silence()],
];

const begin = async (): Promise<DatabaseUnderTest> => {
  const postgres = await startPostgres();
  const gateway = await startGateway(await postgres.createDatabase());
  const env = { DATABASE_URL: gateway.url, FILES: 'files' };
  const server = await serve(['--port', '0', '--log-level', 'fatal'], temporaryFolder('away'), env);
  return { server, postgres, gateway };
};
const end = async ({ server, gateway, postgres }: DatabaseUnderTest): Promise<void> => {
  await server.end();
  await gateway.close();
  await postgres.stop();
};

(hasPostgres ? test : test.skip)(
  'N26: /readyz says so while requests still wait for a database that is gone without a word',
  async () => {
    const place = await begin();
    const { address } = place.server;
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    place.gateway.silence();
    let isAnswered = false;
    const waiting = fetch(`${address}/api/game/aabbcc`).then(
      () => {
        isAnswered = true;
      },
      // The server is killed first.
      () => undefined,
    );
    const readiness = await Promise.all([1, 2, 3].map(() => fetch(`${address}/readyz`)));
    expect([readiness.map(({ status }) => status), isAnswered]).toEqual([[503, 503, 503], false]);
    await end(place);
    await waiting;
  },
  60_000,
);

// The cases that take as long as a connection attempt run only in the long form.
(hasPostgres ? describe : describe.skip).each(AWAYS.slice(0, count(1, AWAYS.length)))(
  'a database that %s',
  (_, away) => {
    let place: DatabaseUnderTest;
    beforeEach(async () => {
      place = await begin();
    }, 60_000);
    afterEach(() => end(place));

    const readiness = async () => (await fetch(`${place.server.address}/readyz`)).status;

    test('/readyz is 503, and SIGTERM ends the server with 0', async () => {
      expect(await readiness()).toBe(200);
      await away(place);
      expect(await readiness()).toBe(503);
      expect(await place.server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    }, 120_000);

    test('requests are refused with 503 and Retry-After', async () => {
      await away(place);
      const answer = await fetch(`${place.server.address}/api/game/aabbcc`);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }, 120_000);
  },
);
