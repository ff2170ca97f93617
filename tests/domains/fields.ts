// Random fields of every kind, with random keys that usually fit the kind. Does no checks: `check` does.
import type { Chance } from '../support/chance.js';
import type { Drawn } from './domain.js';

export interface Field {
  readonly kind: string;
  readonly [key: string]: unknown;
}
export type Fields = Readonly<Record<string, Field>>;

interface WantedField {
  readonly count: number;
  /** Rights of the resource that a view may name. */
  readonly rights: readonly string[];
  /** No field is required, since tests create users and uploads without values. */
  readonly optional: boolean;
}

export function drawFields(drawn: Drawn, { count, rights, optional }: WantedField): Fields {
  const { chance, names, uploads } = drawn;
  const fields: Record<string, Field> = {};
  for (let at = 0; at < count; at++) {
    const kind = chance.one(Object.keys(KINDS));
    const upload = kind === 'image' || kind === 'file';
    if (upload && (uploads === null || optional)) continue;
    if (chance.happens(0.18) && kind !== 'enum') {
      fields[names.field()] = { kind, description: names.text() };
      continue;
    }
    const drawnKeys = { kind, ...KINDS[kind]?.(drawn), ...shared(drawn, kind, rights) };
    fields[names.field()] = optional ? { ...drawnKeys, required: false } : fitting(drawnKeys);
  }
  if (!optional && chance.happens(0.3)) fields[names.field()] = { kind: 'text', required: true, unique: true };
  // This takes no draw either; every second resource has it.
  if (Object.keys(fields).length % 2 === 1) withWords(fields);
  if (!optional && Object.keys(fields).length % 3 === 2) withFill(fields);
  // This takes no draw, so that the same seeds give the same fields otherwise.
  if (!optional && Object.keys(fields).length === 4) fields.seal_of_it = { kind: 'token', description: 'Seal of it.' };
  return { ...fields, ...computed(drawn, fields) };
}

/** Gives lookup paths to unique fields that everyone sees. */
function withWords(fields: Record<string, Field>): void {
  for (const [name, field] of Object.entries(fields)) {
    const isSeen = field.view === undefined && field.kind !== 'image' && field.kind !== 'file';
    if (field.unique === true && isSeen && !name.includes('{n}')) fields[name] = { ...field, unique: `by_${name}` };
  }
}

/** Adds a text with a form of `fill`, which takes no draw either. */
function withFill(fields: Record<string, Field>): void {
  const texts = Object.entries(fields).filter(([name, { kind }]) => kind === 'text' && !name.includes('{n}'));
  const [any] = texts.map(([name]) => name);
  const [limited] = texts.filter(([, { max }]) => max !== undefined).map(([name]) => name);
  const copies = any === undefined ? [] : [{ words: any, part: 'rest' }, { copy: any }];
  const fills =
    limited === undefined ? [...copies, { function: 'told' }] : [{ join: [limited, limited], with: ' and ' }];
  const fill = fills[Object.keys(fields).join().length % fills.length];
  fields.told_of_it = { kind: 'text', max: 700, fill, description: 'What is told of it.' };
}

/** Removes keys about callers from fields that callers cannot send, and the default from unique fields. */
function fitting({ required, synonyms, set, default: value, ...field }: Field): Field {
  if (field.read_only === true) return field;
  return { ...field, ...some({ required, synonyms, set }), ...(field.unique === true ? {} : some({ default: value })) };
}

