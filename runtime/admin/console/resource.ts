// A resource as the operators' pages show it: its operations, the names and descriptions of its fields, and its values.

import type { Author, OperatorChange } from '../../contract/audit.js';
import type { AnyDefinition, Input } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { memoize } from '../../contract/memoize.js';
import type { Call } from '../../operations/call.js';
import type { Operations } from '../../operations/operations.js';
import { type ApiDocument, follow, type Schema } from '../../pages/docs/document.js';
import type { Records } from '../../store/records.js';
import type { FieldDescription } from './limits.js';
import { createNames, type NameLookup, type Names, referenceOf } from './names.js';
import type { Operator } from './page.js';
import { type Cell, cell, labelOf, timeCell } from './view.js';
import { choiceTitle, nameProperty, pluralTitle } from './wording.js';

export interface Resources {
  readonly definitions: readonly AnyDefinition[];
  /** Undefined: there is no such resource. */
  find(name: string): AnyDefinition | undefined;
  /** The operations of a resource, including those of its module. */
  operationsOf(definition: AnyDefinition): Operations;
  /** The body of a create, an update or an action in the API document. */
  bodyOf(definition: AnyDefinition, operation: string): DescribedBody;
  /** The groups of the API document. */
  groups(): readonly ResourceGroup[];
  /** The names of records. */
  readonly names: Names;
}

/** The resources, and the methods of their store that pages also use. */
export interface RecordSource<Name extends keyof Records> {
  readonly resources: Resources;
  readonly store: Pick<Records, Name>;
}

export interface DescribedBody {
  /** Such as “Mark as shipped”. */
  readonly title: string;
  readonly fields: Readonly<Record<string, FieldDescription>>;
  readonly required: ReadonlySet<string>;
  /** A value of each parameter that has one. */
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface ResourceGroup {
  readonly name: string;
  readonly definitions: readonly AnyDefinition[];
}

export interface ResourcesContext {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  readonly store: Pick<Records, 'texts'>;
  /** The API document as JSON text. */
  document(): string;
}

export function createResources({ definitions, operations, modules, store, document }: ResourcesContext): Resources {
  const api = memoize((_: 'api') => JSON.parse(document()) as ApiDocument);
  const find = (name: string): AnyDefinition | undefined => definitions.find((one) => one.name === name);
  const groups = memoize((_: 'all') => groupsOf(definitions, api('api')));
  return {
    definitions,
    find,
    operationsOf: ({ servedBy }) => (servedBy === null ? operations : { ...operations, ...modules[servedBy] }),
    bodyOf: ({ name }, operation) => describedBody(api('api'), name, operation),
    groups: () => groups('all'),
    names: createNames({ find, store }),
  };
}

/** Throws not_found if there is none. */
export function resourceNamed({ find }: Pick<Resources, 'find'>, type: string): AnyDefinition {
  const definition = find(type);
  if (definition === undefined) throw new ServiceError('not_found', 'There is no such resource.');
  return definition;
}

/** The resources of each group in the order of their titles. */
function groupsOf(definitions: readonly AnyDefinition[], api: ApiDocument): readonly ResourceGroup[] {
  return api['x-tagGroups'].flatMap(({ name, tags }) => {
    const members = definitions.filter((one) => tags.includes(one.name));
    const sorted = members.toSorted((one, other) => pluralTitle(one).localeCompare(pluralTitle(other), 'en'));
    return members.length === 0 ? [] : [{ name, definitions: sorted }];
  });
}

function describedBody(api: ApiDocument, resource: string, operation: string): DescribedBody {
  const component = <T>(kind: string, name: string) =>
    follow<T | undefined>(api, { $ref: `#/components/${kind}/${name}` });
  const described = (schema: Schema = {}) => (schema.properties ?? {}) as Readonly<Record<string, FieldDescription>>;
  const body = component<Schema>('schemas', `${resource}_${operation}`);
  const { title = '', required = [], allOf = [] } = body ?? {};
  const shown = described(component('schemas', resource));
  const fields = Object.entries(described(body)).map(([name, { description = '', ...rest }]) => {
    return [name, { ...rest, description: sharedStart(description, shown[name]?.description ?? description) }];
  });
  // If a parameter has synonyms, one of its names is required; its own name comes first.
  const named = (allOf as readonly Schema[]).flatMap(({ anyOf = [] }) => (anyOf[0] as Schema)?.required ?? []);
  return {
    title: title.slice(title.indexOf(': ') + 2),
    fields: Object.fromEntries(fields),
    required: new Set([...required, ...named]),
    examples: component<{ value: DescribedBody['examples'] }>('examples', `${resource}_${operation}_all`)?.value ?? {},
  };
}

/** The descriptor's description of a field, to which the document adds other sentences for writers than for readers. */
function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length).trim();
}

/** A record as the operator sees it. */
export type ShownRecord = Readonly<Record<string, unknown>>;

/** A call that an operator makes. @param more its further properties */
export function callOf(
  definition: AnyDefinition,
  { operator, now }: { readonly operator: Operator; readonly now: number },
  more: Partial<Omit<Call, 'parameters'>> & { readonly parameters?: Input } = {},
): Call {
  return {
    definition,
    id: '',
    name: '',
    parameters: {},
    upload: null,
    caller: { ...operator.caller, author: authorOf(operator) },
    now,
    ...more,
  };
}

