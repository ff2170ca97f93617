// The servers that a suite about PostgreSQL runs on: that of the npm package, and a Citus cluster where there is one.
import { hasCitus, startCitus } from './citus.js';
import { hasPostgres, startPostgres } from './postgres.js';

export interface TestServer {
  /** @returns the URL of a new, empty database */
  createDatabase(): Promise<string>;
  /** To be called once the tables of a database are there, where they are to be distributed then. */
  tablesCreated?(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** Describes the suite on each of them; where one cannot be started, its tests count as skipped. */
export function describeOnServers(suite: (server: () => TestServer, name: ServerName) => void): void {
  for (const { name, available, start } of SERVERS) {
    (available ? describe : describe.skip)(`on ${name}`, () => {
      let server: TestServer | null = null;
      beforeAll(async () => {
        server = await start();
      });
      afterAll(() => server?.stop());
      suite(() => server as TestServer, name);
    });
  }
}

export type ServerName = 'PostgreSQL' | 'Citus';

interface Server {
  readonly name: ServerName;
  readonly available: boolean;
  start(): Promise<TestServer>;
}

/** All of them, whether they can be started or not. */
export const SERVERS: readonly Server[] = [
  {
    name: 'PostgreSQL',
    available: hasPostgres,
    start: startPostgres,
  },
  { name: 'Citus', available: hasCitus, start: startCitus },
];
