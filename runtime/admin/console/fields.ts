// The form of a record, composed from the parameters of its definition and their descriptions in the API document.

import type { AnyDefinition, Parameter, Row } from '../../contract/definition.js';
import type { Parameters } from '../../operations/call.js';
import { limitsOf } from './limits.js';
import type { Names } from './names.js';
import { type FormReference, noteOf, uploadPart } from './picker.js';
import { type DescribedBody, pathOf, type ShownRecord } from './resource.js';
import { changedInput, concurrentChanges, initialValueName, textOf } from './sent-form.js';
import { choices, type Field, field, labelOf, quotedText } from './view.js';
import { choiceTitle } from './wording.js';

export interface FieldContext {
  /** The parameters of the resource, or of an action. */
  readonly definition: Pick<AnyDefinition, 'parameters' | 'titles'>;
  readonly body: DescribedBody;
  /** The record that is changed; null: one is created. */
  readonly record: ShownRecord | null;
  /** The values of a new form, by parameter. */
  readonly initial: Readonly<Record<string, unknown>>;
  /** The form as it was submitted; null: it is new. */
  readonly typed: Parameters | null;
  /** Messages by parameter. */
  readonly errors: ReadonlyMap<string, string>;
  /** The state of references, by parameter. */
  readonly picked: ReadonlyMap<string, FormReference>;
  /** The path to which the form is sent. */
  readonly action: string;
}

/** A field for every parameter that an administrator sends. */
export function formFields(context: FieldContext): readonly Field[] {
  const sent = Object.entries(context.definition.parameters).filter(([, { proves }]) => proves === undefined);
  return sent.map(([name, parameter]) => parameterField(context, name, parameter));
}

/** A field for the file of a new record, if records are created from files. */
export function uploadFields({ upload }: AnyDefinition, errors: FieldContext['errors']): readonly Field[] {
  if (upload === null) return [];
  const { part: name, maxBytes } = upload;
  const error = errors.get(name) ?? null;
  return [field({ name, label: labelOf(name), control: 'file', error, hint: sizeText(maxBytes), required: true })];
}

/** The values that a create without parameters stores. */
export function defaultsOf({ handlers, parameters }: AnyDefinition): Row {
  const upload = { name: '', type: '', size: 0, width: null, height: null, hash: '' };
  const row = handlers.create({}, { id: '', now: 0, user: '', upload, token: null, random: () => '' });
  const isLiteral = (name: string): boolean => !['date', 'reference'].includes(parameters[name]?.kind ?? 'date');
  return Object.fromEntries(Object.entries(row).filter(([name]) => isLiteral(name)));
}

/** The properties that fields of every kind have. */
type BaseField = Pick<Field, 'name' | 'label' | 'value' | 'was' | 'hint' | 'error' | 'required'>;

function parameterField(context: FieldContext, name: string, parameter: Parameter): Field {
  const { body, record, typed, errors, initial } = context;
  const { kind } = parameter;
  const described = body.fields[name] ?? {};
  const isSecret = kind === 'password';
  const was = record === null || isSecret ? null : textOf(kind, typed?.[initialValueName(name)] ?? record[name]);
  const value = isSecret ? '' : textOf(kind, typed?.[name] ?? was ?? initial[name]);
  const hint = sentences(described.description ?? '', limitsOf(kind, described));
  const required = body.required.has(name) && !(isSecret && record !== null);
  const base = { name, label: labelOf(name), value, was, hint, error: errors.get(name) ?? null, required };
  const picked = context.picked.get(name);
  if (picked !== undefined) return referenceField(context, base, picked);
  return choiceField(context, base, parameter) ?? typedField(context, base, parameter);
}

/** A field with a few values to choose from; null: the parameter takes others. */
function choiceField({ definition, body }: FieldContext, base: BaseField, { kind, nullable }: Parameter): Field | null {
  const { name, value, required } = base;
  const isFlag = kind === 'boolean';
  if (isFlag && value !== '' && nullable !== true) return field({ ...base, control: 'checkbox' });
  const values = isFlag ? ['true', 'false'] : body.fields[name]?.enum?.filter((one) => one !== null).map(String);
  if (values === undefined) return null;
  // A value that is no longer offered can be kept.
  const offered = value === '' || values.includes(value) ? values : [...values, value];
  const named = offered.map((one) => [one, choiceTitle(definition, name, one)] as const);
  const isSet = value !== '' && nullable !== true;
  const control = offered.length <= FEW && (isSet || required) ? 'radios' : 'select';
  const none = control === 'radios' || (isSet && required) ? [] : [NOTHING];
  return field({ ...base, control, options: choices([...none, ...named], value) });
}

/** The greatest number of choices that are shown side by side. */
const FEW = 3;

