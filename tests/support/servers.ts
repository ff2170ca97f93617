// The servers on which suites about PostgreSQL run: that of the npm package, and a Citus cluster if one is named.

import { type Connections, createConnections } from '../../runtime/store/postgres/connections.js';
import { hasCitus, startCitus } from './citus.js';
import { hasPostgres, runScript, sharePostgres } from './postgres.js';

export interface TestServer {
  /** @returns the URL of a new, empty database */
  createDatabase(): Promise<string>;
  /** Distributes the tables of a database once they exist; only Citus has this. */
  tablesCreated?(url: string): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenedDatabase {
  readonly url: string;
  readonly connections: Connections;
}

/** @param ddl the statements that create its tables @returns a new database with these tables, distributed on Citus */
export async function openDatabase(server: TestServer, ddl: readonly string[], size = 2): Promise<OpenedDatabase> {
  const url = await server.createDatabase();
  const connections = createConnections({ url, size, timeout: 60_000 });
  // One transaction takes half the CPU of a transaction for each statement.
  await runScript(url, ddl.join(';\n'));
  await server.tablesCreated?.(url);
  return { url, connections };
}

/** Describes the suite on each server; if one cannot be started, its tests count as skipped. */
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

/** All servers, whether they can be started or not. */
export const SERVERS: readonly Server[] = [
  {
    name: 'PostgreSQL',
    available: hasPostgres,
    start: sharePostgres,
  },
  { name: 'Citus', available: hasCitus, start: startCitus },
];
