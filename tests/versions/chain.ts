// Chains of random edits of the small spec with a cut after every few of them, and the answers that its versions give.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../../runtime/contract/memoize.js';
import { edited, PAIRS, type Pair, type State, state } from '../evolution/pairs.js';
import { chanceOf } from '../support/chance.js';
import { temporaryFolder } from '../support/paths.js';
import { answers, type BuiltService, compileAll, make, prepare } from './bench.js';
import { isUnseen, notices, STARTED } from './groups.js';
import type { RecordedAnswer } from './requests.js';

/** Edits that are tried between two cuts. */
const EDITS = 5;

export interface Compared {
  /** Versions whose answers were compared. */
  readonly versions: number;
  readonly answers: number;
  /** Versions whose callers see several edits together, though none of them alone; impact reports that. */
  readonly skipped: number;
  readonly differences: readonly Difference[];
}

interface Difference {
  readonly seed: number;
  readonly version: string;
  readonly request: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Step {
  readonly date: string;
  readonly state: State;
  readonly service: BuiltService;
}

interface Chain {
  readonly seed: number;
  readonly steps: readonly Step[];
}

type CompareChains = (seeds: readonly number[]) => Promise<Compared>;

/** @returns a function that creates a chain from each seed, and compares the answers of its versions with those of their services */
export function createChains(cuts: number): CompareChains {
  const start = stepOf([state(STARTED, null)], 0, { generated: join(preparedFolder(), 'start'), isLast: false });
  compileAll([start.service]);
  const before = memoize((wire: Wire) => answers(start.service, null, { wire }));
  return async (seeds) => {
    const folder = preparedFolder();
    const chains = seeds.map((seed): Chain => {
      const states = statesOf(start.state, seed, cuts);
      const steps = states.map((_, at) =>
        at === 0 ? start : stepOf(states, at, { generated: join(folder, `${seed}-${at}`), isLast: at === cuts }),
      );
      return { seed, steps };
    });
    compileAll(chains.flatMap(({ steps }) => steps.slice(1)).map(({ service }) => service));
    const all: Compared[] = [];
    for (const chain of chains) {
      const wire = chain.seed % 2 === 0 ? 'plain' : 'wing';
      for (const step of chain.steps.slice(0, -1))
        all.push(await compareStep(chain, step, { wire, before: step === start ? before(wire) : null }));
    }
    forget(folder);
    return sumOf(all);
  };
}

function preparedFolder(): string {
  const folder = temporaryFolder('version-chains');
  prepare(folder);
  return folder;
}

type Wire = 'plain' | 'wing';

/** The states after every few random edits, and the first. */
function statesOf(first: State, seed: number, cuts: number): readonly State[] {
  const chance = chanceOf(seed);
  const shuffled = PAIRS.filter(({ before }) => before === undefined)
    .map((pair) => ({ pair, at: chance.unit() }))
    .sort((one, other) => one.at - other.at);
  const pairs = firstUnseen(
    shuffled.map(({ pair }) => pair),
    cuts * EDITS,
  );
  const states = [first];
  for (let at = 0; at < cuts; at++) states.push(after(states[at] as State, pairs.slice(at * EDITS, (at + 1) * EDITS)));
  return states;
}

/** The first pairs whose edits callers of a version do not notice, as many as requested. */
function firstUnseen(pairs: readonly Pair[], number: number): readonly Pair[] {
  const unseen: Pair[] = [];
  for (const pair of pairs) {
    if (unseen.length === number) break;
    if (isUnseen(pair)) unseen.push(pair);
  }
  return unseen;
}

/** The state after the edits that fit it; edits that fit each other are compiled together. */
function after(last: State, pairs: readonly Pair[]): State {
  try {
    return state(
      pairs.reduce((texts, { edit }) => edited(texts, edit), last.texts),
      last.ledger,
    );
  } catch {
    if (pairs.length < 2) return last;
    const half = pairs.length >> 1;
    return after(after(last, pairs.slice(0, half)), pairs.slice(half));
  }
}

/** Only the last service has the versions of those before it. */
function stepOf(
  states: readonly State[],
  at: number,
  { generated, isLast }: { readonly generated: string; readonly isLast: boolean },
): Step {
  const now = states[at] as State;
  const earlier = isLast ? states.slice(0, at) : [];
  const cuts = Object.fromEntries(earlier.map((one, index) => [dateOf(index), one]));
  return { date: dateOf(at), state: now, service: make(generated, now, (states[at - 1] ?? now).ledger, cuts) };
}

function dateOf(at: number): string {
  return `2027-${String(at + 1).padStart(2, '0')}-01`;
}

interface Comparison {
  readonly wire: Wire;
  /** The answers of the service of the version, if they are known. */
  readonly before: Promise<readonly RecordedAnswer[]> | null;
}

async function compareStep({ seed, steps }: Chain, step: Step, { wire, before }: Comparison): Promise<Compared> {
  const last = steps.at(-1) as Step;
  if (notices(step.state, last.state).length > 0) return { versions: 0, answers: 0, skipped: 1, differences: [] };
  const then = await (before ?? answers(step.service, null, { wire }));
  const now = await answers(last.service, step.date, { wire });
  const differences = Array.from({ length: Math.max(then.length, now.length) }, (_, at) => at).flatMap((at) => {
    const [one, other] = [then[at], now[at]];
    if (one?.request === other?.request && one?.answer === other?.answer) return [];
    return [{ seed, version: step.date, request: one?.request, before: one?.answer, after: other?.answer }];
  });
  return { versions: 1, answers: now.length, skipped: 0, differences };
}

export function sumOf(all: readonly Compared[]): Compared {
  const sum = (of: 'versions' | 'answers' | 'skipped') => all.reduce((total, one) => total + one[of], 0);
  return {
    ...{ versions: sum('versions'), answers: sum('answers'), skipped: sum('skipped') },
    differences: all.flatMap(({ differences }) => differences),
  };
}

/** Node keeps every module that it has loaded, and each keeps those that it loaded first. */
function forget(folder: string): void {
  for (const path of Object.keys(require.cache)) if (path.startsWith(folder)) delete require.cache[path];
  for (const module of Object.values(require.cache))
    module?.children.splice(0, Infinity, ...module.children.filter(({ filename }) => !filename.startsWith(folder)));
  rmSync(folder, { recursive: true });
}
