// A PostgreSQL database as data: its DDL statements in order, and the rows of each table.
import { Client } from 'pg';

export interface PostgresDump {
  readonly statements: readonly string[];
  /** Rows of each table as JSON, without computed columns. */
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** @param statements the DDL statements of the database */
export function dump(url: string, statements: readonly string[]): Promise<PostgresDump> {
  return withClient(url, async (client) => {
    const rows: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
    for (const { table, columns } of await tablesOf(client)) {
      const { rows: found } = await client.query(
        `SELECT coalesce(json_agg(t), '[]') AS rows FROM (SELECT ${columns} FROM ${table}) t`,
      );
      if (found[0].rows.length > 0) rows[table] = found[0].rows;
    }
    return { statements, rows };
  });
}

/** Fills a new, empty database. */
export function restore(url: string, { statements, rows }: PostgresDump): Promise<void> {
  return withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
    // Triggers and foreign keys are off, since rows are restored unchanged and in any order.
    await client.query('SET session_replication_role = replica');
    // Rows that the statements themselves inserted are part of the dump.
    for (const { table } of await tablesOf(client)) await client.query(`DELETE FROM ${table}`);
    for (const { table, columns } of await tablesOf(client)) {
      if (rows[table] === undefined) continue;
      await client.query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows[table])],
      );
    }
    await raiseSequences(client);
  });
}

/** The structure of a database, one line each: columns, constraints, indexes and triggers. */
export function shapeOf(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(SHAPE);
    return rows.map(({ line }) => line);
  });
}

const OWN = `relnamespace = 'public'::regnamespace`;
const SHAPE = `
  SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull
    || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE ${OWN} AND c.relkind = 'r'
  UNION ALL SELECT conname || ' ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
  UNION ALL SELECT pg_get_indexdef(oid) FROM pg_class WHERE ${OWN} AND relkind = 'i'
  UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND ${OWN}
  ORDER BY 1`;

/** The tables, and their columns as a list. */
async function tablesOf(client: Client): Promise<readonly { readonly table: string; readonly columns: string }[]> {
  const { rows } = await client.query(`
    SELECT c.oid::regclass::text AS table, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE ${OWN} AND c.relkind = 'r' AND a.attgenerated = '' GROUP BY c.oid ORDER BY 1`);
  return rows;
}

async function raiseSequences(client: Client): Promise<void> {
  const { rows } = await client.query(`
    SELECT c.oid::regclass::text AS table, a.attname AS column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE ${OWN} AND c.relkind = 'r' AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL`);
  for (const { table, column, sequence } of rows) {
    await client.query(`SELECT setval('${sequence}', (SELECT coalesce(max("${column}"), 0) + 1 FROM ${table}), false)`);
  }
}