const NOTHING = ['', '–'] as const;

function typedField({ body }: FieldContext, base: BaseField, { kind }: Parameter): Field {
  const { name, value, was } = base;
  const { maxLength = 0, format } = body.fields[name] ?? {};
  const example = body.examples[name] === undefined ? null : JSON.stringify(body.examples[name]);
  if (kind === 'json') return field({ ...base, control: 'textarea', type: 'json', example });
  const isLong = maxLength > LONG || value.includes('\n') || was?.includes('\n') === true;
  if (isLong && kind === 'text') return field({ ...base, control: 'textarea' });
  // An input of a browser has no zone.
  const local = value.replace(/Z$/, '');
  if (kind === 'date') return field({ ...base, type: 'datetime-local', value: local });
  const type = kind === 'password' ? 'password' : format === 'date' ? 'date' : 'text';
  return field({ ...base, type, inputmode: kind === 'integer' ? 'numeric' : 'text' });
}

/** Texts that may be longer get a field of several lines. */
const LONG = 300;

/** A field whose options are found by name, or created by uploading a file. */
function referenceField({ definition, record, action }: FieldContext, base: BaseField, state: FormReference): Field {
  const { name, was, value, required } = base;
  const { reference, chosen, matches, text, maxBytes } = state;
  const offered = matches?.choices ?? [];
  const kept = value === '' || offered.some(({ id }) => id === value) ? [] : [[value, chosen?.text ?? value] as const];
  const canBeEmpty = !required && (!was || record === null || definition.parameters[name]?.nullable !== undefined);
  const options = [
    ...(value === '' || canBeEmpty ? [NOTHING] : []),
    ...kept,
    ...offered.map((one) => [one.id, one.text] as const),
  ];
  // A single match is selected.
  const selected = offered.length === 1 ? (offered[0]?.id ?? '') : value;
  const again = `${action}/again/${encodeURIComponent(name)}`;
  const types = reference.accepts ?? [];
  const limits = maxBytes === null ? [] : [typesText(types), sizeText(maxBytes)];
  const size = matches === null ? 1 : Math.min(Math.max(options.length, 2), ROWS);
  return field({
    ...base,
    hint: sentences(base.hint ?? '', ...limits),
    control: 'select',
    options: choices(options, selected),
    link: chosen && { text: `Open ${chosen.name}`, href: pathOf(reference.to, chosen.id) },
    image: chosen?.image ?? null,
    picker: { action: again, text, note: matches && noteOf(matches, text), size },
    upload: maxBytes === null ? null : { action: again, part: uploadPart(name), types: types.join(',') },
  });
}

/** Options that are shown without scrolling. */
const ROWS = 6;

/** `image/svg+xml` as SVG. */
export function typesText(types: readonly string[]): string {
  if (types.length === 0) return '';
  const names = types.map((type) => type.replace(/^.*\//, '').replace(/\+.*$/, '').toUpperCase());
  return `${names.join(', ')}.`;
}

function sizeText(bytes: number): string {
  return `At most ${Math.floor(bytes / 2 ** 20)} MiB.`;
}

/** Null: all of them are empty. */
function sentences(...all: readonly string[]): string | null {
  return all.filter((one) => one !== '').join(' ') || null;
}

/**
 * The form of a record that somebody has changed since the form was opened: each field whose value has changed says so; what was
 * typed stays, and fields that were not touched show the current value.
 * @param unnamed fields whose values are ids that mean nothing to readers, so that the message leaves them out
 */
export async function withConcurrentChanges(
  context: FieldContext & { readonly definition: AnyDefinition },
  form: Parameters,
  names: Names,
  unnamed: readonly string[] = [],
): Promise<FieldContext> {
  const { definition, record, body } = context;
  const changes = concurrentChanges(definition, record ?? {}, form);
  const targets = new Map(definition.references.map(({ column, to }) => [column, to]));
  const ids = changes.flatMap(({ name, was, now }) => [was, now].map((id) => [targets.get(name) ?? '', id] as const));
  const nameOf = await names(ids);
  const errors = new Map(context.errors);
  for (const { name, was, now } of changes) {
    const isChoice = definition.parameters[name]?.kind === 'boolean' || body.fields[name]?.enum !== undefined;
    const words = (value: string): string =>
      quotedText(isChoice ? choiceTitle(definition, name, value) : (nameOf(targets.get(name) ?? '', value) ?? value));
    const values = unnamed.includes(name) ? '' : ` from ${words(was)} to ${words(now)}`;
    errors.set(name, `Changed meanwhile${values}.`);
  }
  const typed = Object.fromEntries(Object.keys(changedInput(definition, form)).map((name) => [name, form[name]]));
  return { ...context, typed, errors };
}
