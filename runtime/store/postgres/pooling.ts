// Detects a pooler that gives each transaction any free connection to PostgreSQL. Settings and prepared statements of a session
// are lost then, so such a pooler cannot be used (N24).
import type { Client } from 'pg';

/** The code of the error, in place of an SQLSTATE, for which `explainError` has advice. */
const NO_SESSIONS = 'no sessions';

/**
 * Throws if the client does not keep its connection behind a pooler. Without a pooler this costs one query: PostgreSQL tells a
 * client the number of the process that serves it, while poolers tell it a number of their own.
 * @param another opens a second connection
 */
export async function refuseWithoutSessions(client: Client, another: () => Promise<Client>): Promise<void> {
  const before = await processOf(client);
  if (before === (client as Client & { readonly processID?: number }).processID) return;
  const other = await another();
  try {
    // While this transaction occupies a process, the client's next transactions get another one if the pooler gives any free one.
    await other.query('BEGIN');
    await processOf(other);
    for (let tries = 0; tries < TRIES; tries += 1) {
      if ((await processOf(client)) === before) continue;
      throw Object.assign(new Error('a pooler gives the transactions of one session several connections'), {
        code: NO_SESSIONS,
      });
    }
  } finally {
    await other.end().catch(() => undefined);
  }
}

/** Several tries, since a pooler may hand out free connections in turn. */
const TRIES = 4;

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process');
  return rows[0]?.process;
}
