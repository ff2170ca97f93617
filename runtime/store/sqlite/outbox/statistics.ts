// Counts slices of the outbox's tables.

import type { Database } from 'better-sqlite3';
import { type PrepareSlice, SLICE } from '../../sql/outbox-statistics.js';

export function prepareSlices(db: Database): PrepareSlice {
  return (table, columns) => {
    const statement = db.prepare<object, Readonly<Record<string, number | string | null>>>(
      `SELECT count(*) AS rows, max(id) AS last, ${columns}
       FROM (SELECT * FROM ${table} WHERE id > @after ORDER BY id LIMIT ${SLICE})`,
    );
    return (place) => statement.get(place) ?? {};
  };
}
