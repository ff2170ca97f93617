// What the API document says of the values of a field, and the hint about it in forms.
import type { ParameterKind } from '../../contract/definition.js';
import { count } from './view.js';

export interface FieldDescription {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

/** The limits of a value, or an example of it. */
export function limitsOf(
  kind: ParameterKind,
  { format, minLength = 0, maxLength, minimum, maximum, multipleOf }: FieldDescription,
): string {
  if (kind === 'reference' || kind === 'json') return '';
  if (format === 'uri') return 'Example: https://example.com.';
  if (format === 'date-time') return 'In UTC.';
  const multiple = multipleOf === undefined ? '' : ` A multiple of ${multipleOf}.`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.${multiple}`;
  if (minimum !== undefined || maximum !== undefined)
    return `${minimum === undefined ? `At most ${maximum}.` : `At least ${minimum}.`}${multiple}`;
  if (multiple !== '') return multiple.trim();
  if (maxLength === undefined) return minLength > 1 ? `At least ${count(minLength, 'character')}.` : '';
  return minLength > 1
    ? `${minLength} to ${count(maxLength, 'character')}.`
    : `At most ${count(maxLength, 'character')}.`;
}
