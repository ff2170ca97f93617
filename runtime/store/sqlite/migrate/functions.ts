// The SQL functions that the steps of a migration use.
import type Database from 'better-sqlite3';
import type { Schema } from '../../../schema/schema.js';
import { COMPUTE } from '../../../schema/sqlite/risks.js';
import { computerOf } from '../../migrate/computed.js';
import { teachWords } from '../words.js';

/** Registers them on a connection. @param schema the new one, with the functions that fill its columns */
export function teachFunctions(db: Database.Database, schema: Schema): void {
  teachWords(db);
  const computers = new Map<string, ReturnType<typeof computerOf>>();
  db.function(COMPUTE, (table: string, column: string, row: string) => {
    const key = `${table}.${column}`;
    const compute = computers.get(key) ?? computerOf(schema, table, column);
    computers.set(key, compute);
    return compute(Object.assign({}, ...JSON.parse(row)));
  });
}
