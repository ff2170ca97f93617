// The SQL function that validates JSON text against a JSON Schema, for planning a migration. CHECK constraints do not use it.
import type Database from 'better-sqlite3';
import { FITS_SCHEMA } from '../../schema/sqlite/risks.js';
import { createJsonValidator } from '../json-validator.js';

/** Registers the function on a connection until it is closed. */
export function registerJsonFunction(db: Database.Database): void {
  const fits = createJsonValidator();
  db.function(FITS_SCHEMA, { deterministic: true }, (schema: string, text: string) => (fits(schema, text) ? 1 : 0));
}
