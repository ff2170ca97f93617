// The form of a record, made from the parameters of its definition and what the API document says about them.

import type { AnyDefinition, Parameter, ParameterKind, Row } from '../../contract/definition.js';
import type { Parameters } from '../../operations/call.js';
import { noteOf, type Picked, uploadPart } from './picker.js';
import { type DescribedBody, type FieldDescription, pathOf, type ShownRecord } from './resource.js';
import { changedFrom, overtaken, textOf, wasName } from './sent-form.js';
import { choices, count, type Field, field, labelOf, quotedText } from './view.js';
import { choiceTitle } from './words.js';

export interface FieldContext {
  /** Of the resource, or of an action: what can be sent. */
  readonly definition: Pick<AnyDefinition, 'parameters' | 'titles'>;
  readonly body: DescribedBody;
  /** The record that is changed; null: one is created. */
  readonly record: ShownRecord | null;
  /** The values of a new form, by parameter. */
  readonly initial: Readonly<Record<string, unknown>>;
  /** What was sent before; null: the form is new. */
  readonly typed: Parameters | null;
  /** What was refused, by parameter. */
  readonly errors: ReadonlyMap<string, string>;
  /** What references have, and what was looked for, by parameter. */
  readonly picked: ReadonlyMap<string, Picked>;
  /** Path to which the form is sent. */
  readonly action: string;
}

/** A field for every parameter that an administrator sends. */
export function formFields(context: FieldContext): readonly Field[] {
  const sent = Object.entries(context.definition.parameters).filter(([, { proves }]) => proves === undefined);
  return sent.map(([name, parameter]) => parameterField(context, name, parameter));
}

/** The file that a new record is made of; none if it is made of none. */
export function uploadFields({ upload }: AnyDefinition, errors: FieldContext['errors']): readonly Field[] {
  if (upload === null) return [];
  const { part: name, maxBytes } = upload;
  const error = errors.get(name) ?? null;
  return [field({ name, label: labelOf(name), control: 'file', error, hint: sizeText(maxBytes), required: true })];
}

/** What a create that sends nothing stores. */
export function defaultsOf({ handlers, parameters }: AnyDefinition): Row {
  const upload = { name: '', type: '', size: 0, width: null, height: null, hash: '' };
  const row = handlers.create({}, { id: '', now: 0, user: '', upload, token: null, random: () => '' });
  const isLiteral = (name: string): boolean => !['date', 'reference'].includes(parameters[name]?.kind ?? 'date');
  return Object.fromEntries(Object.entries(row).filter(([name]) => isLiteral(name)));
}

/** What fields of every kind have. */
type Basic = Pick<Field, 'name' | 'label' | 'value' | 'was' | 'hint' | 'error' | 'required'>;

function parameterField(context: FieldContext, name: string, parameter: Parameter): Field {
  const { body, record, typed, errors, initial } = context;
  const { kind } = parameter;
  const described = body.fields[name] ?? {};
  const isSecret = kind === 'password';
  const was = record === null || isSecret ? null : textOf(kind, typed?.[wasName(name)] ?? record[name]);
  const value = isSecret ? '' : textOf(kind, typed?.[name] ?? was ?? initial[name]);
  const hint = sentences(described.description ?? '', limitsOf(kind, described));
  const required = body.required.has(name) && !(isSecret && record !== null);
  const basic = { name, label: labelOf(name), value, was, hint, error: errors.get(name) ?? null, required };
  const picked = context.picked.get(name);
  if (picked !== undefined) return referenceField(context, basic, picked);
  return choiceField(context, basic, parameter) ?? typedField(context, basic, parameter);
}

/** Null: more can be sent than a few values. */
function choiceField({ definition, body }: FieldContext, basic: Basic, { kind, nullable }: Parameter): Field | null {
  const { name, value, required } = basic;
  const isFlag = kind === 'boolean';
  if (isFlag && value !== '' && nullable !== true) return field({ ...basic, control: 'checkbox' });
  const words = isFlag ? ['true', 'false'] : body.fields[name]?.enum?.filter((one) => one !== null).map(String);
  if (words === undefined) return null;
  // A value that is no longer offered can be kept.
  const offered = value === '' || words.includes(value) ? words : [...words, value];
  const named = offered.map((one) => [one, WORDS[one] ?? choiceTitle(definition, name, one)] as const);
  const isSet = value !== '' && nullable !== true;
  const control = offered.length <= FEW && (isSet || required) ? 'radios' : 'select';
  const none = control === 'radios' || (isSet && required) ? [] : [NOTHING];
  return field({ ...basic, control, options: choices([...none, ...named], value) });
}

/** Choices that are shown side by side. */
const FEW = 3;

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const NOTHING = ['', '–'] as const;

