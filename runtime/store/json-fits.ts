// Validates stored values with a JSON Schema when a migration is planned. CHECK constraints do not use it.

type Judge = (value: unknown) => unknown;

/** Returns a function that checks whether JSON text fits a schema, also given as JSON text. It compiles each schema once. */
export function createJsonJudge(): (schema: string, text: string) => boolean {
  const judges = new Map<string, Judge>();
  return (schema, text) => {
    const judge = judges.get(schema) ?? compiled(schema);
    judges.set(schema, judge);
    return fits(judge, text);
  };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function fits(judge: Judge, text: string): boolean {
  try {
    return Boolean(judge(JSON.parse(text)));
  } catch {
    // Another rule reports text that is not JSON, whichever rule the engine evaluates first.
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
