// Validates stored values with a JSON Schema when a migration is planned. CHECK constraints do not use it.

type Validator = (value: unknown) => unknown;

/** Returns a function that checks whether JSON text fits a schema, also given as JSON text. It compiles each schema once. */
export function createJsonValidator(): (schema: string, text: string) => boolean {
  const validators = new Map<string, Validator>();
  return (schema, text) => {
    const validate = validators.get(schema) ?? compiled(schema);
    validators.set(schema, validate);
    return fits(validate, text);
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

function fits(validate: Validator, text: string): boolean {
  try {
    return Boolean(validate(JSON.parse(text)));
  } catch {
    // Another rule reports text that is not JSON, whichever rule the engine evaluates first.
    return true;
  }
}

function compiled(schema: string): Validator {
  // Loaded only if a schema has changed, so that a start does not wait for the compiler.
  const { default: Ajv } = require('ajv') as typeof import('ajv');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({ meta: false, validateSchema: false, strict: false });
  addFormats(ajv);
  return ajv.compile(JSON.parse(schema));
}
