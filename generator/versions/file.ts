// The form of a file of spec/versions (D68): its keys, each with the schema and the type of its value.

import type { Operation } from '../../runtime/contract/definition.js';
import type { ValueForm } from '../../runtime/contract/versions.js';
import { fileSchema } from '../form/structure.js';
import { closed, DATE, type Key, type Keywords, mapOf, TEXT, type TypeOf } from '../language/keywords.js';
import type { JsonSchema } from '../model/model.js';

type ObjectOf<K, Required extends keyof K> = { readonly [N in Required]: TypeOf<K[N]> } & {
  readonly [N in Exclude<keyof K, Required>]?: TypeOf<K[N]>;
};

const key = <T>(schema: Keywords): Key<T> => ({ ...schema });
const listOf = <T>(items: Key<T>) => key<readonly T[]>({ type: 'array', items });
const oneOf = <T extends string>(...values: readonly T[]) => key<T>({ enum: values });
const objectOf = <K extends Keywords, Required extends keyof K & string>(required: readonly Required[], keys: K) =>
  key<ObjectOf<K, Required>>(closed(keys, required));

const NUMBER = key<number>({ type: 'integer', minimum: 1 });
const NAME = key<string>(TEXT);
const NAMES = listOf(NAME);
const YES = key<true>({ const: true });

const FIELD = objectOf(['of'], {
  /** Number of the column, or what the field is computed from. */
  of: key<number | string>({
    type: ['integer', 'string'],
    title: 'a number of the ledger, or what the field is computed from',
  }),
  /** Absent: the field is both sent and shown. */
  only: oneOf('sent', 'shown'),
  form: oneOf<ValueForm>('string', 'number', 'flag', 'bit', 'date-time', 'full-date'),
  schema: key<JsonSchema>({ type: 'object' }),
  /** The numbers of its choices. */
  values: mapOf(NUMBER),
  default: key<unknown>({}),
  required: YES,
  nullable: YES,
  view: NAME,
  when_set: YES,
  synonyms: NAMES,
});
export type ShapeField = TypeOf<typeof FIELD>;

const LIST = objectOf(['on', 'name', 'by'], {
  /** Number of the resource that has the list below its records. */
  on: NUMBER,
  name: NAME,
  /** Number of its reference. */
  by: NUMBER,
  through: NUMBER,
  /** Values by the number of their column; a choice is its number. */
  where: mapOf(key<string | number | null>({ type: ['string', 'number', 'null'] })),
  bulk: YES,
});
export type ShapeList = TypeOf<typeof LIST>;

const RESOURCE = objectOf(['number', 'operations', 'fields'], {
  number: NUMBER,
  /** The type constant, where it is not the name. */
  type: NAME,
  operations: key<Readonly<Partial<Record<Operation, string>>>>(mapOf(NAME)),
  /** Fields in the order in which a record shows them; one that is only sent comes after the parameter before it. */
  fields: mapOf(FIELD),
  /** Related records by name, each with the number of its column. */
  relations: mapOf(NUMBER),
  lists: listOf(LIST),
  paths: key<Readonly<Partial<Record<Operation, readonly string[]>>>>(mapOf(NAMES)),
  old_names: mapOf(key<string | null>({ type: ['string', 'null'] })),
  ignores: NAMES,
  /** The parameters of each action. */
  actions: mapOf(NAMES),
  filters: listOf(NUMBER),
  /** The columns of each set of them that is unique; the last of a set is the one that a conflict names. */
  uniques: listOf(listOf(NUMBER)),
  order: NAMES,
  brief: NAMES,
  /** The part of an upload, and the list of the records that use a file. */
  upload: NAMES,
});
export type ShapeResource = TypeOf<typeof RESOURCE>;

const SHAPE = objectOf(['version', 'resources'], {
  /** YYYY-MM-DD, the name of the file. */
  version: key<string>(DATE),
  /** Day until which it is served. */
  sunset: key<string>(DATE),
  resources: mapOf(RESOURCE),
});
/** A file of spec/versions. */
export type Shape = TypeOf<typeof SHAPE>;

export const shapeSchema = fileSchema(SHAPE);
