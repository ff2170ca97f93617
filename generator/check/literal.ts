// Whether a literal fits a field, by the JSON Schema that also validates requests; and whether the limits of the field are
// valid. A literal outside invalid limits is not reported: one mistake gives one diagnostic (N19).
import type { ErrorObject } from 'ajv';
import { plain } from '../../runtime/schema/sql-text.js';
import { describeValue, excerptOf } from '../form/messages.js';
import { createSchemaValidator, memoizeBySchema } from '../form/schema-validator.js';
import type { RawField } from '../language/language.js';
import { kindOf, mayBeEmpty } from '../model/kinds/kinds.js';

/** Why the value does not fit, as the end of a sentence; null if it fits, or if the field's limits are the mistake. */
export function whyUnsuitable(field: RawField, value: unknown): string | null {
  const kind = kindOf(field);
  if (kind.derived || isUnsatisfiable(field)) return null;
  const sent = kind.sent(value);
  if (typeof sent === 'string' && BROKEN_TEXT.test(sent)) return 'it contains U+0000 or half of a surrogate pair';
  if (!kind.converts(sent) || !isReadable(sent)) return isNotText(value, kind.expects(field));
  const [first] = validatorOf(kind.validationSchema(field))(sent);
  return first === undefined ? null : (SENTENCES[first.keyword]?.(value, first) ?? mismatch(field, value, first));
}

const validatorOf = memoizeBySchema(createSchemaValidator);

/** Why a field cannot be without a value; null if it can. */
export function whyRequired(field: RawField): string | null {
  return mayBeEmpty(field) ? null : 'the field is never empty';
}

/** No value may contain U+0000 or a lone surrogate (D20). */
const BROKEN_TEXT = /\0|\p{Surrogate}/u;

/** False for JSON that contains such a text. */
function isReadable(value: unknown): boolean {
  if (typeof value !== 'object') return true;
  return !BROKEN_TEXT.test(JSON.stringify(value).replaceAll('\\u0000', '\0'));
}

const SENTENCES: Readonly<Record<string, (value: unknown, error: ErrorObject) => string>> = {
  minimum: (value, { params }) => `${value} is less than min ${params.limit}`,
  maximum: (value, { params }) => `${value} is greater than max ${params.limit}`,
  enum: (value, { params }) =>
    `${typeof value === 'number' ? value : excerptOf(value)} is not one of ${params.allowedValues.join(', ')}`,
  minLength: (value, { params }) => `its length is ${[...String(value)].length}, the minimum is ${params.limit}`,
  maxLength: (value, { params }) => `its length is ${[...String(value)].length}, the maximum is ${params.limit}`,
};

function mismatch(field: RawField, value: unknown, { instancePath, message }: ErrorObject): string {
  const kind = kindOf(field);
  if (!kind.structured) return isNotText(value, kind.expects(field));
  return `${instancePath === '' ? 'it' : instancePath} ${message ?? 'does not fit the schema'}`;
}

const isNotText = (value: unknown, expected: string): string =>
  `${typeof value === 'string' ? excerptOf(value) : describeValue(value)} is not ${expected}`;

/** No text can be longer, since it has to be one value in memory. */
export const MOST_CHARACTERS = 100_000_000;

/** Whether a limit has a form that the kind does not allow. */
export function isMalformedLimit(field: RawField, limit: number): boolean {
  return kindOf(field).fractional ? whyTooPrecise(limit, field.scale ?? 2) !== null : !Number.isInteger(limit);
}

/** Numbers in YAML are exact to 15 digits, and no value can have more digits after the point than the scale. */
export function whyTooPrecise(limit: number, scale: number): string | null {
  const [whole = '', fraction = ''] = plain(Math.abs(limit)).split('.');
  if ((whole + fraction).replace(/^0+/, '').length > 15) return 'has more than 15 digits';
  return fraction.length > scale ? `has more digits after the point than its scale, ${scale}` : null;
}

/** Whether limits do not apply, since the service alone sets the field; they have their own diagnostic. */
export function refusesLimits(field: RawField): boolean {
  return field.from !== undefined && !kindOf(field).limitsFilled;
}

/** Whether one of the limits, as written, is impossible for every field of the kind. */
export function hasWrongLimit(field: RawField): boolean {
  const { leastLimits } = kindOf(field);
  return (['min', 'max'] as const).some((key) => {
    const limit = field[key];
    if (limit === undefined) return false;
    const isOutside = leastLimits !== null && (limit < leastLimits[key] || limit > MOST_CHARACTERS);
    return isOutside || isMalformedLimit(field, limit);
  });
}

/** Whether no value can satisfy the limits, which has its own diagnostic. */
export function isUnsatisfiable(field: RawField): boolean {
  const { limits } = kindOf(field);
  if (hasWrongLimit(field)) return true;
  const { min, max } = limits(field) ?? { min: 0, max: 0 };
  return min > max;
}
