// When the next delivery becomes due, remembered for a second: workers ask after each run, and on Citus the answer comes from
// every shard.

import { prepareNamed } from '../named.js';
import type { OutboxContext } from './outbox.js';
import { select } from './select.js';

export interface NextDue {
  /** The earliest due time after `now`; what other servers have written within the last second may be missing. */
  read(now: number): Promise<number | null>;
  /** This server has written a delivery that can be claimed from then on. */
  note(ready: number): void;
  /** This server has changed more than it can say. */
  forget(): void;
}

/** Milliseconds; whoever waits for a time looks at least this often whether others have written. */
const FRESH = 1_000;

export function createNextDue({ connections }: Pick<OutboxContext, 'connections'>): NextDue {
  const first = prepareNamed(connections, 'SELECT min(ready) AS next FROM webhook_delivery WHERE ready > @now');
  const never = Number.POSITIVE_INFINITY;
  let asked = never;
  let next = never;
  /** What was noted since the last question, whose answer may not know it. */
  let noted = never;
  let changes = 0;
  const isKnown = (now: number): boolean => now >= asked && now < asked + FRESH && now < next;
  const answer = (time: number): number | null => (time === never ? null : time);
  return {
    async read(now) {
      if (isKnown(now)) return answer(next);
      noted = never;
      const before = changes;
      const [found] = await select<{ readonly next: number | null }>(connections.query, first({ now }));
      const earliest = Math.min(found?.next ?? never, noted > now ? noted : never);
      asked = before === changes ? now : never;
      next = earliest;
      return answer(earliest);
    },
    note(ready) {
      noted = Math.min(noted, ready);
      next = Math.min(next, ready);
    },
    forget() {
      changes += 1;
      asked = never;
    },
  };
}
