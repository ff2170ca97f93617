// The SQL function that validates JSON text against a JSON Schema, for planning a migration. CHECK constraints do not use it.
import type Database from 'better-sqlite3';
import { FITS_SCHEMA } from '../../schema/sqlite/risks.js';

type Judge = (value: unknown) => unknown;

/** Registers the function on a connection, until it is closed. */
export function teachJsonSchema(db: Database.Database): void {
  const judges = new Map<string, Judge>();
  db.function(FITS_SCHEMA, { deterministic: true }, (schema: string, text: string) => {
    const judge = judges.get(schema) ?? compiled(schema);
    judges.set(schema, judge);
    return fits(judge, text) ? 1 : 0;
  });
}

function fits(judge: Judge, text: string): boolean {
  try {
    return Boolean(judge(JSON.parse(text)));
  } catch {
    // Text that is not JSON is reported by another rule, whichever of them the engine evaluates first.
    return true;
  }
}

function compiled(schema: string): Judge {
  // Loaded only if a schema has changed, so that a start does not wait for the compiler.
  const { default: Ajv } = require('ajv') as typeof import('ajv');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({ meta: false, validateSchema: false, strict: false });
  addFormats(ajv);
  return ajv.compile(JSON.parse(schema));
}
