// A resource as the operators' pages show it: its operations, the names and descriptions of its fields, and its values.

import type { Author, OperatorChange } from '../../contract/audit.js';
import type { AnyDefinition, Input } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
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
  /** What the API document says about the parameters of a resource. */
  parametersOf(definition: AnyDefinition, operation: 'create' | 'update'): Readonly<Record<string, FieldDescription>>;
}

export interface FieldDescription {
  readonly description?: string;
  readonly maxLength?: number;
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
    readonly schemas?: Readonly<Record<string, { readonly properties?: Readonly<Record<string, FieldDescription>> }>>;
  };
}

export function createResources({ definitions, operations, modules, document }: ResourcesContext): Resources {
  const api = memoize((_: 'api') => JSON.parse(document()) as ApiDocument);
  return {
    definitions,
    find: (name) => definitions.find((one) => one.name === name),
    operationsOf: ({ servedBy }) => (servedBy === null ? operations : { ...operations, ...modules[servedBy] }),
    parametersOf: ({ name }, operation) => api('api').components?.schemas?.[`${name}_${operation}`]?.properties ?? {},
  };
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
export function nameOf({ properties, columns, references, options }: AnyDefinition, record: ShownRecord): string {
  const isText = (name: string): boolean => {
    const property = properties[name];
    const isPlain = property?.kind === 'column' && columns[property.column]?.type === 'text' && !(name in options);
    return isPlain && name !== 'id' && !references.some(({ column }) => column === name);
  };
  const names = Object.keys(properties).filter(isText);
  const value = record[names.find((name) => name === 'name') ?? names[0] ?? 'id'];
  return typeof value === 'string' && value !== '' ? value : String(record.id ?? '');
}

/** What the record of a call is called; its id, if the caller may not read it, or it is gone. */
export async function nameOfCalled({ operationsOf }: Resources, call: Call): Promise<string> {
  const { definition, id } = call;
  try {
    return nameOf(definition, JSON.parse((await operationsOf(definition).fetch(call)).body) as ShownRecord);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return id;
    throw thrown;
  }
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
