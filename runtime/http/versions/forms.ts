// Converts values between their form in a version and that of today (D68). A value that cannot have the other form stays as it is.

import type { ParameterKind } from '../../contract/definition.js';
import type { ValueForm } from '../../contract/versions.js';
import { canonicalDate } from '../../operations/dates.js';
import type { NameContext } from './versions.js';

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MIDNIGHT = /[T ]00:00:00(\.000Z)?$/;

type Convert = (value: unknown, text: string, profile: NameContext['profile']) => unknown;

/** Today's values in each earlier form. */
export const EARLIER_FORMS: Readonly<Record<ValueForm, Convert>> = {
  string: asText,
  number: (value, text) => (typeof value === 'boolean' || WHOLE.test(text) ? Number(value) : value),
  bit: Number,
  flag: (value, _, { formatBoolean }) => formatBoolean(value === 1 || value === true),
  'date-time': (value, text, { formatDate }) => (DAY.test(text) ? formatDate(Date.parse(text)) : value),
  'full-date': (value, text) => (MIDNIGHT.test(text) ? text.slice(0, 10) : value),
};

const TEXTS: ReadonlySet<ParameterKind | undefined> = new Set(['text', 'token', 'url'] as const);

/** @param kind of today's parameter */
export function formToday(form: ValueForm, kind: ParameterKind | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return TEXTS.has(kind) ? asText(value) : value;
  if (kind === 'date' && DAY.test(value)) return `${value}T00:00:00Z`;
  if (kind !== 'day' || form !== 'date-time') return value;
  return canonicalDate(value)?.replace(/T00:00:00\.000Z$/, '') ?? value;
}

function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
