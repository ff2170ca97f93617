// Compares a record that the service showed with the tables: its properties, their forms, their values.

import { brief, sources } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import type { DocumentedTable, Field, FieldType, RecordName } from '../document/table.js';
import type { SentParameters } from './world.js';

export interface ExpectedRecord {
  /** `editor` may edit the record; `anyone` may only read it. */
  readonly viewer: 'editor' | 'anyone';
  /** The parameters with which it was created, by their own names. */
  readonly sent: SentParameters;
  readonly wire?: 'plain' | 'wing';
}

type Wire = 'plain' | 'wing';
const DATES: Readonly<Record<Wire, RegExp>> = {
  plain: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  wing: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
};
const text = (value: unknown): boolean => typeof value === 'string';

/** Whether a value has the form of its type (D05, D06). */
const FORMS: Readonly<Record<FieldType, (value: unknown, wire: Wire) => boolean>> = {
  id: (value) => typeof value === 'string' && value.length > 2,
  identity: text,
  constant: text,
  date: (value, wire) => typeof value === 'string' && DATES[wire].test(value),
  text,
  integer: Number.isInteger,
  decimal: (value) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value),
  boolean: (value, wire) => (wire === 'plain' ? typeof value === 'boolean' : value === 0 || value === 1),
  bit: (value) => value === 0 || value === 1,
  enum: text,
  url: text,
  json: (value) => typeof value === 'object',
  password: () => false,
  reference: text,
  description: (value) => sameNames(Object.keys(value as object), brief),
};

/** The mistakes in the record, one line each; empty if there are none. `table`: by default the resource's own. */
export function problems(
  resource: RecordName,
  shown: SentParameters,
  { viewer, sent, wire = 'plain' }: ExpectedRecord,
  table: DocumentedTable = records[resource],
): readonly string[] {
  const fields = Object.entries(table.fields).filter(([name, field]) => visible([name, field], { viewer, sent, wire }));
  const names = [...fields.map(([name]) => name), ...extras({ viewer, wire })];
  const missing = names.filter((name) => !Object.hasOwn(shown, name)).map((name) => `${name} is missing`);
  const surplus = Object.keys(shown).filter((name) => !names.includes(name));
  const wrong = fields.flatMap(([name, field]) => {
    const value = shown[name];
    if (value === undefined) return [];
    const expected = expectedValue(resource, [name, field], { sent, wire, table });
    if (value === null && expected === null) return [];
    if (value === null || !FORMS[field.type](value, wire)) return [`${name} has the wrong form: ${valueText(value)}`];
    return expected === ANY || value === expected ? [] : [`${name} is ${valueText(value)}, not ${valueText(expected)}`];
  });
  return [...missing, ...surplus.map((name) => `${name} is not documented`), ...wrong];
}

/** The additional properties in wing (D07); callers who may only read have no session here. */
function extras({ viewer, wire }: Pick<ExpectedRecord, 'viewer' | 'wire'>): readonly string[] {
  if (wire !== 'wing') return [];
  return viewer === 'editor' ? ['object_name', 'can_view', 'can_edit'] : ['object_name'];
}

function visible([name, field]: readonly [string, Field], { viewer, sent }: ExpectedRecord): boolean {
  if (field.type === 'password' || field.view === 'created') return false;
  if (field.view !== undefined && viewer === 'anyone') return false;
  return field.whenSet === undefined || typeof sent[describes(name)] === 'string';
}

/** The parameter with the id of the described file; a download's `part` describes its file (D31). */
function describes(name: string): string {
  return name === 'part' ? 'file_id' : `${name}_id`;
}

const ANY = Symbol('any value of the form');

function expectedValue(
  resource: RecordName,
  [name, field]: readonly [string, Field],
  { sent, wire, table }: { readonly sent: SentParameters; readonly wire: Wire; readonly table: DocumentedTable },
): unknown {
  const parameter = parameters[resource].synonyms[name] ?? name;
  if (sent[parameter] !== undefined) return profiled(sent[parameter], field, wire);
  if (field.type === 'constant') return table.constant;
  if (field.type === 'identity' && field.readOnly === undefined) return table.defaultIdentity;
  if (field.default !== undefined) return profiled(field.default, field, wire);
  if (field.readOnly !== undefined || sources[`${resource}.${name.replace(/_id$/, '')}`] !== undefined) return ANY;
  return null;
}

function profiled(value: unknown, { type }: Field, wire: Wire): unknown {
  return type === 'boolean' && wire === 'wing' ? Number(value) : value;
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return [...some].sort().join() === [...others].sort().join();
}

function valueText(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
