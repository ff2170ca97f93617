// Whether a literal fits a field, by the JSON Schema that also validates requests.
import type { ErrorObject } from 'ajv';
import { onceBySchema, openJudge } from '../emit/judge.js';
import type { RawField } from '../language/language.js';
import { kindOf } from '../model/kinds/kinds.js';
import { described, shown } from './form.js';
import { excludesAll } from './limits.js';

/** Why the value does not fit, as the end of a sentence; null if it fits, or if the limits of the field are what is wrong. */
export function misfit(field: RawField, value: unknown): string | null {
  const kind = kindOf(field);
  if (kind.derived || excludesAll(field)) return null;
  const sent = kind.sent(value);
  if (typeof sent === 'string' && BROKEN_TEXT.test(sent)) return 'it contains U+0000 or half of a surrogate pair';
  if (!kind.converts(sent) || !isReadable(sent)) return isNo(value, kind.expects(field));
  const [first] = judge(kind.judged(field))(sent);
  return first === undefined ? null : (SENTENCES[first.keyword]?.(value, first) ?? mismatch(field, value, first));
}

const judge = onceBySchema(openJudge);

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
    `${typeof value === 'number' ? value : shown(value)} is not one of ${params.allowedValues.join(', ')}`,
  minLength: (value, { params }) => `its length is ${[...String(value)].length}, the minimum is ${params.limit}`,
  maxLength: (value, { params }) => `its length is ${[...String(value)].length}, the maximum is ${params.limit}`,
};

function mismatch(field: RawField, value: unknown, { instancePath, message }: ErrorObject): string {
  const kind = kindOf(field);
  if (!kind.structured) return isNo(value, kind.expects(field));
  return `${instancePath === '' ? 'it' : instancePath} ${message ?? 'does not fit the schema'}`;
}

const isNo = (value: unknown, what: string): string =>
  `${typeof value === 'string' ? shown(value) : described(value)} is not ${what}`;
