// Loads the record that a write is about, for a caller who holds the right to it.
import { type Conditions, checkConditions } from '../../contract/conditions.js';
import type { AnyDefinition, Row } from '../../contract/definition.js';
import { refusal } from '../../contract/errors.js';
import type { Caller } from '../records.js';
import type { LockFor, Pending, Unit } from '../unit.js';
import { versionOf } from './versions.js';

export interface PermissionRequest {
  readonly id: string;
  readonly right: string;
  readonly caller: Caller;
  readonly conditions?: Conditions | undefined;
  /** Whether the write has to say which versions it changes. */
  readonly needsMatch?: boolean;
}

/**
 * The locked row, in one trip with the right. Throws not_found, the refusal of a caller who does not hold it, or what its conditions
 * refuse the write with.
 */
export function* permitted(
  unit: Unit,
  definition: AnyDefinition,
  { id, right, caller, conditions, needsMatch }: PermissionRequest,
  to: LockFor,
): Pending<Row> {
  const locking = unit.lock(definition.name, id, to);
  const asking = unit.permission(definition.name, right, id, caller);
  const row = yield* locking;
  const permission = yield* asking;
  if (row === undefined) throw refusal(definition, 'not_found');
  if (!permission.allowed) throw refusal(definition, permission.code);
  checkConditions(versionOf(row), conditions, needsMatch);
  return row;
}
