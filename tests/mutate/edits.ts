// Every edit of one descriptor that changes what it says: text in, text out. A row for each kind of slip a maintainer makes.
import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Source } from '../../generator/compile-spec.js';
import { fieldEdits } from './field-edits.js';
import { drop, listSlips, type Node, node, put, type Slip, set, without } from './slip.js';

export interface SpecMutant {
  readonly name: string;
  readonly source: Source;
}

/** Every mutant of a spec, in a fixed order. */
export function specMutants(source: Source): readonly SpecMutant[] {
  return source.files.flatMap(({ path, text }) => {
    const file = basename(path, '.yaml');
    if (file === 'events') return [];
    const whole = node(parse(text));
    const parts = path.includes('/resources/')
      ? [{ name: file, slips: slipsOf(whole), within: (copy: Node) => copy }]
      : Object.entries(node(whole.conventions)).map(([name, convention]) => ({
          name: `${file} ${name}`,
          slips: slipsOf(node(convention)),
          within: (copy: Node) => node(node(copy.conventions)[name]),
        }));
    return parts.flatMap(({ name, slips, within }) =>
      slips.map((slip) => {
        const copy = node(parse(text));
        slip.apply(within(copy));
        const files = source.files.map((one) => (one.path === path ? { path, text: stringify(copy) } : one));
        return { name: `${name}: ${slip.name}`, source: { ...source, files } };
      }),
    );
  });
}

function slipsOf(part: Node): readonly Slip[] {
  return [
    ...Object.entries(node(part.fields)).flatMap(([name, field]) => [
      ...fieldEdits(plainField(field)).map((slip) => inside(['fields', name], slip)),
      drop(`${name}`, ['fields'], name),
    ]),
    ...Object.entries(node(part.actions)).flatMap(([name, action]) => actionSlips(name, node(action))),
    ...accessSlips(node(part.access)),
    ...operationSlips(part),
    ...RESOURCE.flatMap((slips) => slips(part)),
  ];
}

const OPERATIONS = ['create', 'fetch', 'update', 'delete'];

function operationSlips(part: Node): readonly Slip[] {
  // A convention has neither name nor operations of its own to lose.
  if (part.title === undefined && part.operations === undefined) return [];
  const said: Node = {
    ...Object.fromEntries(OPERATIONS.map((one) => [one, true])),
    list: 'admin',
    ...node(part.operations),
  };
  const slips = (operation: string, policies: readonly unknown[]) =>
    policies
      .filter((policy) => policy !== said[operation])
      .map((policy) => ({
        name: `${operation} ${policy === false ? 'not offered' : `for ${policy === true ? 'whoever has access' : policy}`}`,
        apply: (whole: Node) => {
          whole.operations = { ...node(part.operations), [operation]: policy };
        },
      }));
  return [
    ...OPERATIONS.flatMap((operation) => slips(operation, [false, true, 'anyone', 'session', 'admin'])),
    ...slips('list', ['anyone', 'session', 'admin']),
  ];
}

function accessSlips(access: Node): readonly Slip[] {
  return Object.entries(access).flatMap(([right, clauses]) => {
    if (right === 'hidden') return [drop('hidden', ['access'], 'hidden')];
    const list = Array.isArray(clauses) ? clauses : [clauses];
    const put = (name: string, value: unknown): Slip => ({
      name: `${right} ${name}`,
      apply: (whole) => set(node(whole.access), right, value),
    });
    return [
      ...list.map((clause, at) =>
        put(
          `without ${said(clause)}`,
          list.filter((_, index) => index !== at),
        ),
      ),
      ...(list.includes('anyone')
        ? [put('for nobody', [])]
        : [put('for anyone', 'anyone'), put('for whoever edits or', [...list, 'editor'])]),
      ...list.flatMap((clause, at) => {
        const { where, ...rest } = node(clause);
        return where === undefined
          ? []
          : [
              put(
                `by ${said(clause)} without where`,
                list.map((one, index) => (index === at ? rest : one)),
              ),
            ];
      }),
    ];
  });
}

