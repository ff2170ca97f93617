// The SQL function that holds JSON text against a JSON Schema, for the plan of a migration. No table's CHECK uses it.
import type Database from 'better-sqlite3';
import { FITS_SCHEMA } from '../../schema/sqlite/risks.js';

type Judge = (value: unknown) => unknown;

/** Teaches a connection the function, from here to its end. */
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
    // No JSON at all is another rule's to tell, whichever of them the engine asks first.
    return true;
  }
}

function compiled(schema: string): Judge {
  // Loaded when a schema has changed: a start does not wait for the compiler.
  const { default: Ajv } = require('ajv') as typeof import('ajv');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({ meta: false, validateSchema: false, strict: false });
  addFormats(ajv);
  return ajv.compile(JSON.parse(schema));
}
