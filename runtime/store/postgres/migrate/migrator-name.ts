// The name under which a process migrates, by which an operator can find it.
import { hostname } from 'node:os';
import type { Query } from '../connections.js';

/** A name that no other migrator has: its process, and its session in the database. */
export async function migratorName(query: Query): Promise<string> {
  const [session] = await query('SELECT pg_backend_pid() AS "pid"');
  return `process ${process.pid} on ${hostname()} (session ${session?.pid})`;
}