function actionSlips(name: string, action: Node): readonly Slip[] {
  const by = ['admin', 'editor'].filter((who) => who !== action.by);
  return [
    ...by.map((who) => ({
      name: `${name} by ${who}`,
      apply: (whole: Node) => set(node(node(whole.actions)[name]), 'by', who),
    })),
    ...Object.entries(node(action.parameters)).flatMap(([parameter, field]) =>
      fieldEdits(plainField(field)).map((slip) => ({
        ...inside(['actions', name, 'parameters', parameter], slip),
        name: `${name} with ${parameter} ${slip.name}`,
      })),
    ),
  ];
}

/** Keys of a whole resource. */
const RESOURCE: readonly ((part: Node) => readonly Slip[])[] = [
  ({ identities }) => (Array.isArray(identities) ? listSlips('identities', identities, 'AnotherOne') : []),
  ({ identities }) =>
    Array.isArray(identities) && identities.length > 1 ? [put('default_identity', identities.at(-1))] : [],
  ({ identities }) =>
    Object.entries(Array.isArray(identities) ? {} : node(identities)).flatMap(([value, said]) =>
      Object.keys(node(said)).map((key) => drop(`${key} of ${value}`, ['identities', value], key)),
    ),
  ({ catalogue }) => Object.keys(node(catalogue)).map((key) => drop(`${key} in the catalogue`, ['catalogue'], key)),
  ({ old_names }) => (old_names === undefined ? [] : [{ name: 'old_names', apply: (whole) => delete whole.old_names }]),
  ({ unique }) => (Array.isArray(unique) ? [{ name: 'unique', apply: (whole) => delete whole.unique }] : []),
  ({ order }) => (order === undefined ? [] : [{ name: 'order', apply: (whole) => delete whole.order }]),
  ({ ignores }) => (Array.isArray(ignores) ? ignores.map((one) => without('ignores', one)) : []),
  ({ brief }) => (Array.isArray(brief) ? brief.map((one) => without('brief', one)) : []),
  ({ paths }) => Object.keys(node(paths)).map((key) => drop(`path to ${key}`, ['paths'], key)),
  ({ type_name }) => (type_name === undefined ? [] : [{ name: 'type_name', apply: (whole) => delete whole.type_name }]),
  ({ type_field }) =>
    type_field === undefined ? [] : [{ name: 'type_field', apply: (whole) => delete whole.type_field }],
  ({ title }) => (title === undefined ? [] : [put('plural', 'another_plural')]),
  ({ title }) => (title === undefined ? [] : [put('type_name', 'another_type')]),
  ({ access, title }) =>
    title === undefined || node(access).hidden
      ? []
      : [{ name: 'hidden', apply: (whole) => set(whole, 'access', { ...node(whole.access), hidden: true }) }],
  ({ upload }) =>
    upload === undefined
      ? []
      : [1, -1].map((by) => ({
          name: `max_bytes by ${by}`,
          apply: (whole: Node) => set(node(whole.upload), 'max_bytes', Number(node(whole.upload).max_bytes) + by),
        })),
];

function inside(path: readonly string[], { name, apply }: Slip): Slip {
  const last = path.at(-1) ?? '';
  return {
    name: `${last} ${name}`,
    apply: (whole) => {
      const above = path.slice(0, -1).reduce((part, step) => node(part[step]), whole);
      above[last] = plainField(above[last]);
      apply(node(above[last]));
    },
  };
}

/** `quantity: integer` is short for `quantity: { kind: integer }`. */
function plainField(field: unknown): Node {
  return typeof field === 'string' ? { kind: field } : node(field);
}

function said(clause: unknown): string {
  return typeof clause === 'string' ? clause : String(node(clause).member);
}
