// Changes a record.
import type { Change, Written } from '../records.js';
import { NOTHING_MADE } from '../sql/made.js';
import { planWrite, shown, type WritePlan, writeContext } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { carryOut } from './carry-out.js';
import { permitted } from './permitted.js';
import { referenceFailures } from './reference-failures.js';
import type { Resource } from './resource.js';
import { versionAfter } from './versions.js';

/** @returns the changed record as an editor sees it */
export function* update(unit: Unit, resource: Resource, id: string, change: Change): Pending<Written> {
  const needsMatch = resource.definition.match === 'required';
  const plan = yield* planUpdate(unit, resource, id, change, needsMatch);
  return yield* carryOutUpdate(unit, resource, plan, change);
}

/** What the update writes. Throws the refusal of the caller, or everything that is wrong with the change. */
export function* planUpdate(
  unit: Unit,
  resource: Resource,
  id: string,
  change: Change,
  needsMatch = false,
): Pending<WritePlan> {
  const { definition, behaviour } = resource;
  const { caller, conditions } = change;
  const old = yield* permitted(unit, definition, { id, right: 'edit', caller, conditions, needsMatch }, 'change');
  const failures = yield* referenceFailures(unit, resource, change, old);
  const context = writeContext(resource, change, id);
  return planWrite({ old, failures }, { definition, behaviour, change, context, made: NOTHING_MADE.columns });
}

export function* carryOutUpdate(
  unit: Unit,
  resource: Resource,
  plan: WritePlan,
  { caller, now }: Change,
): Pending<Written> {
  yield* carryOut(unit, resource, plan, { author: caller.author, action: 'update', now });
  const viewer = caller.admin ? 'admin' : 'editor';
  const text = shown(yield* unit.textOf(resource.definition.name, viewer, plan.row, caller.user));
  return { text, version: versionAfter(plan) };
}
