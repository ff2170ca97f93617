// Every edit of a descriptor that changes its meaning, from text to text: a row for each kind of slip that maintainers make.
import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import type { SpecSource } from '../../generator/check/project.js';
import { fieldEdits } from './field-edits.js';
import { drop, listSlips, type Node, node, put, type Slip, set, without } from './slip.js';

export interface SpecMutant {
  readonly name: string;
  /** Computed on demand, since most mutants are never used. */
  readonly source: SpecSource;
}

/** A slip in a descriptor or convention. */
export interface SpecSlip {
  readonly path: string;
  readonly name: string;
  /** The part of the parsed file that the slip changes. */
  readonly within: (whole: Node) => Node;
  readonly apply: Slip['apply'];
}

/** Every mutant of a spec, in a fixed order. */
export function specMutants(source: SpecSource): readonly SpecMutant[] {
  const texts = new Map(source.files.map(({ path, text }) => [path, text]));
  return specSlips(source).map(({ path, name, within, apply }) => ({
    name,
    get source() {
      const copy = node(parse(texts.get(path) ?? ''));
      apply(within(copy));
      const files = source.files.map((one) => (one.path === path ? { path, text: stringify(copy) } : one));
      return { ...source, files };
    },
  }));
}

/** Every slip, each of which gives a mutant. */
export function specSlips(source: SpecSource): readonly SpecSlip[] {
  const conventions = node(
    parse(source.files.find(({ path }) => /conventions[.]yaml$/.test(path))?.text ?? '').conventions,
  );
  return source.files.flatMap(({ path, text }) => {
    const file = basename(path, '.yaml');
    if (file === 'events') return [];
    const whole = node(parse(text));
    const parts = path.includes('/resources/')
      ? [{ name: file, part: whole, within: (copy: Node) => copy }]
      : Object.entries(node(whole.conventions)).map(([name, convention]) => ({
          name: `${file} ${name}`,
          part: node(convention),
          within: (copy: Node) => node(node(copy.conventions)[name]),
        }));
    return parts.flatMap(({ name, part, within }) =>
      [...slipsOf(part), ...inheritance(part, conventions)].map((slip) => ({
        path,
        name: `${name}: ${slip.name}`,
        within,
        apply: slip.apply,
      })),
    );
  });
}

/** Slips that forget a convention or drop an inherited field. */
function inheritance({ extends: inherited, fields }: Node, conventions: Node): readonly Slip[] {
  const all = [inherited ?? []].flat().map(String);
  return all.flatMap((name) => [
    ...(all.length > 1
      ? [
          put(
            'extends',
            all.filter((one) => one !== name),
          ),
        ]
      : []),
    ...Object.keys(node(node(conventions[name]).fields))
      .filter((field) => node(fields)[field] === undefined && !field.includes('{'))
      .map((field) => ({
        name: `${field} dropped`,
        apply: (part: Node) => set(part, 'fields', { ...node(part.fields), [field]: null }),
      })),
  ]);
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

function policyName(policy: unknown): string {
  if (policy === false) return 'not offered';
  if (typeof policy === 'object') return `with ${JSON.stringify(policy)}`;
  return `for ${policy === true ? 'whoever has access' : policy}`;
}

function operationSlips(part: Node): readonly Slip[] {
  // A convention has neither a name nor operations of its own.
  if (part.title === undefined && part.operations === undefined) return [];
  const policyOf: Node = {
    ...Object.fromEntries(OPERATIONS.map((one) => [one, true])),
    list: 'admin',
    ...node(part.operations),
  };
  const slips = (operation: string, policies: readonly unknown[]) =>
    policies
      .filter((policy) => policy !== policyOf[operation])
      .map((policy) => ({
        name: `${operation} ${policyName(policy)}`,
        apply: (whole: Node) => {
          whole.operations = { ...node(part.operations), [operation]: policy };
        },
      }));
  return [
    ...OPERATIONS.flatMap((operation) => slips(operation, [false, true, 'anyone', 'session', 'admin'])),
    ...slips('update', [{ match: 'required' }]),
    ...slips('list', ['anyone', 'session', 'admin']),
    ...searchSlips(node(policyOf.list).search),
  ];
}

/** Slips that leave a text out of the search, or remove the search. */
function searchSlips(search: unknown): readonly Slip[] {
  if (!Array.isArray(search)) return [];
  const list = (whole: Node) => node(node(whole.operations).list);
  const fewer = (name: unknown): Slip => ({
    name: `search without ${name}`,
    apply: (whole) =>
      set(
        list(whole),
        'search',
        search.filter((one) => one !== name),
      ),
  });
  return [drop('search', ['operations', 'list'], 'search'), ...(search.length > 1 ? search.map(fewer) : [])];
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
          `without ${clauseText(clause)}`,
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
                `by ${clauseText(clause)} without where`,
                list.map((one, index) => (index === at ? rest : one)),
              ),
            ];
      }),
    ];
  });
}

