// The ajv that validates requests, literals of descriptors and schemas of JSON fields: one set of options for all three.

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../model/model.js';

const OPTIONS: Options = {
  // The schemas are ours, or were checked already: compiling the meta-schema for each resource took a quarter of gen's time.
  meta: false,
  validateSchema: false,
  allErrors: true,
  messages: false,
  strictTypes: false,
  strictRequired: false,
  logger: false,
};
/** Formats of our own kinds, which conversion has already checked. */
const CHECKED_BEFORE = ['password'] as const;

/** An ajv with the options used for requests. @param more options of a single user */
export function openAjv(more: Options = {}): Ajv {
  const ajv = new Ajv({ ...OPTIONS, ...more });
  addFormats(ajv);
  for (const format of CHECKED_BEFORE) ajv.addFormat(format, true);
  return ajv;
}

/** For validators that are used but not written to a file: optimizing their code takes longer than it saves. */
const UNOPTIMIZED: Options = { code: { optimize: false } };

/**
 * @returns why a value does not fit the schema, in ajv's words; empty if it is valid, or if the schema itself is invalid, which
 * another rule reports
 */
export function createSchemaValidator(schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  const validate = lazily(() => compiled(schema));
  return (value) => (isListed(schema, value) || validate()?.(value) !== false ? [] : (validate()?.errors ?? []));
}

/** Names of a choice differ between resources: compiling their schemas just to look up a name took a tenth of gen's time. */
function isListed({ type, enum: values, ...more }: JsonSchema, value: unknown): boolean {
  const isPlain = type === 'string' && Array.isArray(values) && Object.keys(more).length === 0;
  return isPlain && typeof value === 'string' && values.includes(value);
}

function lazily<T>(make: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

function compiled(schema: JsonSchema): ValidateFunction | null {
  try {
    return openAjv({ ...UNOPTIMIZED, messages: true }).compile(schema);
  } catch {
    return null;
  }
}

/** Why the schema cannot become part of a request's schema, in ajv's words; null if it can. Not checked against a meta-schema. */
export function problemOf(schema: object): string | null {
  try {
    // Like the validators: inside a body, both as it is and with null allowed, and as the body of an event.
    const body = { type: 'object', properties: { value: schema } };
    const ajv = openAjv(UNOPTIMIZED);
    for (const one of [body, { ...body, properties: { value: { ...schema } } }]) ajv.compile(one);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.slice(0, 160) : 'it does not compile';
  }
}

/** Keeps a watch from remembering every schema ever typed. Below the number that one spec has, none would be remembered. */
const REMEMBERED = 10_000;

/** Caches results by the schema's text, since the same schema occurs in many resources, and in every run of a watch. */
export function memoizeBySchema<T>(make: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const results = new Map<string, { readonly result: T }>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const entry = results.get(text) ?? { result: make(schema) };
    if (results.size >= REMEMBERED) results.clear();
    results.set(text, entry);
    return entry.result;
  };
}
