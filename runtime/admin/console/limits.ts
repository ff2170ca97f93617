// The description of a field in the API document, and the hint about its values in forms.
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
  const length = range(minLength > 1 ? minLength : undefined, maxLength, (number) => count(number, 'character'));
  const multiple = multipleOf === undefined ? '' : `A multiple of ${multipleOf}.`;
  return [range(minimum, maximum, String), multiple, length].filter((one) => one !== '').join(' ');
}

function range(least: number | undefined, most: number | undefined, words: (number: number) => string): string {
  if (least === undefined) return most === undefined ? '' : `At most ${words(most)}.`;
  return most === undefined ? `At least ${words(least)}.` : `${least} to ${words(most)}.`;
}
