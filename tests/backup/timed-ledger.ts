// A ledger that knows when each state was sent and acknowledged, so that it can say what a backup of one moment must hold.

import { createLedger, type Entry, type Ledger, type State } from '../crash/ledger.js';

export interface TimedLedger extends Ledger {
  /**
   * Every record that was acknowledged before `moment`, with the states it may have in a backup of it: the last one that was
   * acknowledged before, and those that were sent since, until `end`. Epoch milliseconds.
   */
  asOf(moment: number, end: number): readonly Entry[];
}

interface Step {
  readonly state: State;
  readonly sent: number;
  acknowledged: number;
}

export function createTimedLedger(): TimedLedger {
  const ledger = createLedger();
  const steps = new Map<Entry, Step[]>();
  const now = () => Date.now();
  return {
    ...ledger,
    get answers() {
      return ledger.answers;
    },
    created(entry) {
      ledger.created(entry);
      steps.set(entry, [{ state: entry.possible[0], sent: 0, acknowledged: now() }]);
    },
    sent(entries, state) {
      ledger.sent(entries, state);
      for (const entry of entries)
        steps.get(entry)?.push({ state, sent: now(), acknowledged: Number.POSITIVE_INFINITY });
    },
    acknowledged(entries) {
      ledger.acknowledged(entries);
      for (const entry of entries) {
        const last = steps.get(entry)?.at(-1);
        if (last !== undefined) last.acknowledged = now();
      }
    },
    asOf(moment, end) {
      return [...steps].flatMap(([entry, all]): Entry[] => {
        const at = all.findLastIndex(({ acknowledged }) => acknowledged < moment);
        const found = all[at];
        if (found === undefined) return [];
        const later = all.slice(at + 1).filter(({ sent }) => sent <= end);
        return [{ ...entry, possible: [found.state, ...later.map(({ state }) => state)] }];
      });
    },
  };
}
