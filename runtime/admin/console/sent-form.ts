// What was sent with the form of a record: as parameters, and what was refused in the words of the form.

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

/** Hidden beside a box, as browsers send nothing for one that is not ticked. */
export function flagName(name: string): string {
  return `_flag.${name}`;
}

/** The value that a field had when the form was opened. */
export function wasName(name: string): string {
  return `_was.${name}`;
}

/** The form with what browsers leave out, and write in another way: boxes, and times without their zone. */
export function completed({ parameters }: Pick<AnyDefinition, 'parameters'>, form: Parameters): Parameters {
  const missing = Object.entries(parameters).flatMap(([name, { kind }]) => {
    if (kind === 'boolean' && form[name] === undefined && form[flagName(name)] !== undefined) return [[name, 'false']];
    return kind === 'date' && form[name] !== undefined ? [[name, zonedTime(String(form[name]))]] : [];
  });
  return { ...form, ...Object.fromEntries(missing) };
}

function zonedTime(text: string): string {
  const time = /^[\d-]+T[\d:.]+$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** The parameters of a new record: fields that were left empty are not sent. */
export function createdFrom({ parameters }: AnyDefinition, form: Parameters): Input {
  const names = Object.keys(parameters).filter((name) => (form[name] ?? '') !== '');
  return Object.fromEntries(names.map((name) => [name, plain(form[name])]));
}

/** Only what was changed in the form is sent, so that nobody else's change is undone (D18); an emptied field is cleared. */
export function changedFrom({ parameters }: AnyDefinition, form: Parameters): Input {
  const changed = Object.keys(parameters).filter(
    (name) => form[name] !== undefined && plain(form[name]) !== plain(form[wasName(name)] ?? ''),
  );
  return Object.fromEntries(
    changed.map((name) => {
      const value = plain(form[name]);
      return [name, value === '' && parameters[name]?.nullable !== undefined ? null : value];
    }),
  );
}

/** What has another value now than when the form was opened. */
export function overtaken({ parameters }: AnyDefinition, record: Parameters, form: Parameters) {
  return Object.entries(parameters).flatMap(([name, { kind }]) => {
    const [was, now] = [textOf(kind, plain(form[wasName(name)])), textOf(kind, record[name])];
    return kind === 'password' || was === now ? [] : [{ name, kind, was, now }];
  });
}

/** Browsers send lines with a carriage return. */
function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

export interface FormProblems {
  /** The record has changed since the form was opened. */
  readonly isStale?: boolean;
  /** What is not about a field of the form. */
  readonly problem: string;
  readonly errors: ReadonlyMap<string, string>;
}

const STALE =
  'Somebody has changed the record since you opened it, so nothing was saved. What you typed is still here: look at what has changed, and save again.';

/** Sorts what was refused by field. Throws what is not a caller's mistake. */
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
  if (code === 'reference_not_found' && field === name) return `${label} does not exist.`;
  const within = field === name ? label : `${label}, ${field.slice(name.length + 1)}`;
  const worded = message.startsWith(`${field} `) ? within + message.slice(field.length) : message;
  return `${worded.charAt(0).toUpperCase()}${worded.slice(1)}${/[.!?]$/.test(worded) ? '' : '.'}`;
}
