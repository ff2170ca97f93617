// Finds the reference in a column of a definition, and whether its target is on the record's shard.
import type { AnyDefinition, Reference } from '../../contract/definition.js';

/** Throws an Error if the column does not hold a reference, which is a mistake in the definition. */
export function referenceIn({ name, references }: AnyDefinition, column: string): Reference {
  const match = references.find((reference) => reference.column === column);
  if (!match) throw new Error(`${name}.${column} is not a reference`);
  return match;
}

/** True if the target of a reference has the placement of the record that refers to it: both have the same owner (D37). */
export function isInside({ references }: AnyDefinition, column: string): boolean {
  return references.some((one) => one.column === column && Boolean(one.place || one.inside));
}
