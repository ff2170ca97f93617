// Databases on a Citus cluster that runs elsewhere: CITUS_URL is the URL of its coordinator, for an account that may create
// databases on every node.
import { Client } from 'pg';
import { createConnections } from '../../runtime/store/postgres/connections.js';
import { distribute } from '../../runtime/store/postgres/migrate/distribute.js';
import type { TestServer } from './servers.js';

const { CITUS_URL = '' } = process.env;

/** False if no cluster is named. */
export const hasCitus = CITUS_URL !== '';

/** A few shards on each worker are enough; the default of 32 takes four times as long to create. */
export const SHARDS = 8;

interface Node {
  readonly host: string;
  readonly port: number;
}

/** A server whose databases have Citus on every node, and are dropped when it stops. */
export async function startCitus(): Promise<TestServer> {
  const nodes = await onDatabase(CITUS_URL, async (query) => {
    const rows = await query(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
    );
    return rows as readonly Node[];
  });
  const names: string[] = [];
  return {
    async createDatabase() {
      const name = `punchboard_test_${process.pid}_${Date.now()}_${names.length}`;
      names.push(name);
      await Promise.all(nodes.map((node) => createOn(node, name)));
      await connectNodes(nodes, name);
      return urlOf(CITUS_URL, name);
    },
    tablesCreated: distributeTables,
    async stop() {
      for (const name of names.splice(0)) {
        await Promise.all(nodes.map((node) => onNode(node, (query) => query(`DROP DATABASE ${name} WITH (FORCE)`))));
      }
    },
  };
}

/** Distributes the tables of a database. */
export async function distributeTables(url: string): Promise<void> {
  const connections = createConnections({ url, size: 1, timeout: 120_000 });
  await connections.session((query) => distribute(query)).finally(connections.close);
}

async function createOn(node: Node, name: string): Promise<void> {
  await onNode(node, (query) => query(`CREATE DATABASE ${name}`));
  await onNode(node, (query) => query('CREATE EXTENSION citus'), name);
}

/** Introduces the nodes to each other in each database. */
async function connectNodes([coordinator, ...workers]: readonly Node[], name: string): Promise<void> {
  await onDatabase(urlOf(CITUS_URL, name), async (query) => {
    await query(`ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
    await query('SELECT citus_set_coordinator_host($1, $2)', [coordinator?.host, coordinator?.port]);
    for (const { host, port } of workers) await query('SELECT citus_add_node($1, $2)', [host, port]);
  });
}

type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

function onNode<T>({ host, port }: Node, work: (query: RunQuery) => Promise<T>, database = 'postgres'): Promise<T> {
  const url = new URL(urlOf(CITUS_URL, database));
  url.hostname = host;
  url.port = String(port);
  return onDatabase(url.href, work);
}

async function onDatabase<T>(url: string, work: (query: RunQuery) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(async (text, values = []) => (await client.query(text, [...values])).rows);
  } finally {
    await client.end();
  }
}

function urlOf(coordinator: string, database: string): string {
  const url = new URL(coordinator);
  url.pathname = `/${database}`;
  return url.href;
}
