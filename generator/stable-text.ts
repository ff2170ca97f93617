// A value of the model as text that is the same for the same value: what the keys of remembered texts are made of.

import { hash } from './output.js';

/** A key that says everything about the values. */
export function keyOf(...values: readonly unknown[]): string {
  return hash(JSON.stringify(values, plain));
}

/** Maps and sets keep their order and lose nothing. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...(value as ReadonlyMap<unknown, unknown>)] };
  return value instanceof Set ? { set: [...(value as ReadonlySet<unknown>)] } : value;
}
