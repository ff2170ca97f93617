// Values that a parameter takes, derived from the tables: two for each, so that one can be changed to the other.

import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import type { Field, FieldType, RecordName } from '../document/table.js';
import type { SentParameters, World } from './world.js';

export type Turn = 'first' | 'second';
type Value = string | number | boolean;

const SAMPLES: Readonly<Partial<Record<FieldType, (field: Field, turn: Turn) => Value>>> = {
  text: (_, turn) => `The ${turn}`,
  integer: ({ values, min, max }, turn) =>
    turn === 'first' ? (values?.at(-1) ?? max ?? 2) : (values?.[0] ?? min ?? 1),
  decimal: (_, turn) => (turn === 'first' ? '12.5' : '0.0001'),
  boolean: ({ default: fallback }, turn) => (turn === 'first') !== fallback,
  bit: (_, turn) => (turn === 'first' ? 1 : 0),
};

/** A value for the parameter; a reference gets a new record of the owner. */
export async function sample(world: World, resource: RecordName, parameter: string, turn: Turn): Promise<Value> {
  const reference = parameters[resource].references[parameter];
  if (reference !== undefined) return world.target(reference);
  const { fields, identities } = records[resource];
  const field = fields[parameter];
  if (field?.type === 'identity') return identities?.at(turn === 'first' ? -1 : 0) ?? '';
  const value = field === undefined ? undefined : SAMPLES[field.type]?.(field, turn);
  if (value === undefined) throw new Error(`no sample for ${resource}.${parameter}`);
  return value;
}

/** The values that hide from most callers what only some may see (D31). */
export const closed: Readonly<Partial<Record<RecordName, SentParameters>>> = { gamedownload: { free: 0 } };

/** Every parameter of the document, with a value that is not its default. */
export async function everything(world: World, resource: RecordName): Promise<SentParameters> {
  const { required, optional } = parameters[resource];
  const names = [...required, ...optional].map(
    async (name) => [name, await sample(world, resource, name, 'first')] as const,
  );
  return Object.fromEntries(await Promise.all(names));
}
