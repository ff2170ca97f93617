// Reads spec/ as plain YAML and spells out what a descriptor means on the wire. Knows nothing of the generator.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Field, FieldType } from './table.js';

/** A node of YAML. */
export type Node = { readonly [key: string]: unknown };

export const SPEC = path.join(__dirname, '..', '..', '..', 'spec');

const parsed = new Map<string, Node>();

/** Parsed `spec/<file>`; read once. */
export function yaml(file: string): Node {
  const known = parsed.get(file);
  if (known) return known;
  const read = parse(readFileSync(path.join(SPEC, file), 'utf8')) as Node;
  parsed.set(file, read);
  return read;
}

/** Names of the descriptors, sorted. */
export function descriptorNames(): readonly string[] {
  return readdirSync(path.join(SPEC, 'resources'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'))
    .sort();
}

/** A descriptor over its convention, both as written. */
export function descriptor(name: string): Node {
  const own = yaml(`resources/${name}.yaml`);
  const conventions = node(yaml('conventions.yaml').conventions);
  const names = { resource: name, plural: pluralOf(name) };
  return { ...names, ...merged(typeof own.extends === 'string' ? node(conventions[own.extends]) : {}, own) };
}

/** `boxtops`, `twosidedboxes`: of a resource, and of an identity in lower case. */
export function pluralOf(name: string): string {
  return `${name}${/(s|x|z|ch|sh)$/.test(name) ? 'es' : 's'}`;
}

/** The identities, which are a list, or the keys of a map. */
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

/** What a table row says of a property, without its notes. */
export type Shown = Omit<Field, 'notes'>;

/** Every property of the record by name, in order, without those that nobody sees. */
export function properties(of: Node): Readonly<Record<string, Shown>> {
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

type Entry = readonly [string, Shown];

function fieldProperties(name: string, field: Node): readonly Entry[] {
  if (field.view === 'nobody') return [];
  const alike = (field.shown_as ?? []) as readonly string[];
  if (field.kind === 'image' || field.kind === 'file') return fileProperties(name, field, alike);
  const shown = field.kind === 'computed' ? computed(name, field) : stored(field);
  const named = field.kind === 'reference' ? `${name}_id` : name;
  return [[named, shown], ...alike.map((other): Entry => [other, { ...shown, readOnly: true }])];
}

function fileProperties(name: string, field: Node, alike: readonly string[]): readonly Entry[] {
  const view = (field.view ?? 'editor') as 'editor';
  const description: Shown = { type: 'description', readOnly: true, view, whenSet: true };
  const proof = field.kind === 'image' && field.proof !== false;
  return [
    [`${name}_id`, { type: 'reference', to: 'file', view }],
    ...(proof ? [[`has_proofed_${name}`, { type: 'boolean', view, default: false }] as const] : []),
    ...[name, ...alike].map((each): Entry => [each, description]),
  ];
}

/** A count is a number; a copy of `set.identity` is an identity; every other copy, and text, is text. */
function computed(name: string, field: Node): Shown {
  if (field.count !== undefined) return { type: 'integer', readOnly: true };
  return { type: name === 'identity' ? 'identity' : 'text', readOnly: true };
}

/** Keys of a descriptor's field that a table row has too; a smallest length of 1 is no limit of its own. */
function stored(field: Node): Shown {
  const kind = field.as === 'bit' ? 'bit' : (field.kind as FieldType);
  const fallback = kind === 'bit' ? Number(field.default) : field.default;
  const copied = typeof fallback === 'string' && /^[a-z]+\.[a-z]+$/.test(fallback);
  const readOnly = field.read_only === true || field.from !== undefined;
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
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as unknown as Shown;
}
