// Real servers on one PostgreSQL database that can be killed, and the deliveries that the killed ones had in flight.

import { join } from 'node:path';
import { Client } from 'pg';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import { type Server, serve } from '../cli/processes.js';
import { temporaryFolder } from '../support/paths.js';
import { sharePostgres } from '../support/postgres.js';
import { preloading } from '../support/preload.js';
import { METRICS_TOKEN, openedAt, sessionOf } from '../support/quiet-service.js';
import { makePeople, type People } from '../webhooks/crash-rounds.js';

export interface Servers {
  readonly people: People;
  /** Session of the user who owns the records. */
  readonly writer: string;
  start(): Promise<Server>;
  /**
   * Kills a server and ends its leases, as time would. Resolves when its connections to the database are closed.
   * @returns the deliveries that it had in flight
   */
  kill(server: Server): Promise<readonly string[]>;
  /** Kills all remaining servers. */
  end(): Promise<void>;
}

/** @param preloads scripts that are preloaded into each server */
export async function startServers(preloads: readonly string[]): Promise<Servers> {
  const postgres = await sharePostgres();
  const database = await postgres.createDatabase();
  const sessions = await fill(database);
  const folder = temporaryFolder('servers');
  const client = new Client(database);
  await client.connect();
  const names = new Map<Server, string>();
  let started = 0;
  const modules = [join(__dirname, 'announced-server.js'), ...preloads];
  const where = ['--port', '0', '--files', join(folder, 'files'), '--metrics-token', METRICS_TOKEN];
  const how = ['--rate-limit', '0', '--log-level', 'error', '--webhook-retry-unit-ms', '20'];
  return {
    ...sessions,
    async start() {
      started += 1;
      const name = `server ${started}`;
      const server = await serve([...where, ...how, '--webhook-allow-cidrs', '127.0.0.0/8'], folder, {
        DATABASE_URL: `${database}?application_name=${encodeURIComponent(name)}`,
        NODE_OPTIONS: preloading(...modules),
      });
      names.set(server, name);
      return server;
    },
    async kill(server) {
      await server.end();
      await disconnected(client, names.get(server) ?? '');
      const line = await server.line(/^Deliveries are claimed by /);
      return endLeases(client, line.replace('Deliveries are claimed by ', ''));
    },
    async end() {
      for (const server of names.keys()) server.process.kill('SIGKILL');
      await Promise.all([...names.keys()].map(({ ended }) => ended));
      await client.end();
      await postgres.stop();
    },
  };
}

async function fill(database: string): Promise<Pick<Servers, 'people' | 'writer'>> {
  const now = Date.now();
  const service = await openService(openedAt(database), now);
  const people = await makePeople(service);
  const user = await addUser(service, { username: 'writer', password: 'correct horse', admin: false }, now);
  const { id } = JSON.parse(user) as { readonly id: string };
  const writer = await sessionOf({ service }, { user: id, now });
  await service.engine.close();
  return { people, writer };
}

/** Resolves when PostgreSQL has executed what the dead server had sent, and has closed its connections. */
async function disconnected(client: Client, name: string): Promise<void> {
  const alive = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';
  while ((await client.query(alive, [name])).rows.length > 0);
}

async function endLeases(client: Client, server: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH ended AS (UPDATE webhook_lease SET until = 0 WHERE server = $1 RETURNING attempt_id)
     UPDATE webhook_delivery d SET lease = 0 FROM ended WHERE d.attempt_id = ended.attempt_id RETURNING d.id`,
    [server],
  );
  return rows.map(({ id }) => id);
}
