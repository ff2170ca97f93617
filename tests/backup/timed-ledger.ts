// A ledger of when each state was sent and acknowledged, which determines what a backup at some moment must contain.

import { createLedger, type Entry, type Ledger, type State } from '../crash/ledger.js';

export interface TimedLedger extends Ledger {
  /**
   * Every record acknowledged before `moment`, with the states that a backup of it may contain: the last one acknowledged
   * before, and those sent since, until `end`. Times are epoch milliseconds.
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
        const state = all[at];
        if (state === undefined) return [];
        const later = all.slice(at + 1).filter(({ sent }) => sent <= end);
        return [{ ...entry, possible: [state.state, ...later.map(({ state }) => state)] }];
      });
    },
  };
}
