// How the columns of a row, and what callers send and see, are written in TypeScript: the types, and the expressions over
// `input`, `row` and `context`.

import type { Reference, StorageType } from '../../runtime/definition.js';
import { EXTENSIBLE } from '../model/kinds/enum.js';
import type { Column, JsonSchema, Parameter, Property, ValueSource } from '../model/model.js';
import { literal, pascalCase, type TypeOrValues } from './typescript.js';

/** Type of the validated value, without null. */
export function parameterType({ schema, structured }: Parameter): TypeOrValues {
  return structured ? 'unknown' : schemaType(schema);
}

/** Type of the value in a record, in the plain profile, without null. */
export function propertyType({ schema, source }: Property, references: readonly Reference[]): TypeOrValues {
  if (source.kind !== 'description') return schemaType(schema);
  return briefType(references.find(({ column }) => column === source.through)?.to ?? '');
}

/** Type of the brief description of a resource. */
export function briefType(resource: string): string {
  return `${pascalCase(resource)}Brief`;
}

const TYPES: Readonly<Record<string, string>> = { string: 'string', integer: 'number', boolean: 'boolean' };

function schemaType(schema: JsonSchema): TypeOrValues {
  const { type, const: constant } = schema;
  const values = listedValues(schema);
  const simple = TYPES[String(type)];
  if (simple === undefined) return 'unknown';
  if (constant !== undefined) return literal(constant);
  return values.length === 0 ? simple : values;
}

/** The values that a schema lists, whether others may follow or not; none if it lists none. */
export function listedValues({ enum: values, [EXTENSIBLE]: open }: JsonSchema): readonly (string | number)[] {
  return (values ?? open ?? []) as readonly (string | number)[];
}

/** Type of the column in the row, without null. */
export function rowType({ storage, check }: Column): TypeOrValues {
  if (check?.rule === 'choice') return check.names.map((one) => one.name);
  return check?.rule === 'one_of' ? check.values : STORED[storage].type;
}

/** The type of each storage type in a row, and the function of the kit that converts the sent value to it. */
const STORED: Readonly<Record<StorageType, { readonly type: string; readonly convert?: string }>> = {
  text: { type: 'string' },
  integer: { type: 'number' },
  boolean: { type: '0 | 1', convert: 'bit' },
  date: { type: 'number', convert: 'epoch' },
  json: { type: 'string', convert: 'jsonText' },
};

/** The value that a create stores. */
export function createCode(column: Column): string {
  const { write } = column;
  if (write.by === 'service') return sourceCode(write.initial);
  if (write.by === 'proof') return `${sentCode(column)} ?? 0`;
  return write.initial === null ? sentCode(column) : `${sentCode(column)} ?? ${sourceCode(write.initial)}`;
}

/** The value after an update. */
export function updateCode(column: Column): string {
  const { name, write } = column;
  const kept = `row.${name}`;
  if (write.by === 'service') return write.update === 'now' ? 'context.now' : kept;
  if (write.by === 'proof') return `proofed(input.${name}, input.${write.image}, row.${write.image}, ${kept})`;
  if (write.initial === null || write.emptied === 'kept') return `${sentCode(column)} ?? ${kept}`;
  return `kept(${sentCode(column)}, ${kept}, ${sourceCode(write.initial)})`;
}

function sentCode({ name, storage }: Column): string {
  const { convert } = STORED[storage];
  return convert === undefined ? `input.${name}` : `${convert}(input.${name})`;
}

function sourceCode(source: ValueSource): string {
  if (source.from === 'literal') return literal(source.value);
  return source.from === 'upload' ? `uploaded(context).${source.what}` : SOURCES[source.from];
}

const SOURCES: Readonly<Record<Exclude<ValueSource['from'], 'literal' | 'upload'>, string>> = {
  id: 'context.id',
  now: 'context.now',
  owner: 'owner(context)',
  random: 'context.random()',
};
