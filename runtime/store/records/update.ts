// Changes a record.
import type { Change } from '../records.js';
import { NOTHING_MADE } from '../sql/made.js';
import { planWrite, shown, type WritePlan, writeContext } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { carryOut } from './carry-out.js';
import { permitted } from './permitted.js';
import { referenceFailures } from './reference-failures.js';
import type { Resource } from './resource.js';

/** @returns the changed record as an editor sees it */
export function* update(unit: Unit, resource: Resource, id: string, change: Change): Pending<string> {
  const plan = yield* planUpdate(unit, resource, id, change);
  return yield* carryOutUpdate(unit, resource, plan, change);
}

/** What the update writes. Throws the refusal of the caller, or everything that is wrong with the change. */
export function* planUpdate(unit: Unit, resource: Resource, id: string, change: Change): Pending<WritePlan> {
  const { definition, behaviour } = resource;
  const old = yield* permitted(unit, definition, { id, right: 'edit', caller: change.caller }, 'change');
  const failures = yield* referenceFailures(unit, resource, change, old);
  const context = writeContext(resource, change, id);
  return planWrite({ old, failures }, { definition, behaviour, change, context, made: NOTHING_MADE.columns });
}

export function* carryOutUpdate(
  unit: Unit,
  resource: Resource,
  plan: WritePlan,
  { caller, now }: Change,
): Pending<string> {
  yield* carryOut(unit, resource, plan, { caller, action: 'update', now });
  const viewer = caller.admin ? 'admin' : 'editor';
  return shown(yield* unit.textOf(resource.definition.name, viewer, plan.row, caller.user));
}