/** The author and time of a change that no operation of the API makes, for the audit log (D51). */
export function changeOf({ operator, now }: { readonly operator: Operator; readonly now: number }): OperatorChange {
  return { author: authorOf(operator), now };
}

function authorOf({ caller, name }: Operator): Author {
  return { user: caller.user, name };
}

/** The name of a record; its id, if it has none. */
export function nameOf(definition: AnyDefinition, record: ShownRecord): string {
  const value = record[nameProperty(definition) ?? 'id'];
  return typeof value === 'string' && value !== '' ? value : String(record.id ?? '');
}

/** The record of a call. Throws the refusal of the operation. */
export async function readRecord({ operationsOf }: Pick<Resources, 'operationsOf'>, call: Call): Promise<ShownRecord> {
  return JSON.parse((await operationsOf(call.definition).fetch(call)).body);
}

export function pathOf(resource: string, id: string): string {
  return `/console/records/${encodeURIComponent(resource)}/${encodeURIComponent(id)}`;
}

/** The page of a user among the users, not among the records. */
export function userPath(id: string): string {
  return `/console/users/${encodeURIComponent(id)}`;
}

/** Whether records of the resource decide who may log in: changing them requires the password (D65). */
export function decidesLogin({ principal, token }: AnyDefinition): boolean {
  return principal || token !== undefined;
}

/** A link to a record by its name. */
export function nameCell(names: NameLookup, resource: string, id: string, more: Partial<Cell> = {}): Cell {
  const name = names(resource, id);
  return cell(name ?? id, { href: pathOf(resource, id), code: name === null, ...more });
}

/** A value of a record, by the property that shows it: as the API shows it, or as it is stored. */
export function valueCell(definition: AnyDefinition, record: ShownRecord, name: string, names: NameLookup): Cell {
  const value = record[name];
  if (value === null || value === undefined || value === '') return cell('–');
  const property = definition.properties[name];
  const type = propertyType(definition, name);
  if (type === 'boolean' || typeof value === 'boolean') return cell([true, 1].includes(value as number) ? 'yes' : 'no');
  if (type === 'date') return timeCell(typeof value === 'number' ? value : momentOf(String(value)));
  if (typeof value === 'number') return cell(value.toLocaleString('en'));
  if (typeof value === 'object') return objectCell(value, names);
  const text = String(value);
  if (type === 'json') return objectCell(JSON.parse(text), names);
  const to = referenceOf(definition, record, name);
  if (to !== null) return nameCell(names, to, text, { image: imageIn(record[name.replace(/_id$/, '')]) });
  const isFile = definition.upload !== null && property?.kind === 'template' && text.startsWith('/files/');
  if (isFile) return cell('Open the file', { href: text, image: imageIn(record) });
  if (definition.options[name] !== undefined) return cell(choiceTitle(definition, name, text));
  return cell(text, { code: name === 'id', long: text.includes('\n') });
}

/** A date of any wire profile. */
function momentOf(text: string): number {
  return Date.parse(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);
}

/** How the value of a property is stored; null: it is not the value of a column. */
function propertyType({ properties, columns }: AnyDefinition, name: string): string | null {
  const property = properties[name];
  if (property?.kind === 'bit') return 'boolean';
  if (property?.kind === 'latest') return 'date';
  return property?.kind === 'column' ? (columns[property.column]?.type ?? null) : null;
}

/** The picture, if the value describes an image (D25); otherwise the value in words, with a line for each item of a list. */
function objectCell(value: object, names: NameLookup): Cell {
  const image = imageIn(value);
  const { name, image_width: width, image_height: height } = value as ShownRecord;
  if (image !== null) return cell(`${name}, ${width} × ${height}`, { image });
  const items = Array.isArray(value) ? value : [value];
  if (items.length === 0) return cell('–');
  if (items.every((item) => typeof item !== 'object')) return cell(items.join(', '));
  const lines = items.map((item) =>
    typeof item === 'object' && item !== null ? wordsOf(item, names) : [cell(String(item))],
  );
  return cell('', { lines });
}

/** `Quantity: 2, Name: Chess`. */
function wordsOf(item: object, names: NameLookup): readonly Cell[] {
  return Object.entries(item).flatMap(([key, value], at) => {
    const label = cell(`${at === 0 ? '' : ', '}${labelOf(key)}: `);
    if (typeof value === 'boolean') return [label, cell(value ? 'yes' : 'no')];
    if (typeof value === 'object') return [label, cell(value === null ? '–' : JSON.stringify(value))];
    const text = String(value);
    if (key.endsWith('_id')) return [label, nameCell(names, key.replace(/_id$/, ''), text)];
    return [label, /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(text) ? timeCell(momentOf(text)) : cell(text)];
  });
}

export function imageIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { file_uri: uri, image_width: width } = value as ShownRecord;
  return typeof uri === 'string' && uri.startsWith('/') && typeof width === 'number' ? uri : null;
}
