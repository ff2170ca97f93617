// The leases of a server's attempts under way. Where others may take over, leases are short, so that the work of a killed
// server continues soon (N26), and a living server extends them. An attempt whose lease cannot be extended is given up before
// the lease ends, so that no other server sends it at the same time. There are no timers here: the caller calls `keep`.

import { LEASES } from '../../contract/defaults.js';
import type { Attempt } from '../../rules/delivery.js';
import type { Deliveries } from '../../store/outbox.js';

export interface Leases {
  /** When a lease that begins now ends. */
  until(now: number): number;
  /** @returns a signal that the attempt is to be given up; undefined: it never is */
  begin(attempt: Attempt, until: number): AbortSignal | undefined;
  end(attempt: Attempt): void;
  /** The clock was changed by that many milliseconds: the outbox keeps leases that had not ended (N09), and so do we. */
  clockChanged(by: number): void;
  /** To be called every second. Resolves when the leases that had to be extended are extended, or cannot be; never rejects. */
  keep(now: number): Promise<void>;
}

export interface LeaseOptions {
  readonly outbox: Pick<Deliveries, 'extend'>;
  /** Milliseconds that an attempt may take. */
  readonly deadline: number;
  readonly failed: (error: unknown) => void;
}

/** When a lease that begins now ends if nobody extends it. @param deadline of the sender, milliseconds */
export function leaseEnd(now: number, deadline: number): number {
  return now + deadline + LEASES.margin;
}

interface Lease {
  readonly attempt: Attempt;
  readonly giveUp: AbortController;
  until: number;
}

export function createLeases({ outbox, deadline, failed }: LeaseOptions): Leases {
  const { extend } = outbox;
  const leases = new Map<string, Lease>();
  let extending: Promise<void> | null = null;
  const extendAll = async (ending: readonly Lease[], until: number): Promise<void> => {
    try {
      const extended = await extend?.(
        ending.map(({ attempt }) => attempt),
        until,
      );
      for (const lease of ending) if (extended?.includes(lease.attempt.id)) lease.until = until;
    } catch (error) {
      failed(error);
    } finally {
      extending = null;
    }
  };
  return {
    until: (now) => (extend === undefined ? leaseEnd(now, deadline) : now + LEASES.extended),
    begin(attempt, until) {
      if (extend === undefined) return undefined;
      const giveUp = new AbortController();
      leases.set(attempt.id, { attempt, giveUp, until });
      return giveUp.signal;
    },
    end: ({ id }) => void leases.delete(id),
    clockChanged(by) {
      for (const lease of leases.values()) lease.until += by;
    },
    async keep(now) {
      const all = [...leases.values()];
      for (const { giveUp, until } of all) if (until - now <= LEASES.giveUpBefore) giveUp.abort();
      const ending = all.filter(({ until, giveUp }) => until - now <= LEASES.extendBefore && !giveUp.signal.aborted);
      if (ending.length > 0) extending ??= extendAll(ending, now + LEASES.extended);
      await extending;
    },
  };
}
