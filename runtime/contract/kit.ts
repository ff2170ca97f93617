// Everything that generated code may import: the definition's types, the row conversions, and what ajv's standalone code calls.

import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import type { Upload, ValidationError, Validator, WriteContext } from './definition.js';
import { ServiceError } from './errors.js';

export { default as equal } from 'ajv/dist/runtime/equal.js';
export { default as ucs2length } from 'ajv/dist/runtime/ucs2length.js';
export { fullFormats as formats } from 'ajv-formats/dist/formats.js';
export type { Consequence } from './behaviour.js';
export type {
  Access,
  ActionDefinition,
  AnyDefinition,
  Clause,
  Definition,
  EventDefinition,
  Generated,
  Handlers,
  Input,
  Lifecycle,
  List,
  Operation,
  Parameter,
  ParameterKind,
  Reference,
  RouteDefinition,
  Row,
  Scalar,
  Upload,
  ValidationError,
  Validator,
  View,
  WriteContext,
} from './definition.js';

export { ServiceError } from './errors.js';
export { define } from './kit/define.js';

/** Appends an error to those that a validator has collected; null means none so far. */
export function addError(errors: ValidationError[] | null, error: ValidationError): ValidationError[] {
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}

/** ajv's function for one value; `at` says where in the input the value is. */
type ValueValidator = Validator & ((value: unknown, at: { readonly instancePath: string }) => boolean);

/**
 * The validator of an operation's input. It reports what ajv would for an object with these properties, all of it and in the
 * same order.
 * @param values the validator of each parameter
 * @param required names of the required parameters
 */
export function inputValidator(
  values: Readonly<Record<string, ValueValidator>>,
  required: readonly string[],
): Validator {
  const members = Object.entries(values).map(([name, fits]) => ({ name, fits, at: { instancePath: `/${name}` } }));
  const validator: Validator = (data) => {
    const input = data as Readonly<Record<string, unknown>>;
    let errors = required.filter((name) => input[name] === undefined).map(missing);
    for (const { name, fits, at } of members) {
      if (input[name] !== undefined && !fits(input[name], at)) errors = errors.concat(fits.errors ?? []);
    }
    validator.errors = errors.length > 0 ? errors : null;
    return errors.length === 0;
  };
  return validator;
}

function missing(name: string): ValidationError {
  return { instancePath: '', keyword: 'required', params: { missingProperty: name } };
}

export const boolean = valueValidator((value) => (typeof value === 'boolean' ? [] : [wrongType('boolean')]));

/** Validates that a text has a number of characters between the two. */
export function text(minLength: number, maxLength: number): ValueValidator {
  return valueValidator((value) => {
    if (typeof value !== 'string') return [wrongType('string')];
    const length = ucs2length(value);
    if (length > maxLength) return [{ keyword: 'maxLength', params: { limit: maxLength } }];
    return length < minLength ? [{ keyword: 'minLength', params: { limit: minLength } }] : [];
  });
}

export function integer(minimum: number, maximum = Number.POSITIVE_INFINITY): ValueValidator {
  return valueValidator((value) => {
    const problems: Problem[] = Number.isInteger(value) ? [] : [wrongType('integer')];
    if (typeof value !== 'number' || !Number.isFinite(value)) return problems;
    if (value > maximum) problems.push({ keyword: 'maximum', params: { comparison: '<=', limit: maximum } });
    if (value < minimum) problems.push({ keyword: 'minimum', params: { comparison: '>=', limit: minimum } });
    return problems;
  });
}

/** Validates that a value is one of these texts. */
export function choice(values: readonly string[]): ValueValidator {
  return valueValidator((value) => {
    if (values.includes(value as string)) return [];
    const notOne: Problem = { keyword: 'enum', params: { allowedValues: values } };
    return typeof value === 'string' ? [notOne] : [wrongType('string'), notOne];
  });
}

type Problem = Omit<ValidationError, 'instancePath'>;

/** A validator that reports what ajv would. @param problemsOf finds what is wrong with a value */
function valueValidator(problemsOf: (value: unknown) => readonly Problem[]): ValueValidator {
  const validator: ValueValidator = (value: unknown, { instancePath } = { instancePath: '' }) => {
    const problems = problemsOf(value);
    validator.errors = problems.length === 0 ? null : problems.map((problem) => ({ instancePath, ...problem }));
    return problems.length === 0;
  };
  return validator;
}

function wrongType(type: string): Problem {
  return { keyword: 'type', params: { type } };
}

// Conversions that generated handlers share, from parameters to row values.

type MappedValue<T, From, To> = T extends From ? To : T;

/**
 * The value of a column after an update (D18).
 * @param sent undefined: not sent, `current` stays; null: emptied, `fallback` applies (the default, or null if nullable)
 */
export function kept<T>(sent: NoInfer<T> | null | undefined, current: T, fallback: NoInfer<T>): T {
  if (sent === undefined) return current;
  return sent === null ? fallback : sent;
}

/** A boolean as it is stored; null and undefined pass through. */
export function bit<T extends boolean | null | undefined>(value: T): MappedValue<T, boolean, 0 | 1> {
  return (typeof value === 'boolean' ? (value ? 1 : 0) : value) as MappedValue<T, boolean, 0 | 1>;
}

/** RFC 3339 text as epoch milliseconds; null and undefined pass through. */
export function epoch<T extends string | null | undefined>(value: T): MappedValue<T, string, number> {
  return (typeof value === 'string' ? Date.parse(value) : value) as MappedValue<T, string, number>;
}

/** A JSON value as its text; null and undefined pass through. */
export function jsonText<T>(value: T): string | Extract<T, null | undefined> {
  return value === null || value === undefined ? (value as Extract<T, null | undefined>) : JSON.stringify(value);
}

/**
 * The flag that records that an image was proofed (D26): another file resets it unless the same request sends the
 * flag, removing the image clears it in any case, and an unchanged image leaves it alone.
 * @param sent the flag as sent; undefined: not sent; null counts as false
 * @param newImage id of the file as sent; undefined: not sent; null: the image is removed
 * @param image id in the row
 * @param flag the flag in the row
 */
export function proofed(
  sent: boolean | null | undefined,
  newImage: string | null | undefined,
  image: string | null,
  flag: number,
): 0 | 1 {
  const changed = newImage !== undefined && newImage !== image;
  if (changed && newImage === null) return 0;
  if (sent !== undefined) return sent === true ? 1 : 0;
  return changed || flag === 0 ? 0 : 1;
}

/** The session's user. Throws `login_required` without a session: anyone may create the record, but must then say whose it is. */
export function owner(context: WriteContext): string {
  if (context.user === null) throw new ServiceError('login_required', 'Log in, or name the user whose record this is.');
  return context.user;
}

/** What was read from the uploaded bytes; a record that stores an upload is never created without them. */
export function uploaded(context: WriteContext): Upload {
  if (context.upload === null) throw new Error('a record that stores an upload is created without bytes');
  return context.upload;
}
