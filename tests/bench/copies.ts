// Fills a table with copies of one record, by SQL: the service would take hours for ten million.

import Database from 'better-sqlite3';

/** Writes that many copies of the box top. */
export function copyBox(file: string, id: string, count: number): void {
  const db = new Database(file);
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('boxtop')").pluck().all();
  const rest = columns.filter((column) => column !== 'id').map((column) => `"${column}"`);
  db.exec('PRAGMA synchronous = OFF');
  db.prepare(
    `WITH RECURSIVE series(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM series WHERE value < ? - 1)
     INSERT INTO boxtop (id, ${rest.join(', ')})
     SELECT substr(id, 1, 2) || printf('0%0${id.length - 3}d', value), ${rest.join(', ')} FROM series JOIN boxtop ON id = ?`,
  ).run(count, id);
  db.close();
}

/** The id of a copy; the copies are counted from 0. */
export function copyId(id: string, at: number): string {
  return `${id.slice(0, 2)}0${String(at).padStart(id.length - 3, '0')}`;
}
