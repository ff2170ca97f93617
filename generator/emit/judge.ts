// The ajv that judges requests, literals of descriptors and schemas of JSON fields: one set of options for all three.

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../model/model.js';

const OPTIONS: Options = {
  // The schemas are ours, or were held against the meta-schema: to compile that for each resource would be a quarter of gen's time.
  meta: false,
  validateSchema: false,
  allErrors: true,
  messages: false,
  strictTypes: false,
  strictRequired: false,
  logger: false,
};
/** Formats of our own kinds, which conversion has checked before. */
const CHECKED_BEFORE = ['password'] as const;

/** An ajv as requests are judged by. @param more what only one of its users needs */
export function openAjv(more: Options = {}): Ajv {
  const ajv = new Ajv({ ...OPTIONS, ...more });
  addFormats(ajv);
  for (const format of CHECKED_BEFORE) ajv.addFormat(format, true);
  return ajv;
}

/** For what judges here and is never written: ajv's pass over its own code takes longer than it saves. */
const UNPOLISHED: Options = { code: { optimize: false } };

/**
 * @returns what is wrong with a value by the schema, in ajv's words; nothing when it fits, or when the schema itself is
 * wrong, which a rule of its own reports
 */
export function openJudge(schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  const validate = compiled(schema);
  return (value) => (validate === null || validate(value) ? [] : (validate.errors ?? []));
}

function compiled(schema: JsonSchema): ValidateFunction | null {
  try {
    return openAjv({ ...UNPOLISHED, messages: true }).compile(schema);
  } catch {
    return null;
  }
}

/** Why the schema cannot become part of a request's, as ajv says it; null when it can. Held against no meta-schema. */
export function problemOf(schema: object): string | null {
  try {
    // As the validators have it: inside a body, once as it is and once with null allowed, and in its own body for an event.
    const body = { type: 'object', properties: { value: schema } };
    const ajv = openAjv(UNPOLISHED);
    for (const one of [body, { ...body, properties: { value: { ...schema } } }]) ajv.compile(one);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.slice(0, 160) : 'it does not compile';
  }
}

/** How many schemas are remembered: a server that watches a spec would otherwise keep every one that was ever typed. */
const REMEMBERED = 1000;

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
