// The oldest versions of PostgreSQL and Citus that the service runs on (D67).
import { StartError } from '../start-error.js';
import type { Query } from './connections.js';

const OLDEST = { PostgreSQL: 15, Citus: 13 } as const;

const VERSIONS = `SELECT current_setting('server_version') AS "PostgreSQL",
(SELECT extversion FROM pg_extension WHERE extname = 'citus') AS "Citus"`;

/** Throws StartError, in one line, for a server that is too old. */
export async function refuseOlder(query: Query): Promise<void> {
  const [versions] = await query(VERSIONS);
  for (const [name, oldest] of Object.entries(OLDEST)) {
    const version = versions?.[name] ?? null;
    if (version === null || Number.parseInt(String(version), 10) >= oldest) continue;
    throw new StartError(`${name} ${version} is too old: version ${oldest} is the oldest on which this program runs`);
  }
}
