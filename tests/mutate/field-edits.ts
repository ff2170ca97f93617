// The slips in a field, by the keys that it has and could have.

import { FIELD_KEYS } from '../../generator/language/field-keys.js';
import { kindsWith } from '../../generator/model/kinds/kinds.js';
import { schemaEdits } from './schema-edits.js';
import { drop, listSlips, type Node, node, put, type Slip, set, without } from './slip.js';

type Slips = (field: Node) => readonly Slip[];

/** Every slip of a field as written in its file; a field that extends one of a convention may lack its kind. */
export function fieldEdits(field: Node): readonly Slip[] {
  const kind = String(field.kind ?? '');
  return [...ANY, ...(BY_KIND[kind] ?? [])].flatMap((slips) => slips(field));
}

const flip =
  (key: string): Slips =>
  (field) => [field[key] === true ? drop(key, [], key) : put(key, true)];

const oneOf =
  (key: string, values: readonly unknown[]): Slips =>
  (field) => [...values.filter((value) => value !== field[key]).map((value) => put(key, value)), ...drops(key)(field)];

const drops =
  (key: string): Slips =>
  (field) =>
    field[key] === undefined ? [] : [drop(key, [], key)];

const shifted =
  (key: string): Slips =>
  ({ [key]: value }) =>
    typeof value === 'number' ? [1, -1].map((by) => put(key, value + by)) : [];

const added =
  (key: string, value: unknown): Slips =>
  (field) =>
    field[key] === undefined ? [put(key, value)] : [];

/** The keys with a numeric value. */
const NUMBERS = Object.entries(FIELD_KEYS).flatMap(([key, { schema }]) =>
  key !== 'times' && ['integer', 'number'].includes(String(schema.type)) ? [key] : [],
);

/** Adds a number for each of these keys that the kind accepts; `min` and `max` are added by kind below. */
const anotherLimit: Slips = ({ kind, ...field }) =>
  NUMBERS.filter((key) => !['min', 'max'].includes(key)).flatMap((key) =>
    kindsWith(key).includes(String(kind)) ? added(key, 7)(field) : [],
  );

/** Slips that also apply to a field of a convention that the descriptor extends. */
const ANY: readonly Slips[] = [
  ...NUMBERS.flatMap((key) => [shifted(key), drops(key)]),
  anotherLimit,
  drops('default'),
  drops('list_each'),
  ({ make }) =>
    Object.entries(node(make)).map(([key, value]) => ({
      name: `make with another ${key}`,
      apply: (field: Node) => set(field, 'make', { ...node(make), [key]: `${String(value)}2` }),
    })),
  ({ synonyms }) => list(synonyms).map((one) => without('synonyms', one)),
  ({ shown_as }) => list(shown_as).map((one) => without('shown_as', one)),
  ({ filter }) => (filter === 'range' ? [put('filter', true)] : []),
  ({ lists }) =>
    Object.keys(node(lists)).flatMap((name) => [
      drop(`list ${name}`, ['lists'], name),
      { name: `list ${name} of everything`, apply: (field: Node) => set(node(field.lists), name, {}) },
    ]),
  ({ set }) => (set === undefined ? [] : [drop('set', [], 'set')]),
  ({ kind, read_only }) =>
    kind === undefined || kind === 'computed'
      ? []
      : [read_only ? drop('read_only', [], 'read_only') : put('read_only', true)],
  ({ kind, view }) =>
    kind === undefined || kind === 'password'
      ? []
      : [
          ...['anyone', 'editor', 'created', 'nobody']
            .filter((one) => one !== (view ?? 'anyone'))
            .map((one) => put('view', one)),
        ],
  ({ kind, from }) => (kind === undefined || from === undefined ? [] : [drop('from', [], 'from')]),
  ({ from }) =>
    String(from).startsWith('upload.')
      ? [
          put(
            'from',
            from === 'upload.width'
              ? 'upload.height'
              : from === 'upload.height'
                ? 'upload.width'
                : from === 'upload.size'
                  ? 'upload.width'
                  : 'random',
          ),
        ]
      : [],
];

