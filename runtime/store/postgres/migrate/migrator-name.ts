// The name under which a process migrates, so that an operator can find it.
import { hostname } from 'node:os';
import type { Query } from '../connections.js';

/** A unique name: the process, and its session in the database. */
export async function migratorName(query: Query): Promise<string> {
  const [session] = await query('SELECT pg_backend_pid() AS "pid"');
  return `process ${process.pid} on ${hostname()} (session ${session?.pid})`;
}
