// Turns the sketch of a resource into its definition and its table, as the generator would write them.
import type {
  Access,
  AnyDefinition,
  Input,
  Reference,
  Row,
  Scalar,
  StorageType,
  WriteContext,
} from '../../runtime/contract/definition.js';
import type { Check, Column, Schema } from '../../runtime/schema/schema.js';
import { versionColumn } from '../../runtime/schema/version.js';

type ColumnSketch = Partial<Column> & { name: string; storage?: StorageType };
export interface Sketch extends Partial<Omit<AnyDefinition, 'references' | 'access' | 'columns' | 'properties'>> {
  name: string;
  columns: readonly ColumnSketch[];
  references?: readonly (Pick<Reference, 'column' | 'to'> & Partial<Reference>)[];
  access?: Partial<Access>;
  /** All columns by default. */
  properties?: AnyDefinition['properties'];
  /** Values of columns at a create, besides the parameters. */
  fill?: (input: Input, context: WriteContext) => Row;
}

export const ID: ColumnSketch = { name: 'id' };
export const NAME: ColumnSketch = { name: 'name', check: { rule: 'length', min: 1, max: 20 } };
export const YES_NO: Check = { rule: 'one_of', values: [0, 1] };
const accept = Object.assign(() => true, { errors: null });

export function define(sketch: Sketch): AnyDefinition {
  const names = sketch.columns.map(({ name }) => name);
  const sent = names.filter((name) => name !== 'id');
  return {
    plural: `${sketch.name}s`,
    title: sketch.name,
    principal: false,
    upload: null,
    servedBy: null,
    operations: { create: 'session', fetch: 'anyone', update: 'session', delete: 'session' },
    routes: [],
    parameters: Object.fromEntries(sent.map((name) => [name, { kind: 'text' }])),
    synonyms: {},
    ignored: [],
    validate: { create: accept, update: accept },
    lists: [],
    order: [],
    sortable: [],
    filters: [],
    ranges: [],
    options: {},
    uniques: [],
    brief: [],
    actions: {},
    lifecycle: [],
    handlers: {
      create: (input, context) => ({ ...rowOf(sent, input), ...sketch.fill?.(input, context), id: context.id }),
      update: (row, input) => ({
        ...row,
        ...rowOf(
          sent.filter((name) => input[name] !== undefined),
          input,
        ),
      }),
    },
    ...sketch,
    references: (sketch.references ?? []).map((reference) => ({
      relation: reference.column.replace(/_id$/, ''),
      required: false,
      need: 'edit',
      onDelete: 'cascade',
      related: true,
      ...reference,
    })),
    access: { read: [{ anyone: true }], edit: [], rights: {}, hidden: false, ...sketch.access },
    columns: Object.fromEntries(
      sketch.columns.map(({ name, type = 'text', storage = type }) => [name, { type: storage }]),
    ),
    properties:
      sketch.properties ?? Object.fromEntries(names.map((name) => [name, { kind: 'column', column: name } as const])),
  };
}

function rowOf(columns: readonly string[], input: Input): Row {
  return Object.fromEntries(columns.map((column) => [column, (input[column] ?? null) as Scalar]));
}

export function schemaOf(sketches: readonly Sketch[]): Schema {
  return {
    revision: 100,
    tables: sketches.map(({ name, columns, references = [], uniques = [] }, at) => ({
      number: at + 1,
      name,
      columns: [
        ...columns.map(({ storage: _, ...column }) => {
          const reference = references.find((reference) => reference.column === column.name);
          return {
            number: 1,
            type: 'text',
            nullable: false,
            default: null,
            check: null,
            references: reference
              ? {
                  table: reference.to,
                  onDelete: reference.onDelete ?? 'cascade',
                  inside: Boolean(reference.place ?? reference.inside),
                  ...(reference.makes && { made: true }),
                }
              : null,
            ...column,
          } as Column;
        }),
        versionColumn(2),
      ],
      uniques,
      indexes: [],
    })),
  };
}
