// The leases of the attempts that a server has under way. Where others may take over, leases are short, so that what a killed
// server had goes on soon (N26), and the living one extends them. An attempt whose lease cannot be extended is given up before
// it ends, so that nobody sends the same at the same time. There are no timers here: the caller, who has a clock, calls `keep`.

import { LEASES } from '../../contract/defaults.js';
import type { Attempt } from '../../rules/delivery.js';
import type { Deliveries } from '../../store/outbox.js';

export interface Leases {
  /** When a lease ends that begins now. */
  until(now: number): number;
  /** @returns tells when the attempt is to be given up; undefined: it never is */
  begin(attempt: Attempt, until: number): AbortSignal | undefined;
  end(attempt: Attempt): void;
  /** The clock was changed by that many milliseconds: the outbox keeps leases that had not ended (N09), and so do we. */
  clockChanged(by: number): void;
  /** To be called every second. Resolves when what had to be extended is extended, or cannot be; never rejects. */
  keep(now: number): Promise<void>;
}

export interface LeaseOptions {
  readonly outbox: Pick<Deliveries, 'extend'>;
  /** Milliseconds that an attempt may take. */
  readonly deadline: number;
  readonly failed: (error: unknown) => void;
}

/** When a lease ends that begins now and that nobody extends. @param deadline of the sender, milliseconds */
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
