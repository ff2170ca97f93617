// Turns an error of a validator into the failure that a caller sees, with one row per keyword.
import type { ValidationError } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import type { InputSchema } from './input-schema.js';

/** Maximum length of a field's pointer in a response; keys inside json may be as long as the body. */
const MAX_FIELD = 200;

type Sentence = (error: ValidationError, field: string, schema: InputSchema) => string;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  required: (_, field) => `${field} is required.`,
  enum: ({ params }, field) => `${field} must be one of: ${allowed(params.allowedValues)}.`,
  const: ({ params }, field) => `${field} must be ${String(params.allowedValue)}.`,
  minimum: between,
  maximum: between,
  multipleOf: ({ params }, field) => `${field} must be a multiple of ${String(params.multipleOf)}.`,
  minLength: ({ params }, field) => `${field} must have at least ${count(params.limit, 'character')}.`,
  maxLength: ({ params }, field) => `${field} must have at most ${count(params.limit, 'character')}.`,
  minItems: ({ params }, field) => `${field} must have at least ${count(params.limit, 'item')}.`,
  maxItems: ({ params }, field) => `${field} must have at most ${count(params.limit, 'item')}.`,
  pattern: (_, field, { parameters }) => `${field} ${FORMS[parameters.get(field)?.kind ?? 'text'] ?? FORM}`,
  format: ({ params }, field) => `${field} ${params.format === 'uri' ? URL_FORM : `must be a valid ${params.format}.`}`,
  type: ({ params }, field) => `${field} must be of type ${String(params.type).replaceAll(',', ' or ')}.`,
  additionalProperties: (_, field) => `${field} is unknown.`,
};

const FORM = 'does not have the required form.';
const URL_FORM = 'must be a valid URL.';
const FORMS: Readonly<Record<string, string>> = {
  decimal: 'must be a decimal number within its limits.',
  url: URL_FORM,
};

/**
 * The failure for an error of `schema.validator`.
 * @param value what was validated; empty text in a required parameter counts as missing
 */
export function failureOf(
  error: ValidationError,
  schema: InputSchema,
  value: Readonly<Record<string, unknown>>,
): Failure {
  const field = fieldOf(error);
  if (error.keyword === 'required' || (error.keyword === 'minLength' && emptied(field, schema, value))) {
    return { field, code: 'required', message: `${field} is required.` };
  }
  const sentence = Object.hasOwn(SENTENCES, error.keyword) ? SENTENCES[error.keyword] : undefined;
  const message = sentence?.(error, field, schema) ?? `${field} ${error.message ?? 'is not valid'}.`;
  return { field, code: 'invalid', message };
}

/** The parameter that an error is about: the first segment of its field; empty if it is about the input as a whole. */
export function parameterOf(failure: Failure): string {
  const [first = ''] = failure.field.split('/', 1);
  return first.replaceAll('~1', '/').replaceAll('~0', '~');
}

function fieldOf({ instancePath, params }: ValidationError): string {
  const property = params.missingProperty ?? params.additionalProperty;
  const path = instancePath.slice(1);
  if (typeof property !== 'string') return cut(path);
  const segment = property.replaceAll('~', '~0').replaceAll('/', '~1');
  return cut(path === '' ? segment : `${path}/${segment}`);
}

// A cut through a surrogate pair would leave half a character behind.
function cut(field: string): string {
  return field.length <= MAX_FIELD ? field : `${field.slice(0, MAX_FIELD).replace(/\p{Surrogate}$/u, '')}…`;
}

function emptied(field: string, { required }: InputSchema, value: Readonly<Record<string, unknown>>): boolean {
  return required.has(field) && value[field] === '';
}

function between({ keyword, params }: ValidationError, field: string, { limits }: InputSchema): string {
  const { min, max } = limits.get(field) ?? { min: null, max: null };
  if (min !== null && max !== null) return `${field} must be between ${min} and ${max}.`;
  return `${field} must be ${keyword === 'minimum' ? '>=' : '<='} ${String(params.limit)}.`;
}

function allowed(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : '';
}

function count(limit: unknown, unit: string): string {
  return `${String(limit)} ${unit}${limit === 1 ? '' : 's'}`;
}
