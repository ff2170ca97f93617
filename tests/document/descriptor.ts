// Reads spec/ as plain YAML and derives what a descriptor means on the wire. Independent of the generator.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Field, FieldType } from './table.js';

export type Node = { readonly [key: string]: unknown };

export const SPEC = path.join(__dirname, '..', '..', '..', 'spec');

const parsed = new Map<string, Node>();

/** Parses `spec/<file>`, once. */
export function yaml(file: string): Node {
  const cached = parsed.get(file);
  if (cached) return cached;
  const read = parse(readFileSync(path.join(SPEC, file), 'utf8')) as Node;
  parsed.set(file, read);
  return read;
}

export function descriptorNames(): readonly string[] {
  return readdirSync(path.join(SPEC, 'resources'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'))
    .sort();
}

/** A descriptor merged over its conventions, with the short forms written out. */
export function descriptor(name: string): Node {
  const source = yaml(`resources/${name}.yaml`);
  const conventions = node(yaml('conventions.yaml').conventions);
  const inherited = [source.extends ?? []].flat().map((convention) => node(conventions[String(convention)]));
  const names = { resource: name, plural: pluralOf(name) };
  return writtenOut({ ...names, ...[...inherited, source].reduce(merged, {}) });
}

/** Expands `side{n}` with `times` into fields, replaces `parent`, and gives a reference without `to` its own name as target. */
function writtenOut(of: Node): Node {
  const repeated = Object.entries(node(of.fields)).flatMap(([name, field]) => eachTime(name, node(field)));
  const remaining = Object.entries(repeated.reduce<Node>((all, entry) => merged(all, entry), {})).filter(
    ([, field]) => field !== null,
  );
  const fields = remaining.map(([name, field]) => [name, reference(name, node(field))] as const);
  const [parent] = fields.find(([, field]) => field.parent === true) ?? [];
  const access = { read: 'anyone', ...(parent === undefined ? {} : { edit: [parent] }), ...node(of.access) };
  const plain = { ...of, fields: Object.fromEntries(fields), access };
  return parent === undefined ? plain : node(naming(parent, plain));
}

/** Replaces the word `parent`, alone or before a dot, by the name of the reference to the parent. */
function naming(parent: string, value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^parent(?=$|\.)/, parent);
  if (Array.isArray(value)) return value.map((item: unknown) => naming(parent, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, naming(parent, item)]));
}

function eachTime(name: string, field: Node): readonly Node[] {
  if (field.times === undefined) return [{ [name]: Object.keys(field).length === 0 ? null : field }];
  const { times, ...keys } = field;
  return Array.from({ length: Number(times) }, (_, index) => {
    const text = JSON.stringify({ [name]: keys }).replaceAll('{n}', String(index + 1));
    return JSON.parse(text) as Node;
  });
}

/** Expands a token, a text that the service creates and shows once, and the defaults of a reference. */
function reference(name: string, field: Node): Node {
  if (field.kind === 'token') return { ...field, kind: 'text', from: 'token', view: 'created' };
  if (field.kind !== 'reference') return field;
  const parent = { required: true, need: 'edit', on_delete: 'cascade', place: true, list: true };
  return { to: name, ...(field.parent === true ? parent : {}), ...field };
}

/** `boxtops`, `twosidedboxes`: the plural of a resource, or of an identity in lower case. */
export function pluralOf(name: string): string {
  return `${name}${/(s|x|z|ch|sh)$/.test(name) ? 'es' : 's'}`;
}

/** The identities, given as a list or as the keys of a map. */
export function identitiesOf({ identities }: Node): readonly string[] | null {
  if (identities === undefined) return null;
  return Array.isArray(identities) ? (identities as readonly string[]) : Object.keys(node(identities));
}

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

function merged(base: Node, own: Node): Node {
  const both = Object.entries(own).map(([key, value]) => {
    const under = base[key];
    const nests = Object.keys(node(under)).length > 0 && Object.keys(node(value)).length > 0;
    return [key, nests ? merged(node(under), node(value)) : value] as const;
  });
  return { ...base, ...Object.fromEntries(both) };
}

/** The content of a table row without its notes. */
export type DescribedField = Omit<Field, 'notes'>;

/** The visible properties of the record by name, in order. */
export function properties(of: Node): Readonly<Record<string, DescribedField>> {
  const identity = of.identities || node(of.fields).identity ? { identity: { type: 'identity' as const } } : {};
  const names = [...new Set([String(of.type_field ?? 'object_type'), 'object_type'])];
  const constants = names.map((name) => [name, { type: 'constant' as const, readOnly: true as const }] as const);
  const date = { type: 'date' as const, readOnly: true as const };
  const fields = Object.entries(node(of.fields)).flatMap(([name, field]) => fieldProperties(name, node(field)));
  return {
    id: { type: 'id', readOnly: true },
    ...identity,
    ...Object.fromEntries(constants),
    date_created: date,
    date_updated: date,
    ...Object.fromEntries(fields),
  };
}

type Entry = readonly [string, DescribedField];

function fieldProperties(name: string, field: Node): readonly Entry[] {
  if (field.view === 'nobody') return [];
  const alike = (field.shown_as ?? []) as readonly string[];
  if (field.kind === 'image' || field.kind === 'file') return fileProperties(name, field, alike);
  const shown = field.kind === 'computed' ? computed(name, field) : stored(field);
  const named = field.kind === 'reference' ? `${name}_id` : name;
  return [[named, shown], ...alike.map((other): Entry => [other, { ...shown, readOnly: true }])];
}

function fileProperties(name: string, field: Node, alike: readonly string[]): readonly Entry[] {
  const view = field.view === 'anyone' ? {} : { view: (field.view ?? 'editor') as 'editor' };
  const description: DescribedField = { type: 'description', readOnly: true, ...view, whenSet: true };
  const proof = field.kind === 'image' && field.proof !== false;
  return [
    [`${name}_id`, { type: 'reference', to: 'file', ...view }],
    ...(proof ? [[`has_proofed_${name}`, { type: 'boolean', ...view, default: false }] as const] : []),
    ...[name, ...alike].map((each): Entry => [each, description]),
  ];
}

/** A count is a number; a copy of `set.identity` is an identity; every other copy, and every text, is text. */
function computed(name: string, field: Node): DescribedField {
  if (field.count !== undefined) return { type: 'integer', readOnly: true };
  return { type: name === 'identity' ? 'identity' : 'text', readOnly: true };
}

/** The keys of a field that a table row also has; a minimum length of 1 is not a limit of its own. */
function stored(field: Node): DescribedField {
  const kind = field.as === 'bit' ? 'bit' : (field.kind as FieldType);
  const fallback = kind === 'bit' ? Number(field.default) : field.default;
  const copied = typeof fallback === 'object' || (typeof fallback === 'string' && /^[a-z]+\.[a-z]+$/.test(fallback));
  const readOnly = field.read_only === true || field.from !== undefined || field.make !== undefined;
  const row = {
    type: kind,
    readOnly: readOnly ? true : undefined,
    view: field.view === 'anyone' ? undefined : field.view,
    to: field.to,
    min: kind === 'text' ? undefined : field.min,
    max: field.max,
    scale: field.scale,
    values: field.values,
    default: copied ? undefined : fallback,
  };
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  ) as unknown as DescribedField;
}
