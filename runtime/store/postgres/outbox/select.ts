// Runs statements and reads their rows.

import type { Call } from '../connections.js';
import type { Query } from '../named.js';

/** The rows as what the statement selects; its text and the type must agree. */
export async function select<T>(query: Query, { statement, values }: Call): Promise<readonly T[]> {
  return (await query(statement, values)) as readonly unknown[] as readonly T[];
}

/** Runs statements in this order, sent together. */
export async function runAll(query: Query, calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map(({ statement, values }) => query(statement, values)));
}
