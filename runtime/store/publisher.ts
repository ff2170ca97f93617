// Handles the events of a change in its transaction: ends the sessions of a disabled account, and publishes to the outbox.
import { placementOf } from '../contract/ids.js';
import { isAccountEvent } from '../rules/hooks.js';
import { endSessions } from './identity.js';
import type { StoreOutbox } from './outbox/create.js';
import type { Dialect } from './sql/dialect.js';
import type { PublishWithin } from './unit.js';

/** @param outbox null: this project has no web hooks */
export function createPublisher(
  dialect: Dialect,
  outbox: () => Pick<StoreOutbox, 'publishWithin'> | null,
): PublishWithin {
  const end = endSessions(dialect);
  return function* publish(unit, events, now, trace) {
    for (const { id } of events.filter(isAccountEvent)) unit.hold(end, { placement: placementOf(id), user: id });
    const publishing = outbox()?.publishWithin(unit, events, now, trace);
    if (publishing !== undefined) yield* publishing;
  };
}
