// Settles outcomes in one transaction at a time for each server: outcomes that arrive meanwhile are settled together in the next.
// Several transactions would wait for each other's locks, each on its own connection.

import type { EndedAttempt } from '../../../rules/delivery.js';
import type { Outbox } from '../../outbox.js';

type Settle = (batch: readonly EndedAttempt[]) => Promise<readonly boolean[]>;

export interface SettleQueue {
  readonly settle: Settle;
  /** Resolves when every batch that is now in the queue is settled or has failed. */
  settled(): Promise<unknown>;
}

interface QueuedBatch {
  readonly batch: readonly EndedAttempt[];
  resolve(current: readonly boolean[]): void;
  reject(error: unknown): void;
}

export function createSettleQueue(settle: Outbox['settle']): SettleQueue {
  const underWay = new Set<Promise<unknown>>();
  let waiting: readonly QueuedBatch[] = [];
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      await settleTogether(settle, all);
    }
    running = false;
  };
  return {
    settle(batch) {
      const settled = new Promise<readonly boolean[]>((resolve, reject) => {
        waiting = [...waiting, { batch, resolve, reject }];
      });
      const ended: Promise<unknown> = settled.catch(() => undefined).then(() => underWay.delete(ended));
      underWay.add(ended);
      if (!running) void run();
      return settled;
    },
    settled: () => Promise.all(underWay),
  };
}

/** A batch that cannot be settled does not prevent others. */
async function settleTogether(settle: Outbox['settle'], all: readonly QueuedBatch[]): Promise<void> {
  try {
    const current = await settle(all.flatMap(({ batch }) => batch));
    let from = 0;
    for (const { batch, resolve } of all) {
      resolve(current.slice(from, from + batch.length));
      from += batch.length;
    }
  } catch (error) {
    if (all.length === 1) all[0]?.reject(error);
    else for (const one of all) await settleTogether(settle, [one]);
  }
}
