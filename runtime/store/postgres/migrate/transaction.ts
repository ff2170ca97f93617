// Transactions of a session, and their repetition after conflicts.
import type { Query } from '../connections.js';

/** Milliseconds that a statement waits for a lock; statements behind it wait as long. */
const LOCK_TIMEOUT = 2000;
const ATTEMPTS = 30;

/** The error codes of a lock that was not available, a deadlock and a serialization failure. */
const CONFLICTS = ['55P03', '40P01', '40001'];
/** The error codes if two sessions create the same object at the same time. */
const CREATED_BY_ANOTHER = ['23505', '42P07', '42710'];

/** All of `work` or nothing. */
export async function transaction<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await query('BEGIN');
  try {
    const result = await work();
    await query('COMMIT');
    return result;
  } catch (error) {
    // A broken connection has rolled the transaction back already.
    await query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Sends statements together: hundreds of round trips would take longer than the statements themselves. */
export async function runTogether(query: Query, statements: readonly string[]): Promise<void> {
  await query(statements.join(';\n'));
}

/** Repeats work that waited in vain for a lock. Each wait is limited, so that servers are held up only briefly. */
export async function retryWithLockTimeout<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await query(`SET lock_timeout = ${LOCK_TIMEOUT}`);
  return retryConflicts(work);
}

/** Repeats work that conflicts with others. */
export function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retryOn(CONFLICTS, work);
}

/** Repeats the creation of an object that another session may be creating. */
export function retryCreation<T>(work: () => Promise<T>): Promise<T> {
  return retryOn(CREATED_BY_ANOTHER, work);
}

async function retryOn<T>(codes: readonly string[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !codes.includes(codeOf(error))) throw error;
    }
  }
}

/** PostgreSQL's code of an error; empty for any other. */
export function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
