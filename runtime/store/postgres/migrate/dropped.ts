// Keeps dropped values aside on PostgreSQL, each drop within the step that drops it.
import type { Schema } from '../../../schema/schema.js';
import { dropsOfColumn } from '../../kept-values.js';
import * as verbs from '../../migrate/dropped.js';
import type { Query } from '../connections.js';
import { onSession } from '../session.js';
import { transaction } from './transaction.js';

export { sideTable } from '../../migrate/dropped.js';
export const keepDropped = onSession(verbs.keepDropped);
export const listDropped = onSession(verbs.listDropped);
export const adoptDropped = onSession(verbs.adoptDropped);

/** Permanently removes values dropped before a time (epoch milliseconds). @returns the removed drops */
export function purgeDropped(query: Query, before: number) {
  return transaction(query, () => onSession(verbs.purgeDropped)(query, before));
}

/** Records that from now on servers may write to columns that have come back. @param schema the new schema of the database */
export async function watchRestoredColumns(query: Query, { tables }: Schema, now: number): Promise<void> {
  const all = await listDropped(query);
  const back = new Set(tables.flatMap((table) => table.columns.flatMap((column) => dropsOfColumn(all, table, column))));
  for (const { number } of all.filter((drop) => drop.watched === null && back.has(drop))) {
    await query('UPDATE "_punchboard_dropped" SET "watched" = $1 WHERE "number" = $2', [now, number]);
  }
}