function actionSlips(name: string, action: Node): readonly Slip[] {
  const by = ['admin', 'editor'].filter((who) => who !== action.by);
  const actionOf = (whole: Node) => node(node(whole.actions)[name]);
  return [
    ...(action.undo === undefined ? [] : [{ ...drop('', ['actions', name], 'undo'), name: `${name} without undo` }]),
    ...(['sets', 'undo'] as const).flatMap((part) =>
      setsOf(action, part).map(([field, value]) => ({
        name: `${name} ${part} ${field} ${JSON.stringify(!value)}`,
        apply: (whole: Node) =>
          set(node(part === 'undo' ? node(actionOf(whole).undo).sets : actionOf(whole).sets), field, !value),
      })),
    ),
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

/** The flags that an action or its undo sets. */
function setsOf(action: Node, part: 'sets' | 'undo'): readonly (readonly [string, boolean])[] {
  const sets = node(part === 'undo' ? node(action.undo).sets : action.sets);
  return Object.entries(sets).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
}

/** Slips in the keys of a whole resource. */
const RESOURCE: readonly ((part: Node) => readonly Slip[])[] = [
  ({ identities }) => (Array.isArray(identities) ? listSlips('identities', identities, 'AnotherOne') : []),
  ({ identities }) =>
    Array.isArray(identities) && identities.length > 1 ? [put('default_identity', identities.at(-1))] : [],
  ({ identities }) =>
    Object.entries(Array.isArray(identities) ? {} : node(identities)).flatMap(([value, keys]) =>
      Object.keys(node(keys)).map((key) => drop(`${key} of ${value}`, ['identities', value], key)),
    ),
  ({ catalogue }) => Object.keys(node(catalogue)).map((key) => drop(`${key} in the catalogue`, ['catalogue'], key)),
  ({ identities }) => {
    const names = Object.keys(Array.isArray(identities) ? {} : node(identities));
    return names.length > 1 ? [put('default_identity', names.at(-1))] : [];
  },
  ({ identities }) =>
    Object.entries(Array.isArray(identities) ? {} : node(identities))
      .filter(([, value]) => typeof value === 'string')
      .slice(0, 1)
      .map(([value]) => ({
        name: `another size of ${value}`,
        apply: (whole) => set(node(whole.identities), value, '7x7'),
      })),
  ({ order }) =>
    Array.isArray(order)
      ? [
          put('order', [
            String(order[0]).startsWith('-') ? String(order[0]).slice(1) : `-${order[0]}`,
            ...order.slice(1),
          ]),
        ]
      : [],
  ({ upload }) =>
    upload === undefined ? [] : [{ name: 'another part', apply: (whole) => set(node(whole.upload), 'part', 'other') }],
  ({ upload }) => (node(upload).uses === undefined ? [] : [drop('list of uses', ['upload'], 'uses')]),
  ({ old_names }) => (old_names === undefined ? [] : [{ name: 'old_names', apply: (whole) => delete whole.old_names }]),
  ({ unique }) => (Array.isArray(unique) ? [{ name: 'unique', apply: (whole) => delete whole.unique }] : []),
  ({ unique, fields }) =>
    Array.isArray(unique) ? unique.flatMap((_set, at) => conditionSlips(unique, at, fields)) : [],
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

/** Changes a conditional unique set: removes the condition, or adds a field. */
function conditionSlips(sets: readonly unknown[], at: number, all: unknown): readonly Slip[] {
  const { fields, where } = node(sets[at]);
  if (!Array.isArray(fields)) return [];
  const other = Object.keys(node(all)).find((name) => !fields.includes(name));
  return [fields, { fields: [...fields, other], where }].map((one) =>
    put(
      'unique',
      sets.map((set, index) => (index === at ? one : set)),
    ),
  );
}

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

function clauseText(clause: unknown): string {
  return typeof clause === 'string' ? clause : String(node(clause).member ?? JSON.stringify(clause));
}
