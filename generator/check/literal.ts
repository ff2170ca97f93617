// Whether a literal fits a field: one function per kind. Knows values and limits, no resource.
import type { DecimalField, EnumField, IntegerField, Kind, RawField, TextField } from '../language.js';
import { described, shown } from './form.js';

/** Why the value does not fit, as the rest of a sentence; null when it fits. */
export function misfit(field: RawField, value: unknown): string | null {
  const judge: Judge = JUDGES[field.kind];
  return judge(value, field);
}

type Judge = (value: unknown, field: RawField) => string | null;
const fits = (): null => null;

const JUDGES: Readonly<Record<Kind, Judge>> = {
  text: (value, field) => (typeof value === 'string' ? length(value, field as TextField) : isNo(value, 'text')),
  integer: (value, field) =>
    Number.isSafeInteger(value) ? inRange(Number(value), field as IntegerField) : isNo(value, 'a whole number'),
  decimal: (value, field) => decimal(value, field as DecimalField),
  boolean: (value) => (typeof value === 'boolean' ? null : isNo(value, 'true or false')),
  date: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
      ? null
      : isNo(value, 'a date such as 2030-01-31T12:00:00Z'),
  enum: (value, field) => {
    const { values } = field as EnumField;
    return values.includes(value as string) ? null : `${shown(value)} is not one of ${values.join(', ')}`;
  },
  url: (value) => (typeof value === 'string' && /^https?:\/\/[^\s/]+/.test(value) ? null : isNo(value, 'an http URL')),
  json: fits,
  reference: fits,
  image: fits,
  file: fits,
  computed: fits,
  password: fits,
};

const isNo = (value: unknown, expected: string): string =>
  `${typeof value === 'string' ? shown(value) : described(value)} is not ${expected}`;

function length(value: string, { min = 0, max = Number.POSITIVE_INFINITY }: TextField): string | null {
  const characters = [...value].length;
  if (characters < min) return `it has ${characters} characters, at least ${min} are asked for`;
  return characters > max ? `it has ${characters} characters, at most ${max} are allowed` : null;
}

function inRange(value: number, field: IntegerField): string | null {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, values } = field;
  if (values !== undefined && !values.includes(value)) return `${value} is not one of ${values.join(', ')}`;
  if (value < min) return `${value} is less than min ${min}`;
  return value > max ? `${value} is more than max ${max}` : null;
}

function decimal(value: unknown, { min, max, scale }: DecimalField): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,15}(\.\d+)?$/.test(text)) return isNo(value, 'a decimal such as "12.5"');
  const digits = text.split('.')[1]?.length ?? 0;
  if (scale !== undefined && digits > scale) return `${text} has more than ${scale} digits behind the point`;
  if (min !== undefined && Number(text) < min) return `${text} is less than min ${min}`;
  return max !== undefined && Number(text) > max ? `${text} is more than max ${max}` : null;
}
