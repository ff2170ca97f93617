// Settles the outcomes of attempts. Outcomes that arrive together are settled together, hooks are freed for their next attempt,
// and what cannot be written is kept until it can be.

import type { Attempt, EndedAttempt, Outcome, OutcomeClass } from '../../rules/delivery.js';
import type { Deliveries } from '../../store/outbox.js';
import type { FairQueue, ReceiverHealth } from './fair-queue.js';

export interface BatcherOptions {
  readonly outbox: Pick<Deliveries, 'settle'>;
  readonly queue: Pick<FairQueue, 'add' | 'end'>;
  /** Called when hooks are about to be freed. */
  readonly wake: () => void;
  readonly observer: DeliveryObserver;
}

/** For metrics and the log. */
export interface DeliveryObserver {
  attempted?(attempt: Attempt, outcome: Outcome): void;
  /** The outcome changed nothing: the lease was lost, or the hook was deleted. */
  stale?(attempt: Attempt): void;
  /** The outbox could not be written; it is tried again. */
  failed?(error: unknown): void;
}

export interface OutcomeBatcher {
  /** Resolves when the outcome is settled, or cannot be for now; never rejects. */
  settle(ended: EndedAttempt): Promise<void>;
  /** Passes ended attempts to the outbox immediately and frees their hooks; otherwise this happens a few turns later. */
  flush(): void;
  /** Tries again what could not be written; null: there is nothing. */
  retry(): Promise<void> | null;
  /** Frees the hook, which is not to be claimed again before the next poll (S19). */
  pause(hook: string): void;
  /** @returns hooks that were paused and no longer are */
  resume(): readonly string[];
  /** True while something has to be written or resumed. */
  pending(): boolean;
}

/** What an outcome shows about the receiver; null if the fault is ours. */
const HEALTH: Readonly<Record<OutcomeClass, ReceiverHealth | null>> = {
  success: 'good',
  status: 'failing',
  dns: 'failing',
  connect: 'failing',
  tls: 'failing',
  timeout: 'failing',
  blocked: 'failing',
  protocol: 'failing',
  no_key: 'failing',
  internal: null,
};

export function createOutcomeBatcher({ outbox, queue, wake, observer }: BatcherOptions): OutcomeBatcher {
  const writer = createWriter(outbox, observer);
  let paused: readonly string[] = [];
  const pause = (hook: string): void => {
    queue.end(hook, null);
    paused = [...paused, hook];
  };
  const free = ({ attempt: { hook }, outcome }: EndedAttempt): void => {
    if (outcome.class === 'internal') {
      pause(hook);
      return;
    }
    queue.end(hook, HEALTH[outcome.class]);
    // The hook goes to the back of the queue without a scan: the claim finds out whether more is due.
    queue.add([hook]);
  };
  const gathering = createGathering(wake, (batch) => {
    // This comes first: a claim that follows in this tick is in the same commit and sees the outcomes carried out.
    const written = writer.write(batch);
    for (const ended of batch) free(ended);
    return written;
  });
  return {
    settle: gathering.add,
    flush: gathering.flush,
    retry() {
      if (!writer.pending()) return null;
      // Their leases lasted until now, so that other due deliveries of their hooks have been skipped.
      return writer.retry().then(queue.add);
    },
    pause,
    resume() {
      const all = paused;
      paused = [];
      return all;
    },
    pending: () => paused.length > 0 || writer.pending(),
  };
}

/** Writes outcomes in one transaction. If that fails each is tried alone, and those that fail alone are kept. */
function createWriter(outbox: Pick<Deliveries, 'settle'>, observer: DeliveryObserver) {
  let unwritten: readonly EndedAttempt[] = [];
  const write = async (batch: readonly EndedAttempt[]): Promise<void> => {
    try {
      const current = await outbox.settle(batch);
      for (const [index, { attempt, outcome }] of batch.entries()) {
        if (current[index]) observer.attempted?.(attempt, outcome);
        else observer.stale?.(attempt);
      }
    } catch (error) {
      if (batch.length > 1) {
        await Promise.all(batch.map((one) => write([one])));
        return;
      }
      unwritten = [...unwritten, ...batch];
      observer.failed?.(error);
    }
  };
  return {
    write,
    /** @returns the hooks of the outcomes that it tried */
    async retry(): Promise<readonly string[]> {
      const all = unwritten;
      unwritten = [];
      await write(all);
      return all.map(({ attempt }) => attempt.hook);
    },
    pending: () => unwritten.length > 0,
  };
}

/** Maximum number of turns of the event loop that an outcome waits for others: well below 10 ms. */
const TURNS = 6;

/** Gathers outcomes while they come in fast; a single one waits for one turn of the event loop. */
function createGathering(wake: () => void, write: (batch: readonly EndedAttempt[]) => Promise<void>) {
  let gathered: EndedAttempt[] = [];
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    if (gathered.length === 0) return;
    const [batch, resolvers] = [gathered, waiting];
    [gathered, waiting] = [[], []];
    void write(batch).then(() => {
      for (const settled of resolvers) settled();
    });
  };
  const wait = (seen: number, turns: number): void => {
    if (gathered.length === 0) return;
    if (gathered.length > seen && turns > 0) {
      setImmediate(wait, gathered.length, turns - 1);
      return;
    }
    // The order matters: a run of the worker comes before our own flush, and settles and claims in one commit.
    wake();
    setImmediate(flush);
  };
  return {
    flush,
    add(ended: EndedAttempt): Promise<void> {
      if (gathered.length === 0) setImmediate(wait, 1, TURNS);
      gathered.push(ended);
      return new Promise((settled) => waiting.push(settled));
    },
  };
}
