// Whether a pooler between us and PostgreSQL gives each transaction whichever connection is free. What a session sets and
// prepares is lost then, so such a pooler cannot be used (N24).
import type { Client } from 'pg';

/** Told as if PostgreSQL itself had refused: `explained` knows what to do. */
export const NO_SESSIONS = 'no sessions';

/**
 * Throws if the client's connection behind a pooler is not its own. Without a pooler this costs nothing: PostgreSQL has told
 * the client the number of the process that serves it, and poolers tell a number of their own.
 * @param another opens a second connection
 */
export async function refuseWithoutSessions(client: Client, another: () => Promise<Client>): Promise<void> {
  const before = await processOf(client);
  if (before === (client as Client & { readonly processID?: number }).processID) return;
  const other = await another();
  try {
    // While this one has a process to itself, the other's next one is another if any free one is taken.
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

/** Where free ones are taken in turns. */
const TRIES = 4;

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>('SELECT pg_backend_pid() AS process');
  return rows[0]?.process;
}
