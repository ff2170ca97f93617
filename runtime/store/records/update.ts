// Changes a record.
import type { Change, WrittenRecord } from '../records.js';
import { NO_REQUIRED_TARGETS } from '../sql/required-targets.js';
import { planWrite, requireText, versionAfter, type WritePlan, writeContext, writtenRow } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { carryOut, lockPermitted } from './carry-out.js';
import { lockAbove, readNeighbours } from './neighbours.js';
import { referenceFailures } from './reference-failures.js';
import type { Resource } from './resource.js';

/** @returns the changed record as an editor sees it */
export function* update(unit: Unit, resource: Resource, id: string, change: Change): Pending<WrittenRecord> {
  const needsMatch = resource.definition.match === 'required';
  const plan = yield* planUpdate(unit, resource, id, change, needsMatch);
  return yield* carryOutUpdate(unit, resource, plan, change);
}

/** Plans the writes of an update. Throws the refusal of the caller, or everything that is wrong with the change. */
export function* planUpdate(
  unit: Unit,
  resource: Resource,
  id: string,
  change: Change,
  needsMatch = false,
): Pending<WritePlan> {
  const { definition, behaviour } = resource;
  const { reads } = definition;
  const { caller, conditions } = change;
  const to = reads === undefined ? 'change' : yield* lockAbove(unit, resource, reads, id);
  const old = yield* lockPermitted(unit, definition, { id, right: 'edit', caller, conditions, needsMatch }, to);
  const failures = yield* referenceFailures(unit, resource, change, old);
  const context = writeContext(resource, change, id);
  const row = writtenRow(
    { old, failures },
    { definition, change, context, targetColumns: NO_REQUIRED_TARGETS.columns },
  );
  const read = reads && (yield* readNeighbours(unit, resource, reads, row));
  return planWrite(old, row, { definition, behaviour, now: change.now, read });
}

export function* carryOutUpdate(
  unit: Unit,
  resource: Resource,
  plan: WritePlan,
  { caller, now }: Change,
): Pending<WrittenRecord> {
  yield* carryOut(unit, resource, plan, { caller, action: 'update', now });
  const viewer = caller.admin ? 'admin' : 'editor';
  const text = requireText(yield* unit.textOf(resource.definition.name, viewer, plan.row, caller.user));
  return { text, version: versionAfter(plan) };
}
