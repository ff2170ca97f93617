// Finds the references to the records of a definition, and what a deletion does about them (D33).
import type { AnyDefinition, Reference } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { quoted } from '../../schema/sql-text.js';
import type { Definitions } from './access.js';

export interface IncomingReference {
  readonly child: AnyDefinition;
  readonly reference: Reference;
}

export function incomingReferences(definitions: Definitions, { name }: AnyDefinition): readonly IncomingReference[] {
  return [...definitions.values()].flatMap((child) =>
    child.references.filter(({ to }) => to === name).map((reference) => ({ child, reference })),
  );
}

/** Assignments that clear a reference, and the proof flag that belongs to it (D26). */
export function clearAssignments({ column, proof }: Reference): string {
  return [`${quoted(column)} = NULL`, ...(proof === undefined ? [] : [`${quoted(proof)} = 0`])].join(', ');
}

/** Refuses to delete a record of `definition` to which `count` records refer. */
export function stillReferred(
  definition: AnyDefinition,
  { child, reference }: IncomingReference,
  count: number,
): ServiceError {
  if (reference.makes !== undefined) {
    return new ServiceError('conflict', `${definition.name} goes with the ${child.name} that it was made with`);
  }
  const records = count === 1 ? `1 ${child.name}` : `${count} ${child.plural}`;
  return new ServiceError('conflict', `${definition.name} has ${records}`);
}
