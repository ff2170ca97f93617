// The ajv that validates requests, literals of descriptors and schemas of JSON fields: one set of options for all three.

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../model/model.js';

const OPTIONS: Options = {
  // The schemas are ours, or were checked against the meta-schema: compiling that per resource would take a quarter of gen's time.
  meta: false,
  validateSchema: false,
  allErrors: true,
  messages: false,
  strictTypes: false,
  strictRequired: false,
  logger: false,
};
/** Formats of our own kinds; conversion has already checked them. */
const CHECKED_BEFORE = ['password'] as const;

/** An ajv with the options used for requests. @param more options of a single user */
export function openAjv(more: Options = {}): Ajv {
  const ajv = new Ajv({ ...OPTIONS, ...more });
  addFormats(ajv);
  for (const format of CHECKED_BEFORE) ajv.addFormat(format, true);
  return ajv;
}

/** For what judges here and is never written: ajv's pass over its own code takes longer than it saves. */
const UNPOLISHED: Options = { code: { optimize: false } };

/**
 * @returns what is wrong with a value by the schema, in ajv's words; empty if it is valid, or if the schema itself is
 * invalid, which another rule reports
 */
export function openJudge(schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  const validate = lazily(() => compiled(schema));
  return (value) => (isListed(schema, value) || validate()?.(value) !== false ? [] : (validate()?.errors ?? []));
}

/** Names of a choice differ from resource to resource: compiling their schemas to look one up took a tenth of gen's time. */
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
    return openAjv({ ...UNPOLISHED, messages: true }).compile(schema);
  } catch {
    return null;
  }
}

/** Why the schema cannot become part of a request's schema, in ajv's words; null if it can. Not checked against a meta-schema. */
export function problemOf(schema: object): string | null {
  try {
    // As in the validators: inside a body, both as it is and with null allowed, and as the body of an event.
    const body = { type: 'object', properties: { value: schema } };
    const ajv = openAjv(UNPOLISHED);
    for (const one of [body, { ...body, properties: { value: { ...schema } } }]) ajv.compile(one);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.slice(0, 160) : 'it does not compile';
  }
}

/** How many schemas are remembered: a watch would otherwise keep every one that was ever typed. A limit below what one spec has would remember none of them. */
const REMEMBERED = 10_000;

/** Makes something of a schema once for each text it has: the same one appears in many resources, and in every run of a watch. */
export function onceBySchema<T>(make: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  const made = new Map<string, { readonly result: T }>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = made.get(text) ?? { result: make(schema) };
    if (made.size >= REMEMBERED) made.clear();
    made.set(text, known);
    return known.result;
  };
}
