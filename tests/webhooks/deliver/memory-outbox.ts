// An outbox in memory, which keeps to the contract (what is due, claimed and settled) and has none of the rules.

import type { Attempt, Outcome } from '../../../runtime/rules/delivery.js';
import type { Deliveries } from '../../../runtime/store/outbox.js';
import type { DueQueries } from '../../../runtime/webhooks/deliver/schedule.js';

export interface MemoryOutbox extends DueQueries, Pick<Deliveries, 'claim' | 'settle'> {
  /** Adds a delivery of the hook, due at that time. */
  put(hook: string, due: number, key?: string | null): void;
  /** Settled outcomes in their order. */
  readonly settled: { readonly delivery: string; readonly outcome: Outcome; readonly ended: number }[];
  /** The windows that were scanned for what is due. */
  readonly scans: (readonly [after: number, until: number])[];
  readonly claims: (readonly string[])[];
  readonly leases: number[];
  /** While true, nothing can be written. */
  broken: boolean;
}

interface Row {
  readonly id: string;
  readonly hook: string;
  readonly key: string | null;
  due: number;
  claimed: boolean;
}

/** Any outcome but `internal` removes the delivery. */
export function memoryOutbox(): MemoryOutbox {
  const rows = new Map<string, Row>();
  const outbox: MemoryOutbox = {
    settled: [],
    scans: [],
    claims: [],
    leases: [],
    broken: false,
    put(hook, due, key = 'key') {
      const id = `${hook}-${rows.size + outbox.settled.length}`;
      rows.set(id, { id, hook, key, due, claimed: false });
    },
    due(after, until) {
      outbox.scans.push([after, until]);
      const due = [...rows.values()].filter((row) => !row.claimed && row.due > after && row.due <= until);
      return [...new Set(due.map(({ hook }) => hook))];
    },
    async claim(hooks, now, lease) {
      if (outbox.broken) throw new Error('the disk is full');
      outbox.claims.push([...hooks]);
      outbox.leases.push(lease);
      return hooks.flatMap((hook): Attempt[] => {
        const row = [...rows.values()].find((each) => each.hook === hook && !each.claimed && each.due <= now);
        if (row === undefined) return [];
        row.claimed = true;
        const { id, key } = row;
        const uri = `http://${hook}/`;
        return [{ id: `a-${id}`, delivery: id, hook, type: 'data', message: '{}', uri, key, failed: 0, started: now }];
      });
    },
    async settle(batch) {
      if (outbox.broken) throw new Error('the disk is full');
      return batch.map(({ attempt: { delivery }, outcome, ended }) => {
        outbox.settled.push({ delivery, outcome, ended });
        const row = rows.get(delivery);
        if (row !== undefined && outcome.class === 'internal') {
          row.claimed = false;
          row.due = ended;
        } else rows.delete(delivery);
        return row !== undefined;
      });
    },
    nextDue: (now) => {
      const later = [...rows.values()].filter(({ claimed, due }) => !claimed && due > now).map(({ due }) => due);
      return later.length === 0 ? null : Math.min(...later);
    },
  };
  return outbox;
}
