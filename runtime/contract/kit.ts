// Everything that generated code may import: the definition's types, the row conversions, and what ajv's standalone code calls.

import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import type { ValidationError, Validator } from './definition.js';

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

export { bit, epoch, jsonText, kept, owner, proofed, uploaded } from './row-values.js';

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
