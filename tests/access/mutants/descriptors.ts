// Mutants of the descriptors: every access clause in every file weakened or dropped, one at a time. Text in, text out.
import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Source } from '../../../generator/generate.js';
import type { Mutant } from './mutant.js';

export interface DescriptorMutant extends Mutant {
  readonly source: Source;
}

type Node = Record<string, unknown>;
/** A way to weaken one file: what it is called, and the change to a copy of the parsed file. */
interface Weakening {
  readonly name: string;
  readonly apply: (file: Node) => void;
}

/** Every mutant of a spec. */
export function descriptorMutants(source: Source): readonly DescriptorMutant[] {
  const conventions = source.files.flatMap(({ path, text }) =>
    path.endsWith('conventions.yaml') ? Object.entries(node(node(parse(text)).conventions)) : [],
  );
  const descriptors = source.files.filter(({ path }) => !path.endsWith('events.yaml'));
  return descriptors.flatMap(({ path, text }) => {
    const file = basename(path, '.yaml');
    const found = path.includes('/resources/')
      ? [...weakenings(node(parse(text)), (whole) => whole), ...inherited(node(parse(text)), new Map(conventions))]
      : conventions.flatMap(([name, convention]) =>
          weakenings(node(convention), (whole) => node(node(whole.conventions)[name])).map((one) => ({
            ...one,
            name: `${name}: ${one.name}`,
          })),
        );
    return found.map(({ name, apply }) => {
      const copy = node(parse(text));
      apply(copy);
      const files = source.files.map((one) => (one.path === path ? { path, text: stringify(copy) } : one));
      return { name: `${file}: ${name}`, source: { ...source, files }, ...equivalence(`${file}: ${name}`) };
    });
  });
}

type Within = (whole: Node) => Node;

function weakenings(stated: Node, within: Within): readonly Weakening[] {
  return [
    ...Object.entries(node(stated.fields)).flatMap(([name, field]) => ofField(name, node(field), within)),
    ...ofAccess(node(stated.access), within),
    ...Object.entries(node(stated.operations)).flatMap(([operation, policy]) =>
      policy === true || typeof policy === 'object'
        ? []
        : [
            {
              name: `${operation} for everybody`,
              apply: (whole: Node) => set(within(whole), 'operations', operation, true),
            },
          ],
    ),
    ...Object.keys(node(stated.actions)).map((action) => ({
      name: `${action} by everybody`,
      apply: (whole: Node) => {
        set(within(whole), 'access', 'everybody', 'anyone');
        set(node(within(whole).actions), action, 'by', 'everybody');
      },
    })),
  ];
}

const IMAGES = ['image', 'file'];

function ofField(name: string, field: Node, within: Within): readonly Weakening[] {
  const change = (what: string, key: string, value: unknown): Weakening => ({
    name: `${name} ${what}`,
    apply: (whole) => set(node(within(whole).fields), name, key, value),
  });
  const reference = field.kind === 'reference';
  return [
    ...(reference && field.need !== 'exists' ? [change('needs existence only', 'need', 'exists')] : []),
    ...(field.place ? [change('without place', 'place', undefined)] : []),
    ...(field.inside ? [change('without inside', 'inside', undefined)] : []),
    // An image is for editors unless it says otherwise.
    ...(field.view !== undefined || IMAGES.includes(String(field.kind))
      ? [change('seen by anyone', 'view', 'anyone')]
      : []),
    ...(field.set === 'admin' ? [change('set by anyone', 'set', undefined)] : []),
  ];
}

function ofAccess(access: Node, within: Within): readonly Weakening[] {
  const change = (name: string, right: string, value: unknown): Weakening => ({
    name,
    apply: (whole) => set(within(whole), 'access', right, value),
  });
  return Object.entries(access).flatMap(([right, clauses]) => {
    if (right === 'hidden') return [change('not hidden', 'hidden', undefined)];
    if (!Array.isArray(clauses)) return [];
    const list = clauses as readonly unknown[];
    const dropped = list.map((clause, at) =>
      change(
        `${right} without ${said(clause)}`,
        right,
        list.filter((_, index) => index !== at),
      ),
    );
    const unconditional = list.flatMap((clause, at) => {
      const { where, ...rest } = node(clause);
      if (where === undefined) return [];
      return [
        change(
          `${right} by ${said(clause)} without where`,
          right,
          list.map((one, index) => (index === at ? rest : one)),
        ),
      ];
    });
    return [change(`${right} by anyone`, right, 'anyone'), ...dropped, ...unconditional];
  });
}

/** What a resource has from its convention, weakened in that resource alone. */
function inherited(own: Node, conventions: ReadonlyMap<string, unknown>): readonly Weakening[] {
  const convention = node(conventions.get(String(own.extends)));
  const fields = Object.entries(node(convention.fields)).flatMap(([name, field]) => {
    const stated = node(node(own.fields)[name]);
    const merged = { ...node(field), ...stated };
    if (merged.kind !== 'reference') return [];
    const change = (what: string, key: string, value: unknown): readonly Weakening[] =>
      stated[key] !== undefined
        ? []
        : [
            {
              name: `own ${name} ${what}`,
              apply: (file) => {
                file.fields = { ...node(file.fields), [name]: { ...node(node(file.fields)[name]), [key]: value } };
              },
            },
          ];
    return [
      ...change('needs existence only', 'need', 'exists'),
      ...(merged.place ? change('without place', 'place', false) : []),
    ];
  });
  const rights = Object.entries(node(convention.access)).flatMap(([right, clauses]) =>
    clauses === 'anyone' || node(own.access)[right] !== undefined
      ? []
      : [{ name: `own ${right} by anyone`, apply: (file: Node) => set(file, 'access', right, 'anyone') }],
  );
  return [...fields, ...rights];
}

/** Sets `at[key][name]`; undefined: takes it away. */
function set(at: Node, key: string, name: string, value: unknown): void {
  const inner = { ...node(at[key]) };
  if (value === undefined) delete inner[name];
  else inner[name] = value;
  at[key] = inner;
}

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

function said(clause: unknown): string {
  return typeof clause === 'string' ? clause : String(node(clause).member);
}

/** Mutants that nobody can tell from the project, and why. */
const EQUIVALENT: Readonly<Record<string, string>> = {
  'receipt: edit by anyone':
    'a receipt offers no update and no deletion, shows editors nothing more, and is no reference',
  'webhook: api_key needs existence only': 'the module asks whose key it is as well',
  'webhook: own user needs existence only': 'the user is read only: there is no parameter for it',
};

function equivalence(name: string): { equivalent?: string } {
  const reason = EQUIVALENT[name];
  return reason === undefined ? {} : { equivalent: reason };
}
