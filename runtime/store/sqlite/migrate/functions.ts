// Registers the SQL functions that the steps of a migration use.
import type Database from 'better-sqlite3';
import type { Schema } from '../../../schema/schema.js';
import { COMPUTE } from '../../../schema/sqlite/risks.js';
import { computationOf } from '../../migrate/computed.js';
import { registerWordFunction } from '../words.js';

/** @param schema the new schema, with the functions that fill its columns */
export function registerFillFunctions(db: Database.Database, schema: Schema): void {
  registerWordFunction(db);
  const computations = new Map<string, ReturnType<typeof computationOf>>();
  db.function(COMPUTE, (table: string, column: string, row: string) => {
    const key = `${table}.${column}`;
    const compute = computations.get(key) ?? computationOf(schema, table, column);
    computations.set(key, compute);
    return compute(Object.assign({}, ...JSON.parse(row)));
  });
}
