// Deletes a record and everything that is deleted with it (D33).
import type { Removal } from '../records.js';
import { eventsOf } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { keepAdministrator } from './administrators.js';
import { lockPermitted, report } from './carry-out.js';
import type { Resource } from './resource.js';

export function* remove(unit: Unit, resource: Resource, id: string, removal: Removal): Pending<void> {
  const { caller, now, conditions } = removal;
  const { definition, behaviour, deletesUsers } = resource;
  const old = yield* lockPermitted(unit, definition, { id, right: 'edit', caller, conditions }, 'delete');
  const before = behaviour.beforeDelete?.(old, null, now);
  yield* keepAdministrator(unit, resource, deletesUsers, () => unit.remove(definition.name, id));
  const after = behaviour.afterDelete?.(old, null, now);
  const by = { caller, action: 'delete', now };
  yield* report(unit, definition, { old, row: null, events: eventsOf(before, after) }, by);
}
