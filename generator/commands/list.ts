// `punchboard list`: prints the resources, or the fields of one, as a table.

import { suggest } from '../diagnostics/suggest.js';
import type { RawClause, RawField, RawResource, RawSpec } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import { kindOf, viewerOf } from '../model/kinds/kinds.js';
import { finish, type Register, type Result, withSpec } from './command.js';
import { withSpecOption } from './project.js';

export const registerList: Register = (program, io) => {
  withSpecOption(
    program
      .command('list')
      .description('show the resources, or the fields of one, as a table')
      .argument('[resource]', 'name of a resource'),
  )
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 there is no such resource, or mistakes in the descriptors; 2 wrong usage.',
    )
    .action((resource: string | undefined, { spec: folder }: { spec: string }) =>
      finish(
        withSpec(folder, ({ spec }) => list(spec, resource)),
        io,
      ),
    );
};

/** All resources, or one with its fields. Code 1: there is no such resource. */
export function list(spec: RawSpec, name: string | undefined): Result {
  if (name === undefined) return { code: 0, stdout: table(RESOURCES, spec.resources), stderr: '' };
  const match = spec.resources.find(({ resource }) => resource === name);
  if (match !== undefined) return { code: 0, stdout: describe(match), stderr: '' };
  const near = suggest(
    name,
    spec.resources.map(({ resource }) => resource),
  );
  const hint = near === null ? '' : `; did you mean "${near}"?`;
  return { code: 1, stdout: '', stderr: `There is no resource "${name}"${hint}\n` };
}

type Columns<T> = Readonly<Record<string, (item: T) => string>>;

const RESOURCES: Columns<RawResource> = {
  RESOURCE: ({ resource }) => resource,
  TITLE: ({ title }) => title,
  FIELDS: ({ fields }) => String(fields.size),
  READ: ({ access }) => clauses(access.rights.get('read') ?? ['anyone']),
  EDIT: ({ access }) => clauses(access.rights.get('edit') ?? []),
  OPERATIONS: operations,
};

type NamedField = readonly [name: string, field: RawField];

const FIELDS: Columns<NamedField> = {
  FIELD: ([name]) => name,
  KIND: ([, field]) => (field.to === undefined ? field.kind : `${field.kind} to ${field.to}`),
  RULES: ([, field]) => rules(field),
  DEFAULT: ([, field]) => (field.default !== undefined ? JSON.stringify(field.default).replace(/^"|"$/g, '') : '-'),
  'SEEN BY': ([, field]) => viewerOf(field),
};

function describe(resource: RawResource): string {
  const { fields, access, summary, source, title } = resource;
  const rights = [...access.rights].map(([right, words]) => `${right}: ${clauses(words)}\n`).join('');
  const head = `${title}: ${summary}\n${source}\n`;
  return `${head}\n${table(FIELDS, [...fields])}\n${rights}operations: ${operations(resource)}\n`;
}

/** Clauses as the descriptor writes them, a `member` clause by its resource; `-` if only administrators have the right. */
function clauses(words: readonly RawClause[]): string {
  return words.map(clauseText).join(', ') || '-';
}

function clauseText(clause: RawClause): string {
  if (typeof clause === 'string') return clause;
  return 'member' in clause ? clause.member : `${clause.right} of ${clause.of}`;
}

const OPERATIONS = ['create', 'fetch', 'update', 'delete'] as const;

/** The operations offered, with their callers if the descriptor names them; then the actions. */
function operations({ operations: stated, actions }: RawResource): string {
  const offered = OPERATIONS.flatMap((name) => {
    const callers = stated?.[name] ?? true;
    if (callers === false) return [];
    return typeof callers === 'string' ? [`${name} (${callers})`] : [name];
  });
  return [...offered, ...actions.keys()].join(', ') || '-';
}

function derived(field: RawField): string {
  const aggregate = aggregateOf(field);
  return field.copy ?? (aggregate === null ? 'text' : `${aggregate.key} of ${field[aggregate.key]}`);
}

function rules(field: RawField): string {
  if (kindOf(field).derived) return derived(field);
  const limits = field.min !== undefined || field.max !== undefined ? limit(field) : '';
  const values = field.values !== undefined ? `${field.values.length} values` : '';
  const set = field.from ?? (field.read_only === true ? 'read only' : '');
  return (
    [field.required === true ? 'required' : '', limits, values, set].filter((part) => part !== '').join(', ') || '-'
  );
}

function limit({ min, max }: { min?: number; max?: number }): string {
  return `${min ?? ''}..${max ?? ''}`;
}

function table<T>(columns: Columns<T>, items: readonly T[]): string {
  const lines = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((cell) => cell(item)))];
  const widths = Object.keys(columns).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