const REQUIRED = flip('required');
const SETTABLE: readonly Slips[] = [
  REQUIRED,
  flip('unique'),
  ({ unique }) => (typeof unique === 'string' ? [put('unique', true), put('unique', 'another_word')] : []),
  flip('filter'),
  added('set', 'admin'),
  added('shown_as', ['again']),
];
const REFERENCE: readonly Slips[] = [oneOf('on_delete', ['cascade', 'set_null', 'restrict'])];

const BY_KIND: Readonly<Record<string, readonly Slips[]>> = {
  text: [...SETTABLE, added('max', 200), added('min', 2), otherDefault('another'), kindOf('url')],
  url: [REQUIRED, added('max', 100), kindOf('text')],
  integer: [...SETTABLE, added('min', 0), added('max', 1000), otherDefault(2), valuesOf(7), kindOf('decimal')],
  decimal: [...SETTABLE, otherDefault('1'), kindOf('text')],
  boolean: [
    flip('filter'),
    added('set', 'admin'),
    otherDefault(true),
    ({ words }) => (words === undefined ? [] : [drop('words', [], 'words')]),
    ({ as }) => (as === undefined ? [put('as', 'bit')] : [drop('as', [], 'as')]),
  ],
  date: [REQUIRED, kindOf('text')],
  enum: [
    ...SETTABLE,
    valuesOf('another'),
    ({ default: current, values }) => (current === undefined ? [] : [put('default', list(values).at(-1))]),
  ],
  json: [
    REQUIRED,
    ({ schema }) =>
      schemaEdits(node(schema)).map(({ name, apply }) => ({ name, apply: (field: Node) => apply(node(field.schema)) })),
  ],
  password: [REQUIRED, added('max', 20), added('min', 20)],
  reference: [
    REQUIRED,
    oneOf('need', ['exists', 'read', 'use', 'edit']),
    ...REFERENCE,
    flip('place'),
    flip('inside'),
    flip('unique'),
    ({ list: current }) =>
      current === undefined ? [put('list', 'another_list')] : [drop('list', [], 'list'), put('list', 'another_list')],
  ],
  image: [
    REQUIRED,
    ...REFERENCE,
    ({ proof }) => (proof === false ? [drop('proof', [], 'proof')] : [put('proof', false)]),
    ({ types }) => (types === undefined ? [put('types', ['image/png'])] : listSlips('types', list(types), 'image/png')),
  ],
  file: [REQUIRED, ...REFERENCE, added('types', ['image/png'])],
  computed: [
    ({ sum }) => (sum === undefined ? [] : [otherAggregate('sum', 'latest'), otherAggregate('sum', 'count')]),
    ({ latest }) => (latest === undefined ? [] : [otherAggregate('latest', 'count')]),
    ({ text }) => (text === undefined ? [] : [put('text', `${text}x`)]),
    ({ copy }) => (typeof copy === 'string' && copy.includes('.') ? [put('copy', copy.replace(/\..*/, '.id'))] : []),
  ],
};

/** Uses another aggregate of the same list; a count has no field. */
function otherAggregate(key: string, other: string): Slip {
  return {
    name: `${other} instead of ${key}`,
    apply: (field) => {
      const [list, of] = String(field[key]).split('.');
      set(field, other, other === 'count' ? list : `${list}.${of}`);
      delete field[key];
    },
  };
}

function kindOf(other: string): Slips {
  return () => [put('kind', other)];
}

function otherDefault(value: unknown): Slips {
  return ({ default: current }) => (current === value ? [] : [put('default', value)]);
}

function valuesOf(more: unknown): Slips {
  return ({ values }) => (values === undefined ? [] : listSlips('values', list(values), more));
}

function list(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}
