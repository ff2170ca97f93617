// What the demo stores of each resource: the example of its create in the API document, with ids of records that exist.

import type { AnyDefinition, Input, Reference } from '../../contract/definition.js';

/** The part of the API document that is needed here. */
export interface ExampleDocument {
  readonly components: { readonly examples?: Readonly<Record<string, { readonly value: Input }>> };
}

/**
 * @returns the resources that can be stored, each after those that it refers to; without the principal, resources that a module
 * serves, and resources that need a record of these
 */
export function demoOrder(definitions: readonly AnyDefinition[]): readonly AnyDefinition[] {
  const placed = new Set(definitions.filter(({ principal }) => principal).map(({ name }) => name));
  const waiting = new Set(
    definitions.filter(({ principal, servedBy, operations }) => !principal && servedBy === null && operations.create),
  );
  const order: AnyDefinition[] = [];
  const isThere = ({ to }: Reference): boolean => placed.has(to);
  for (;;) {
    const all = [...waiting];
    const next =
      all.find(({ name, references }) => references.every((one) => isThere(one) || one.to === name)) ??
      all.find(({ references }) => references.every((one) => !one.required || isThere(one)));
    if (next === undefined) return order;
    waiting.delete(next);
    placed.add(next.name);
    order.push(next);
  }
}

/**
 * @param idOf the record that a reference can name; undefined: there is none, and the reference is left out
 * @returns parameters to try in turn: all of them, and those that are required
 */
export function exampleInputs(
  { name, references }: AnyDefinition,
  { components: { examples = {} } }: ExampleDocument,
  { idOf, created }: { idOf(reference: Reference): string | undefined; readonly created: ReadonlyMap<string, string> },
): readonly Input[] {
  const given = ['all', 'required'].flatMap((which): Input[] => {
    const example = examples[`${name}_create_${which}`];
    return example === undefined ? [] : [example.value];
  });
  // The example of an upload is beside its part, and it needs only the record that it belongs to.
  return (given.length === 0 ? [{}] : given).map((example) => {
    const known = Object.entries(withIds(example, created) as Input).filter(([parameter]) =>
      references.every(({ column, proof }) => column !== parameter && proof !== parameter),
    );
    const named = references.flatMap((reference) => {
      const id = reference.column in example || given.length === 0 ? idOf(reference) : undefined;
      return id === undefined ? [] : [[reference.column, id] as const];
    });
    return Object.fromEntries([...known, ...named]);
  });
}

/** Ids within lists and maps, by the name of the resource: `game_id`. */
function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  const replaced = (key: string, one: unknown): unknown =>
    /_id$/.test(key) ? (ids.get(key.slice(0, -3)) ?? one) : one;
  return JSON.parse(JSON.stringify(value, replaced));
}
