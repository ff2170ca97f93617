// Carries out a declared action on a record.
import { refusal, throwAll } from '../../contract/errors.js';
import type { Action, WrittenRecord } from '../records.js';
import { findAction, planAction } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { carryOut, lockPermitted } from './carry-out.js';
import { lockAbove, readNeighbours } from './neighbours.js';
import type { Resource } from './resource.js';

/** @returns the record as the caller sees it; a caller who may not read it is refused */
export function* act(unit: Unit, resource: Resource, id: string, action: Action): Pending<WrittenRecord> {
  const { definition, behaviour, actions } = resource;
  const { name, caller, now, conditions } = action;
  const { declared, perform } = findAction(definition, actions, name);
  const reads = (declared.sets ?? declared.renews) === undefined ? declared.reads : definition.reads;
  const to = reads === undefined ? 'change' : yield* lockAbove(unit, resource, reads, id);
  const old = yield* lockPermitted(unit, definition, { id, right: declared.by, caller, conditions }, to);
  // The failures are thrown only now: callers without the right must not learn what is wrong with the parameters.
  throwAll(action.failures);
  const read = reads && (yield* readNeighbours(unit, resource, reads, old));
  const plan = planAction(old, { definition, behaviour, perform, action, read });
  yield* carryOut(unit, resource, plan, { caller, action: name, now });
  const lookup = yield* unit.get(definition.name, id, caller);
  if (!lookup.found) throw refusal(definition, lookup.code);
  return { text: lookup.text, version: lookup.version };
}
