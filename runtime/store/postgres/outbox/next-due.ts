// Caches for a second when the next delivery becomes due: workers ask after each run, and on Citus every shard has to answer.
import { POSTGRES_TIMES } from '../../../contract/defaults.js';
import type { DueTimes } from '../../outbox/context.js';
import type { Outbox } from '../../outbox.js';

export interface NextDue extends DueTimes {
  /** The earliest due time after `now`, possibly without deliveries that other servers have written within the last second. */
  read(now: number): Promise<number | null>;
}

/** @param readNext asks the database */
export function createNextDue(readNext: Outbox['nextDue']): NextDue {
  const never = Number.POSITIVE_INFINITY;
  let asked = never;
  let next = never;
  /** The earliest time noted since the last query, whose answer may not include it. */
  let noted = never;
  let changes = 0;
  const isKnown = (now: number): boolean => now >= asked && now < asked + POSTGRES_TIMES.fresh && now < next;
  const answer = (time: number): number | null => (time === never ? null : time);
  return {
    async read(now) {
      if (isKnown(now)) return answer(next);
      noted = never;
      const before = changes;
      const stored = await readNext(now);
      const earliest = Math.min(stored ?? never, noted > now ? noted : never);
      asked = before === changes ? now : never;
      next = earliest;
      return answer(earliest);
    },
    noteDueTime(ready) {
      noted = Math.min(noted, ready);
      next = Math.min(next, ready);
    },
    forget() {
      changes += 1;
      asked = never;
    },
  };
}