function typedField({ body }: FieldContext, basic: Basic, { kind }: Parameter): Field {
  const { name, value, was } = basic;
  const { maxLength = 0, format } = body.fields[name] ?? {};
  const example = body.examples[name] === undefined ? null : JSON.stringify(body.examples[name]);
  if (kind === 'json') return field({ ...basic, control: 'textarea', type: 'json', example });
  const isLong = maxLength > LONG || value.includes('\n') || was?.includes('\n') === true;
  if (isLong && kind === 'text') return field({ ...basic, control: 'textarea' });
  // An input of a browser has no zone.
  const local = value.replace(/Z$/, '');
  if (kind === 'date') return field({ ...basic, type: 'datetime-local', value: local });
  const type = kind === 'password' ? 'password' : format === 'date' ? 'date' : 'text';
  return field({ ...basic, type, inputmode: kind === 'integer' ? 'numeric' : 'text' });
}

/** Texts that may be longer than this get several lines. */
const LONG = 300;

/** A field whose options are looked for by name, and to which a file from disk can be sent. */
function referenceField({ definition, record, action }: FieldContext, basic: Basic, picked: Picked): Field {
  const { name, was, value, required } = basic;
  const { reference, chosen, found, text, takesFile } = picked;
  const matches = found?.choices ?? [];
  const kept = value === '' || matches.some(({ id }) => id === value) ? [] : [[value, chosen?.text ?? value] as const];
  const canBeEmpty = !required && (!was || record === null || definition.parameters[name]?.nullable !== undefined);
  const options = [
    ...(value === '' || canBeEmpty ? [NOTHING] : []),
    ...kept,
    ...matches.map((one) => [one.id, one.text] as const),
  ];
  // Of one match nothing has to be chosen.
  const selected = matches.length === 1 ? (matches[0]?.id ?? '') : value;
  const again = `${action}/again/${encodeURIComponent(name)}`;
  const types = reference.accepts ?? [];
  const limits = takesFile === null ? [] : [typesText(types), sizeText(takesFile)];
  const size = found === null ? 1 : Math.min(Math.max(options.length, 2), ROWS);
  return field({
    ...basic,
    hint: sentences(basic.hint ?? '', ...limits),
    control: 'select',
    options: choices(options, selected),
    link: chosen && { text: `Open ${chosen.name}`, href: pathOf(reference.to, chosen.id) },
    image: chosen?.image ?? null,
    picker: { action: again, text, note: found && noteOf(found, text), size },
    upload: takesFile === null ? null : { action: again, part: uploadPart(name), types: types.join(',') },
  });
}

/** Matches that are shown without scrolling. */
const ROWS = 6;

/** What a value may be, said before it is typed. */
function limitsOf(
  kind: ParameterKind,
  { format, minLength = 0, maxLength, minimum, maximum }: FieldDescription,
): string {
  if (kind === 'reference' || kind === 'json') return '';
  if (format === 'uri') return 'Such as https://example.com.';
  if (format === 'date-time') return 'In UTC.';
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (minimum !== undefined || maximum !== undefined)
    return minimum === undefined ? `At most ${maximum}.` : `At least ${minimum}.`;
  if (maxLength === undefined) return minLength > 1 ? `At least ${count(minLength, 'character')}.` : '';
  return minLength > 1
    ? `${minLength} to ${count(maxLength, 'character')}.`
    : `At most ${count(maxLength, 'character')}.`;
}

/** `image/svg+xml` as SVG. */
export function typesText(types: readonly string[]): string {
  if (types.length === 0) return '';
  const names = types.map((type) => type.replace(/^.*\//, '').replace(/\+.*$/, '').toUpperCase());
  return `${names.join(', ')}.`;
}

function sizeText(bytes: number): string {
  return `At most ${Math.floor(bytes / 2 ** 20)} MiB.`;
}

/** Null: there is nothing to say. */
function sentences(...all: readonly string[]): string | null {
  return all.filter((one) => one !== '').join(' ') || null;
}

/**
 * The form of a record that somebody has changed since it was opened: each field that has another value now says so, what was
 * typed stays, and what was not touched is as it is now.
 * @param nameOf the record that a reference has; null: it has no name, or the field is no reference
 */
export function changedMeanwhile(
  context: FieldContext & { readonly definition: AnyDefinition },
  form: Parameters,
  nameOf: (name: string, id: string) => string | null,
): FieldContext {
  const { definition, record } = context;
  const errors = new Map(context.errors);
  for (const { name, was, now } of overtaken(definition, record ?? {}, form)) {
    const isChoice = context.body.fields[name]?.enum !== undefined;
    const words = (value: string): string =>
      quotedText(isChoice ? choiceTitle(definition, name, value) : (WORDS[value] ?? nameOf(name, value) ?? value));
    errors.set(name, `Changed meanwhile from ${words(was)} to ${words(now)}.`);
  }
  const typed = Object.fromEntries(Object.keys(changedFrom(definition, form)).map((name) => [name, form[name]]));
  return { ...context, typed, errors };
}
