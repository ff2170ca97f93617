// The form of a file of spec/versions (D68): its keys, each with the schema and the type of its value.

import type { Operation } from '../../runtime/contract/definition.js';
import type { ValueForm } from '../../runtime/contract/versions.js';
import { fileSchema } from '../form/structure.js';
import { closed, DATE, type Keywords, TEXT } from '../language/keywords.js';
import type { JsonSchema } from '../model/model.js';

/** The schema of a value; that it has the type is stated beside it. */
interface Key<T> {
  readonly schema: Keywords;
  readonly type?: T;
}

type Keys = Readonly<Record<string, Key<unknown>>>;
type Typed<K> = K extends Key<infer T> ? T : never;
type Shaped<K extends Keys, Required extends keyof K> = {
  readonly [N in Required]: Typed<K[N]>;
} & { readonly [N in Exclude<keyof K, Required>]?: Typed<K[N]> };

const key = <T>(schema: Keywords): Key<T> => ({ schema });
const mapOf = <T>(value: Keywords) => key<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: value });
const listOf = <T>(items: Keywords) => key<readonly T[]>({ type: 'array', items });

function schemaOf(keys: Keys, required: readonly string[]): Keywords {
  return closed(Object.fromEntries(Object.entries(keys).map(([name, { schema }]) => [name, schema])), required);
}

const NUMBER: Keywords = { type: 'integer', minimum: 1 };
const NAMES = listOf<string>(TEXT);
const YES = key<true>({ const: true });

const FIELD = {
  /** Number of the column, or what the field is computed from. */
  of: key<number | string>({
    type: ['integer', 'string'],
    title: 'a number of the ledger, or what the field is computed from',
  }),
  /** Absent: the field is both sent and shown. */
  only: key<'sent' | 'shown'>({ enum: ['sent', 'shown'] }),
  form: key<ValueForm>({ enum: ['string', 'number', 'flag', 'bit', 'date-time', 'full-date'] }),
  schema: key<JsonSchema>({ type: 'object' }),
  /** The numbers of its choices. */
  values: mapOf<number>(NUMBER),
  default: key<unknown>({}),
  required: YES,
  nullable: YES,
  view: key<string>(TEXT),
  when_set: YES,
  synonyms: NAMES,
};
export type ShapeField = Shaped<typeof FIELD, 'of'>;

const LIST = {
  /** Number of the resource that has the list below its records. */
  on: key<number>(NUMBER),
  name: key<string>(TEXT),
  /** Number of its reference. */
  by: key<number>(NUMBER),
  through: key<number>(NUMBER),
  /** Values by the number of their column; a choice is its number. */
  where: mapOf<string | number | null>({ type: ['string', 'number', 'null'] }),
  bulk: YES,
};
export type ShapeList = Shaped<typeof LIST, 'on' | 'name' | 'by'>;

const RESOURCE = {
  number: key<number>(NUMBER),
  /** The type constant, where it is not the name. */
  type: key<string>(TEXT),
  operations: key<Readonly<Partial<Record<Operation, string>>>>(mapOf(TEXT).schema),
  /** Fields in the order in which a record shows them; one that is only sent comes after the parameter before it. */
  fields: mapOf<ShapeField>(schemaOf(FIELD, ['of'])),
  /** Related records by name, each with the number of its column. */
  relations: mapOf<number>(NUMBER),
  lists: listOf<ShapeList>(schemaOf(LIST, ['on', 'name', 'by'])),
  paths: key<Readonly<Partial<Record<Operation, readonly string[]>>>>(mapOf(NAMES.schema).schema),
  old_names: mapOf<string | null>({ type: ['string', 'null'] }),
  ignores: NAMES,
  /** The parameters of each action. */
  actions: mapOf<readonly string[]>(NAMES.schema),
  filters: listOf<number>(NUMBER),
  /** The columns of each set of them that is unique; the last of a set is the one that a conflict names. */
  uniques: listOf<readonly number[]>(listOf(NUMBER).schema),
  order: NAMES,
  brief: NAMES,
  /** The part of an upload, and the list of the records that use a file. */
  upload: NAMES,
};
export type ShapeResource = Shaped<typeof RESOURCE, 'number' | 'operations' | 'fields'>;

const SHAPE = {
  /** YYYY-MM-DD, the name of the file. */
  version: key<string>(DATE),
  /** Day until which it is served. */
  sunset: key<string>(DATE),
  resources: mapOf<ShapeResource>(schemaOf(RESOURCE, ['number', 'operations', 'fields'])),
};
/** A file of spec/versions. */
export type Shape = Shaped<typeof SHAPE, 'version' | 'resources'>;

export const shapeSchema = fileSchema(schemaOf(SHAPE, ['version', 'resources']));