type Keys = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, (drawn: Drawn) => Keys>> = {
  text({ chance, names }) {
    const min = chance.happens(0.3) ? chance.below(5) : undefined;
    const max = chance.happens(0.5) ? 5 + chance.below(300) : undefined;
    return {
      ...some({ min, max }),
      ...often(
        chance,
        0.3,
        'default',
        names
          .word()
          .padEnd(min ?? 0, 'x')
          .slice(0, max),
      ),
    };
  },
  integer({ chance }) {
    if (chance.happens(0.2)) return { values: [40, 60, 80], ...often(chance, 0.5, 'default', 60) };
    const min = chance.happens(0.5) ? chance.below(20) - 10 : undefined;
    const max = chance.happens(0.5) ? 10 + chance.below(2000) : undefined;
    const step = (max ?? 1) % 3 === 1 ? 5 : undefined;
    const value = step === undefined ? (min ?? 3) : 10;
    return { ...some({ min, max, step }), ...often(chance, 0.4, 'default', value) };
  },
  decimal({ chance }) {
    const scale = chance.happens(0.5) ? chance.below(5) : undefined;
    const part = (scale ?? 2) > 0 && chance.happens(0.4) ? 0.5 : 0;
    const min = chance.happens(0.5) ? chance.below(10) - 5 + part : undefined;
    const max = chance.happens(0.5) ? 6 + chance.below(2000) + part : undefined;
    return { ...some({ min, max, scale }), ...often(chance, 0.4, 'default', chance.one([String(min ?? 4), min ?? 4])) };
  },
  boolean({ chance }) {
    const said = { ...often(chance, 0.4, 'default', chance.happens(0.5)), ...often(chance, 0.3, 'as', 'bit') };
    return { ...said, fill: true, ...('as' in said ? { words: { yes: true, No: false } } : {}) };
  },
  date: ({ chance }) => ({ ...often(chance, 0.2, 'default', '2030-01-31T12:00:00Z'), fill: '2020-02-29T00:00:00Z' }),
  day: ({ chance }) => often(chance, 0.2, 'default', '2030-01-31'),
  enum({ chance, names }) {
    const values = [...new Set(Array.from({ length: 1 + chance.below(4) }, () => names.word()))];
    const said = () => ({
      ...often(chance, 0.5, 'title', names.text()),
      list: chance.happens(0.2) ? false : names.field(),
      ...often(chance, 0.2, 'deprecated', '2029-01-01'),
      ...often(chance, 0.2, 'sunset', '2030-01-01'),
    });
    return {
      values: chance.happens(0.6) ? values : Object.fromEntries(values.map((value) => [value, said()])),
      ...often(chance, 0.4, 'default', values[0]),
    };
  },
  url: ({ chance }) => ({
    ...often(chance, 0.3, 'max', 32 + chance.below(200)),
    ...often(chance, 0.2, 'default', 'https://example.com/?a=1&b=2'),
  }),
  json: ({ chance }) => ({
    ...often(
      chance,
      0.5,
      'schema',
      chance.one([
        { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
        { type: 'object', properties: { a: { type: 'string', maxLength: 5 } } },
        { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'boolean' } } },
      ]),
    ),
  }),
  image: ({ chance }) => ({
    ...often(chance, 0.3, 'proof', chance.happens(0.3)),
    ...often(chance, 0.5, 'types', [
      chance.one(['image/png', 'image/jpeg']),
      chance.one(['image/svg+xml', 'image/webp']),
    ]),
  }),
  file: ({ chance }) =>
    often(chance, 0.5, 'types', [
      chance.one(['application/pdf', 'application/zip', 'image/gif', 'application/octet-stream']),
    ]),
};

/** Keys about callers and lists. */
function shared({ chance, names }: Drawn, kind: string, rights: readonly string[]): Keys {
  const json = kind === 'json';
  const view = chance.happens(0.3) ? chance.one(['editor', 'created', 'nobody', ...rights]) : undefined;
  return {
    description: names.text(),
    ...often(chance, 0.3, 'required', true),
    ...some({ view }),
    ...often(chance, 0.15, 'set', chance.one(['admin', 'editor'])),
    ...often(chance, 0.1, 'read_only', chance.happens(0.5)),
    ...(json || ['password', 'boolean', 'enum'].includes(kind)
      ? {}
      : often(chance, 0.1, 'unique', chance.happens(0.8))),
    ...(json || kind === 'password' || view !== undefined || kind === 'image' || kind === 'file'
      ? {}
      : often(chance, 0.35, 'filter', chance.happens(0.9) ? filtered(chance, kind) : false)),
    ...(chance.happens(0.15) ? { synonyms: [names.field()] } : {}),
    ...(chance.happens(0.15) ? { shown_as: [names.field()] } : {}),
    ...(chance.happens(0.08) ? { deprecated: '2029-01-01', sunset: '2030-01-01' } : {}),
    ...(kind === 'text' ? often(chance, 0.1, 'example', 'plain') : {}),
    ...(kind === 'text' && !['created', 'nobody'].includes(view ?? '')
      ? often(chance, 0.2, 'find', chance.happens(0.8))
      : {}),
  };
}

function filtered(chance: Chance, kind: string): true | 'range' {
  return ['integer', 'date', 'day'].includes(kind) && chance.happens(0.6) ? 'range' : true;
}

/** Copies of fields that everyone sees, and texts composed of them. */
function computed({ chance, names }: Drawn, fields: Fields): Fields {
  const open = (kinds: readonly string[]) =>
    Object.keys(fields).filter((name) => kinds.includes(fields[name]?.kind ?? '') && fields[name]?.view === undefined);
  const [copied, shown] = [
    open(['text', 'integer', 'enum', 'url']),
    open(['text', 'integer', 'enum', 'url', 'date', 'day']),
  ];
  if (shown.length === 0 || chance.happens(0.5)) return {};
  const text = { text: `it's {${chance.one(shown)}} "and" {id}` };
  const how = copied.length === 0 || chance.happens(0.5) ? text : { copy: chance.one(copied) };
  return { [names.field()]: { kind: 'computed', ...how } };
}

function often(chance: Chance, probability: number, key: string, value: unknown): Keys {
  return chance.happens(probability) ? { [key]: value } : {};
}

function some(keys: Keys): Keys {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}
