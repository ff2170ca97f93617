// A resource as the operators' pages show it: its operations, the names and descriptions of its fields, and its values.

import type { Author, OperatorChange } from '../../contract/audit.js';
import type { AnyDefinition, Input } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { Call } from '../../operations/call.js';
import type { Operations } from '../../operations/operations.js';
import type { Operator } from './page.js';
import { type Cell, cell, labelOf } from './view.js';

export interface Resources {
  readonly definitions: readonly AnyDefinition[];
  /** Undefined: there is no such resource. */
  find(name: string): AnyDefinition | undefined;
  /** The operations of a resource, with those that its module brings. */
  operationsOf(definition: AnyDefinition): Operations;
  /** What the API document says about the body of a create, an update or an action. */
  bodyOf(definition: AnyDefinition, operation: string): DescribedBody;
}

export interface DescribedBody {
  /** Such as “Mark as shipped”. */
  readonly title: string;
  readonly fields: Readonly<Record<string, FieldDescription>>;
  readonly required: ReadonlySet<string>;
  /** A value of each parameter that has one. */
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface FieldDescription {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ResourcesContext {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  /** The API document as JSON text. */
  document(): string;
}

interface ApiDocument {
  readonly components?: {
    readonly schemas?: Readonly<Record<string, BodySchema>>;
    readonly examples?: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;
  };
}

interface BodySchema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, FieldDescription>>;
  readonly required?: readonly string[];
  /** A parameter with synonyms: one of its names is required, its own first. */
  readonly allOf?: readonly { readonly anyOf?: readonly { readonly required: readonly string[] }[] }[];
}

export function createResources({ definitions, operations, modules, document }: ResourcesContext): Resources {
  const api = memoize((_: 'api') => JSON.parse(document()) as ApiDocument);
  return {
    definitions,
    find: (name) => definitions.find((one) => one.name === name),
    operationsOf: ({ servedBy }) => (servedBy === null ? operations : { ...operations, ...modules[servedBy] }),
    bodyOf: ({ name }, operation) => describedBody(api('api'), name, operation),
  };
}

function describedBody({ components = {} }: ApiDocument, resource: string, operation: string): DescribedBody {
  const { schemas = {}, examples = {} } = components;
  const { title = '', properties = {}, required = [], allOf = [] } = schemas[`${resource}_${operation}`] ?? {};
  const shown = schemas[resource]?.properties ?? {};
  const fields = Object.entries(properties).map(([name, { description = '', ...rest }]) => {
    return [name, { ...rest, description: sharedStart(description, shown[name]?.description ?? description) }];
  });
  const named = allOf.flatMap(({ anyOf = [] }) => anyOf[0]?.required ?? []);
  return {
    title: title.slice(title.indexOf(': ') + 2),
    fields: Object.fromEntries(fields),
    required: new Set([...required, ...named]),
    examples: examples[`${resource}_${operation}_all`]?.value ?? {},
  };
}

/** What a descriptor says about a field; the document adds to it what concerns callers, or readers. */
function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length).trim();
}

/** A record as the operator sees it. */
export type ShownRecord = Readonly<Record<string, unknown>>;

/** A call that an operator makes. @param more what it needs besides */
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

/** Who changes what is no record, for the audit log (D51). */
export function changeOf({ operator, now }: { readonly operator: Operator; readonly now: number }): OperatorChange {
  return { author: authorOf(operator), now };
}

function authorOf({ caller, name }: Operator): Author {
  return { user: caller.user, name };
}

/** What a record is called: the first text that it shows, or else its id. */
export function nameOf(definition: AnyDefinition, record: ShownRecord): string {
  const value = record[nameProperty(definition) ?? 'id'];
  return typeof value === 'string' && value !== '' ? value : String(record.id ?? '');
}

/** Null: it has no text. */
function nameProperty({ properties, columns, references, options }: AnyDefinition): string | null {
  const isText = (name: string): boolean => {
    const property = properties[name];
    const isPlain = property?.kind === 'column' && columns[property.column]?.type === 'text' && !(name in options);
    return isPlain && name !== 'id' && !references.some(({ column }) => column === name);
  };
  const names = Object.keys(properties).filter(isText);
  return names.find((name) => name === 'name') ?? names[0] ?? null;
}

/** Of what a record is called. */
export function nameColumns(definition: AnyDefinition): readonly string[] {
  const property = definition.properties[nameProperty(definition) ?? ''];
  return property?.kind === 'column' ? [property.column] : [];
}

export function pathOf(resource: string, id: string): string {
  return `/console/records/${encodeURIComponent(resource)}/${encodeURIComponent(id)}`;
}

/** A value of a record, by the property that shows it. */
export function valueCell(definition: AnyDefinition, record: ShownRecord, name: string): Cell {
  const value = record[name];
  if (value === null || value === undefined || value === '') return cell('–');
  if (typeof value === 'boolean') return cell(value ? 'yes' : 'no');
  if (typeof value === 'number') return cell(String(value));
  if (typeof value === 'object') return objectCell(value as ShownRecord);
  const text = String(value);
  const reference = definition.references.find(({ column }) => column === name);
  if (reference === undefined) return cell(text, { code: name === 'id', long: text.includes('\n') });
  const target = record[reference.relation] as ShownRecord | undefined;
  const label = typeof target === 'object' && target !== null ? shortName(target) : text;
  return cell(label, { href: pathOf(reference.to, text), code: label === text, image: imageIn(target) });
}

/** The picture, if it is the description of an image (D25). */
function objectCell(value: ShownRecord): Cell {
  const image = imageIn(value);
  if (image !== null) return cell(`${shortName(value)}, ${value.image_width} × ${value.image_height}`, { image });
  return cell(JSON.stringify(value, null, 2), { long: true });
}

export function imageIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { file_uri: uri, image_width: width } = value as ShownRecord;
  return typeof uri === 'string' && uri.startsWith('/') && typeof width === 'number' ? uri : null;
}

function shortName(record: ShownRecord): string {
  return String(record.name ?? record.username ?? record.id ?? '');
}

/** What a value is called; of a flag and a reference without what its name repeats. */
export function propertyLabel(name: string): string {
  return name === 'id' ? 'Id' : labelOf(name);
}
