// Judges stored values against a JSON Schema, for planning a migration. CHECK constraints do not use it.

type Judge = (value: unknown) => unknown;

/** A function that tells whether JSON text fits a schema, which is given as JSON text. It compiles each schema once. */
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
