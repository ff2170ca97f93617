// Everything that generated code may import: the definition's types, the row conversions, and what ajv's standalone code calls.

import type { ValidationError } from './definition.js';

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

export { bit, epoch, jsonText, kept, owner, proofed, uploaded } from './row-values.js';

/** Appends an error to those that a validator has collected; null means none so far. */
export function addError(errors: ValidationError[] | null, error: ValidationError): ValidationError[] {
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}
