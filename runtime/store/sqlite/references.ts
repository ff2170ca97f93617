// Finds the reference that a definition keeps in a column.
import type { AnyDefinition, Reference } from '../../definition.js';

/** Throws an Error if the column does not hold a reference, which is a mistake in the definition. */
export function referenceIn({ name, references }: AnyDefinition, column: string): Reference {
  const found = references.find((reference) => reference.column === column);
  if (!found) throw new Error(`${name}.${column} is not a reference`);
  return found;
}
