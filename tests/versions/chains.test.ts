// D68: after a chain of random edits with a cut between each two, every version is answered as its service was.

import { join } from 'node:path';
import { edited, PAIRS, type State, state } from '../evolution/pairs.js';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { answers, type BuiltService, compileAll, make, prepare } from './bench.js';
import { isUnseen, noticed, STARTED } from './groups.js';

const CHAINS = count(1, 40);
const CUTS = count(3, 10);
/** Edits between two cuts. */
const EDITS = 5;
const seed = seedOfRun(68);
const folder = temporaryFolder('version-chains');

interface Chain {
  readonly states: readonly State[];
  readonly dates: readonly string[];
  readonly made: readonly BuiltService[];
}

/** Numbers from 0 to 1 that follow from the seed. */
function chance(from: number): () => number {
  let last = from >>> 0;
  return () => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return last / 2 ** 32;
  };
}

/** States after random edits; a pair whose text is no longer in the spec is skipped. */
function statesOf(own: number): readonly State[] {
  const next = chance(own);
  const pairs = PAIRS.filter(({ before }) => before === undefined)
    .map((pair) => ({ pair, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ pair }) => pair);
  const all = [state(STARTED, null)];
  let last = all[0] as State;
  let edits = 0;
  for (const pair of pairs) {
    if (all.length > CUTS || !isUnseen(pair)) continue;
    try {
      last = state(edited(last.texts, pair.edit), last.ledger);
      edits += 1;
    } catch {
      continue;
    }
    if (edits % EDITS === 0) all.push(last);
  }
  return all;
}

function chainOf(own: number): Chain {
  const states = statesOf(own);
  const dates = states.map((_, at) => `2027-${String(at + 1).padStart(2, '0')}-01`);
  const made = states.map((now, at) => {
    const cuts = dates.slice(0, at).map((date, index) => [date, states[index] as State] as const);
    const before = (states[at - 1] ?? now).ledger;
    return make(
      join(folder, `chain${own}-${at}`),
      now,
      before,
      at === states.length - 1 ? Object.fromEntries(cuts) : {},
    );
  });
  return { states, dates, made };
}

let chains: readonly Chain[] = [];
beforeAll(
  () => {
    prepare(folder);
    chains = Array.from({ length: CHAINS }, (_, at) => chainOf(seed + at));
    compileAll(chains.flatMap(({ made }) => made));
  },
  count(300_000, 3_600_000),
);
afterAll(() => void process.stdout.write(`${CHAINS} chains of ${CUTS} cuts, seed ${seed} (PUNCHBOARD_SEED)\n`));

test(
  'every version of a chain is answered as before',
  async () => {
    for (const { states, dates, made } of chains) {
      const [last, now] = [states.at(-1) as State, made.at(-1) as BuiltService];
      for (const [at, then] of states.slice(0, -1).entries()) {
        // Several edits together may break what none of them breaks; impact reports that, too.
        if (noticed(then, last).length > 0) continue;
        const [before, after] = [await answers(made[at] as BuiltService, null), await answers(now, dates[at] ?? null)];
        expect([seed, dates[at], ...after]).toEqual([seed, dates[at], ...before]);
      }
    }
  },
  count(300_000, 7_200_000),
);
