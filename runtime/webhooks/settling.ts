// From the end of an attempt to its settled outcome: outcomes of one tick are settled together, hooks are freed for their
// next attempt, and what cannot be written is kept until it can be. Decides nothing about deliveries.

import type { Attempt, Outbox, Outcome, OutcomeClass } from './delivery.js';
import type { Lanes, Standing } from './lanes.js';

export interface SettlingParts {
  readonly outbox: Pick<Outbox, 'settle'>;
  readonly lanes: Pick<Lanes, 'add' | 'end'>;
  /** Called when hooks are about to be freed. */
  readonly wake: () => void;
  readonly watch: Watch;
}

/** Told of what happens, for figures and the log; never asked anything. */
export interface Watch {
  attempted?(attempt: Attempt, outcome: Outcome): void;
  /** An outcome changed nothing: its lease was lost, or the hook is gone. */
  stale?(attempt: Attempt): void;
  /** The outbox could not be written; it is tried again. */
  failed?(error: unknown): void;
}

export interface Ended {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Settling {
  /** Resolves when the outcome is settled, or cannot be for now; never rejects. */
  settle(ended: Ended): Promise<void>;
  /** Hands to the outbox what has ended, and frees its hooks; done by itself a few turns later. */
  flush(): void;
  /** Tries again what could not be written. */
  again(): readonly Promise<void>[];
  /** The hook is free, and not claimed again before the next poll (S19). */
  pause(hook: string): void;
  /** Hooks that were paused, and are no longer. */
  resume(): readonly string[];
  /** True while something is to be written or resumed. */
  waiting(): boolean;
}

/** What an outcome says of the receiver; nothing when the fault is ours. */
const STANDING: Readonly<Record<OutcomeClass, Standing | null>> = {
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

/** Turns of the event loop that outcomes wait for others at most: well below 10 ms. */
const TURNS = 6;

export function createSettling({ outbox, lanes, wake, watch }: SettlingParts): Settling {
  let gathered: { readonly ended: Ended; settled(): void }[] = [];
  let unwritten: readonly Ended[] = [];
  let paused: readonly string[] = [];
  const write = async (ended: Ended): Promise<void> => {
    const { attempt, outcome, at } = ended;
    try {
      if (await outbox.settle(attempt, outcome, at)) watch.attempted?.(attempt, outcome);
      else watch.stale?.(attempt);
    } catch (error) {
      unwritten = [...unwritten, ended];
      watch.failed?.(error);
    }
  };
  const pause = (hook: string): void => {
    lanes.end(hook, null);
    paused = [...paused, hook];
  };
  const flush = (): void => {
    const all = gathered;
    gathered = [];
    for (const { ended, settled } of all) {
      const { attempt, outcome } = ended;
      // First of all: a claim that follows in this tick is part of the same commit, and finds the outcome carried out.
      void write(ended).then(settled);
      if (outcome.class === 'internal') pause(attempt.hook);
      else {
        lanes.end(attempt.hook, STANDING[outcome.class]);
        // To the back of the queue at once: the claim finds whether more is due.
        lanes.add([attempt.hook]);
      }
    }
  };
  /** While outcomes come in fast, those of a few turns of the event loop share a commit; a lone one waits for one turn. */
  const gather = (seen: number, turns: number): void => {
    if (gathered.length === 0) return;
    if (gathered.length > seen && turns > 0) {
      setImmediate(gather, gathered.length, turns - 1);
      return;
    }
    // In this order: a run of the worker comes before our own flush, and settles and claims in one commit.
    wake();
    setImmediate(flush);
  };
  return {
    settle(ended) {
      if (gathered.length === 0) setImmediate(gather, 1, TURNS);
      return new Promise((settled) => gathered.push({ ended, settled }));
    },
    flush,
    again() {
      const all = unwritten;
      unwritten = [];
      return all.map(write);
    },
    pause,
    resume() {
      const all = paused;
      paused = [];
      return all;
    },
    waiting: () => paused.length + unwritten.length > 0,
  };
}
