// The form of a record, made from the parameters of its definition; and the parameters, made from the form that was sent.

import type { AnyDefinition, Input, Parameter, ParameterKind } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Parameters } from '../../operations/call.js';
import { parameterOf } from '../../operations/failures.js';
import { type FieldDescription, imageIn, pathOf, type ShownRecord } from './resource.js';
import { choices, type Field, field, labelOf } from './view.js';
import { choiceTitle, inSentence } from './words.js';

export interface FieldContext {
  readonly definition: AnyDefinition;
  readonly described: Readonly<Record<string, FieldDescription>>;
  /** The record that is changed; null: one is created. */
  readonly record: ShownRecord | null;
  /** What was typed before; null: the form is new. */
  readonly typed: Parameters | null;
  /** What was refused, by parameter. */
  readonly errors: ReadonlyMap<string, string>;
}

/** A field for every parameter that an administrator sends. */
export function recordFields(context: FieldContext): readonly Field[] {
  const { definition, record } = context;
  const sent = Object.entries(definition.parameters).filter(([, { proves }]) => proves === undefined);
  const fields = sent.map(([name, parameter]) => parameterField(context, name, parameter));
  const { upload } = definition;
  if (upload === null || record !== null) return fields;
  const error = context.errors.get(upload.part) ?? null;
  const file = field({ name: upload.part, label: labelOf(upload.part), control: 'file', error, required: true });
  return [file, ...fields];
}

function parameterField(context: FieldContext, name: string, { kind }: Parameter): Field {
  const { definition, described, record, typed, errors } = context;
  const was = record === null || kind === 'password' ? null : textOf(kind, record[name]);
  const value = kind === 'password' ? '' : textOf(kind, typed?.[name] ?? was ?? '');
  const { description = null, maxLength = 0 } = described[name] ?? {};
  const options = definition.options[name]?.map(String) ?? (kind === 'boolean' ? ['true', 'false'] : null);
  const isLong = kind === 'json' || maxLength > LONG || value.includes('\n') || was?.includes('\n') === true;
  const basic = { name, label: labelOf(name), hint: description, error: errors.get(name) ?? null, value, was };
  const titleOf = (value: string): string => WORDS[value] ?? choiceTitle(definition, name, value);
  if (options !== null) return field({ ...basic, control: 'select', options: selection(options, value, titleOf) });
  if (isLong) return field({ ...basic, control: 'textarea' });
  return field({ ...basic, type: kind === 'password' ? 'password' : 'text', ...leading(context, name) });
}

/** Texts that may be longer than this get several lines. */
const LONG = 300;

/** A value that is no longer offered can be kept. */
function selection(options: readonly string[], value: string, titleOf: (value: string) => string): Field['options'] {
  const kept = value === '' || options.includes(value) ? [] : [value];
  return choices([['', '–'], ...[...options, ...kept].map((one) => [one, titleOf(one)] as const)], value);
}

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** Where the value of a reference leads, and the picture it stands for. */
function leading({ definition, record }: FieldContext, name: string): Pick<Field, 'link' | 'image'> {
  const reference = definition.references.find(({ column }) => column === name);
  const id = record?.[name];
  if (reference === undefined || typeof id !== 'string') return { link: null, image: null };
  const link = { text: `Open ${inSentence(labelOf(reference.relation))}`, href: pathOf(reference.to, id) };
  return { link, image: imageIn(record?.[reference.relation]) };
}

/** The text of a value in a form. Wire profiles differ in booleans and in `free`, which is 0 or 1. */
function textOf(kind: ParameterKind, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (kind === 'boolean') return String([true, 1, '1', 'true'].includes(value as string));
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** The parameters of a new record: fields that were left empty are not sent. */
export function createdFrom({ parameters }: AnyDefinition, form: Parameters): Input {
  const names = Object.keys(parameters).filter((name) => (form[name] ?? '') !== '');
  return Object.fromEntries(names.map((name) => [name, plain(form[name])]));
}

/** Only what was changed in the form is sent, so that nobody else's change is undone (D18); an emptied field is cleared. */
export function changedFrom({ parameters }: AnyDefinition, form: Parameters): Input {
  const changed = Object.keys(parameters).filter(
    (name) => form[name] !== undefined && plain(form[name]) !== plain(form[`_was.${name}`] ?? ''),
  );
  return Object.fromEntries(
    changed.map((name) => {
      const value = plain(form[name]);
      return [name, value === '' && parameters[name]?.nullable !== undefined ? null : value];
    }),
  );
}

/** Browsers send lines with a carriage return. */
function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value;
}

/**
 * The form of a record that somebody has changed since it was opened: each field that has another value now says so, what was
 * typed stays, and what was not touched is as it is now.
 */
export function changedMeanwhile(context: FieldContext, form: Parameters): FieldContext {
  const { definition, record } = context;
  const errors = new Map(context.errors);
  for (const [name, { kind }] of Object.entries(definition.parameters)) {
    const [was, now] = [textOf(kind, plain(form[`_was.${name}`])), textOf(kind, record?.[name])];
    if (kind === 'password' || was === now) continue;
    errors.set(name, `Changed meanwhile from ${quotedText(was)} to ${quotedText(now)}.`);
  }
  const typed = Object.fromEntries(Object.keys(changedFrom(definition, form)).map((name) => [name, form[name]]));
  return { ...context, typed, errors };
}

function quotedText(value: string): string {
  return value === '' ? 'nothing' : `“${value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}”`;
}

/** Characters of a value that a message repeats. */
const SHOWN = 100;

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
    if (names.includes(name)) errors.set(name, [errors.get(name), failure.message].filter(Boolean).join(' '));
    else rest.push(failure.message);
  }
  if (thrown.failures.length === 0) rest.push(thrown.message);
  const fields = errors.size === 1 ? 'One field is not right.' : `${errors.size} fields are not right.`;
  return { problem: [...(errors.size > 0 ? [fields] : []), ...rest].join(' '), errors };
}
