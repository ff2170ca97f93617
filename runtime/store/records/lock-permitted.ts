// Loads and locks the record of a write, for a caller who holds the right to it.
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
  /** Whether the write must name the versions that it changes. */
  readonly needsMatch?: boolean;
}

/**
 * Locks the row and checks the right in one round trip. Throws not_found, the refusal of a caller without the right, or the
 * refusal by the conditions.
 */
export function* lockPermitted(
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
