// A submitted form of a record: the parameters it stands for, and the errors of the API in the words of the form.

import type { AnyDefinition, Input, ParameterKind } from '../../contract/definition.js';
import { type Failure, ServiceError } from '../../contract/errors.js';
import type { Parameters } from '../../operations/call.js';
import { canonicalDate } from '../../operations/dates.js';
import { parameterOf } from '../../operations/failures.js';
import { labelOf } from './view.js';

/** The text of a value in a form. Wire profiles differ in dates, booleans and `free`, which is 0 or 1. */
export function textOf(kind: ParameterKind, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (kind === 'boolean') return String([true, 1, '1', 'true'].includes(value as string));
  if (kind === 'date') return canonicalDate(String(value)) ?? String(value);
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** The name of a hidden field with the value that a field had when the form was opened. */
export function initialValueName(name: string): string {
  return `_was.${name}`;
}

/** The form with what browsers leave out: unticked boxes, beside which there is a hidden field `_flag.<name>`, and time zones. */
export function completeForm({ parameters }: Pick<AnyDefinition, 'parameters'>, form: Parameters): Parameters {
  const completions = Object.entries(parameters).flatMap(([name, { kind }]) => {
    if (kind === 'boolean' && form[name] === undefined && form[`_flag.${name}`] !== undefined) return [[name, 'false']];
    return kind === 'date' && form[name] !== undefined ? [[name, zonedTime(String(form[name]))]] : [];
  });
  return { ...form, ...Object.fromEntries(completions) };
}

function zonedTime(text: string): string {
  const time = /^[\d-]+T[\d:.]+$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** The parameters of a new record, without fields that were left empty. */
export function createInput({ parameters }: AnyDefinition, form: Parameters): Input {
  const names = Object.keys(parameters).filter((name) => (form[name] ?? '') !== '');
  return Object.fromEntries(names.map((name) => [name, plain(form[name])]));
}

/** The parameters that were changed in the form, so that nobody else's change is undone (D18); an emptied field is cleared. */
export function changedInput({ parameters }: AnyDefinition, form: Parameters): Input {
  const changed = Object.keys(parameters).filter(
    (name) => form[name] !== undefined && plain(form[name]) !== plain(form[initialValueName(name)] ?? ''),
  );
  return Object.fromEntries(
    changed.map((name) => {
      const value = plain(form[name]);
      return [name, value === '' && parameters[name]?.nullable !== undefined ? null : value];
    }),
  );
}

/** The parameters of the form whose value in the record has changed since the form was opened. */
export function concurrentChanges({ parameters }: AnyDefinition, record: Parameters, form: Parameters) {
  return Object.entries(parameters).flatMap(([name, { kind }]) => {
    const [was, now] = [textOf(kind, plain(form[initialValueName(name)])), textOf(kind, record[name])];
    return form[initialValueName(name)] === undefined || was === now ? [] : [{ name, was, now }];
  });
}

/** The text as it was typed: browsers end lines with a carriage return, too. */
function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

export interface FormProblems {
  /** The record has changed since the form was opened. */
  readonly isStale?: boolean;
  /** Everything that is not about a field of the form. */
  readonly problem: string;
  /** Messages by parameter. */
  readonly errors: ReadonlyMap<string, string>;
}

const STALE =
  'Somebody has changed the record since you opened it, so nothing was saved. What you typed is still here: look at what has changed, and save again.';

/** Sorts the failures of an error by field. Throws errors that are not the caller's mistake. */
export function refusalOf(thrown: unknown, names: readonly string[]): FormProblems {
  if (!(thrown instanceof ServiceError)) throw thrown;
  if (thrown.code === 'precondition_failed') return { problem: STALE, isStale: true, errors: new Map() };
  const errors = new Map<string, string>();
  const rest: string[] = [];
  for (const failure of thrown.failures) {
    const name = parameterOf(failure);
    const message = inWords(failure);
    if (names.includes(name)) errors.set(name, [errors.get(name), message].filter(Boolean).join(' '));
    else rest.push(message);
  }
  if (thrown.failures.length === 0) rest.push(thrown.message);
  return { problem: [...fieldsText(errors.size), ...rest].join(' '), errors };
}

export function fieldsText(wrong: number): readonly string[] {
  if (wrong === 0) return [];
  return [wrong === 1 ? 'One field is not right.' : `${wrong} fields are not right.`];
}

/** A message of the API with the label of the field in place of its name, as a sentence. */
function inWords(failure: Failure): string {
  const { field, code, message } = failure;
  const name = parameterOf(failure);
  const label = labelOf(name);
  const shorter = field === name ? SHORTER[code] : undefined;
  if (shorter !== undefined) return `${label} ${shorter}.`;
  const within = field === name ? label : `${label}, ${field.slice(name.length + 1)}`;
  const worded = message.startsWith(`${field} `) ? within + message.slice(field.length) : message;
  return `${worded.charAt(0).toUpperCase()}${worded.slice(1)}${/[.!?]$/.test(worded) ? '' : '.'}`;
}

/** Messages that are shorter than those of the API, without the label of their field, by code. */
const SHORTER: Readonly<Partial<Record<Failure['code'], string>>> = {
  reference_not_found: 'does not exist',
  required: 'is required',
};
