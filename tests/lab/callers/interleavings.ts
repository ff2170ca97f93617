// Two callers work on one book at the same time: they add words to its note, lend it, take it back and use it, in an order
// drawn from a seed. The answers they get are compared with the state of the service at the end.

import type { Connection } from '../../processes/connections.js';
import { type Chance, chanceOf } from '../../support/chance.js';
import type { Pair } from './arrangements.js';

const STEPS = 6;
const PASSWORD = 'correct horse battery';

/** The result of a run; `lostWords`, `lentTwice` and `miscounted` are faults. */
export interface Tally {
  interleavings: number;
  /** Acknowledged words that are missing. */
  lostWords: number;
  /** Books with two loans at a time. */
  lentTwice: number;
  /** Counts that differ from what was acknowledged. */
  miscounted: number;
  /** Updates refused because of their tags, and loans refused because the book was lent, both caused by the other caller. */
  stale: number;
  lentAlready: number;
  /** Interleavings that were replaced because the service was unavailable (503) during them. */
  abandoned: number;
}

export interface Run {
  readonly seed: number;
  readonly interleavings: number;
  readonly isTagged: boolean;
}

/** Each pair of connections takes the next interleaving as soon as it has finished one. */
export async function interleave(pairs: readonly Pair[], run: Run): Promise<Tally> {
  const faults = { lostWords: 0, lentTwice: 0, miscounted: 0 };
  const tally: Tally = { interleavings: 0, ...faults, stale: 0, lentAlready: 0, abandoned: 0 };
  const session = await logIn(pairs);
  let begun = 0;
  const work = async (pair: Pair): Promise<void> => {
    while (begun - tally.abandoned < run.interleavings) {
      begun += 1;
      const chance = chanceOf(run.seed * 1_000_003 + begun);
      try {
        await runInterleaving(pair, { session, chance, isTagged: run.isTagged, tally });
        tally.interleavings += 1;
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        tally.abandoned += 1;
      }
    }
  };
  await Promise.all(pairs.map(work));
  return tally;
}

async function logIn([pair]: readonly Pair[]): Promise<string> {
  if (pair === undefined) throw new Error('there are no connections');
  const account = { username: `reader ${process.hrtime.bigint()}`, password: PASSWORD };
  await sendRequest(pair[0], 'POST', '/api/reader', { parameters: account });
  return (await sendRequest(pair[0], 'POST', '/api/session', { parameters: account })).body.id;
}

interface RunContext {
  readonly session: string;
  readonly chance: Chance;
  readonly isTagged: boolean;
  readonly tally: Tally;
}

/** The writes that were acknowledged to the callers. */
interface Acknowledgements {
  readonly words: string[];
  /** Ids of loans. */
  readonly loans: string[];
  returns: number;
  uses: number;
}

interface InterleavingContext extends RunContext {
  readonly shelf: string;
  readonly book: string;
  readonly acknowledged: Acknowledgements;
}

async function runInterleaving(pair: Pair, run: RunContext): Promise<void> {
  const [left, right] = pair;
  const { session, tally } = run;
  const shelf = (await sendRequest(left, 'POST', '/api/shelf', { session, parameters: {} })).body.id;
  const book = (await sendRequest(right, 'POST', '/api/book', { session, parameters: { shelf_id: shelf } })).body.id;
  const acknowledged: Acknowledgements = { words: [], loans: [], returns: 0, uses: 0 };
  const context: InterleavingContext = { ...run, shelf, book, acknowledged };
  const results = await Promise.allSettled(pair.map((caller, at) => runSteps(caller, `caller${at}`, context)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  const shelved = (await sendRequest(left, 'GET', `/api/shelf/${shelf}`, { session })).body;
  const { note, uses } = (await sendRequest(right, 'GET', `/api/book/${book}`, { session })).body;
  const open = (await sendRequest(left, 'GET', `/api/shelf/${shelf}/open`, { session })).body.items.length;
  const words = String(note).split(' ');
  tally.lostWords += acknowledged.words.filter((word) => !words.includes(word)).length;
  if (open > 1 || shelved.most > 1) tally.lentTwice += 1;
  const out = acknowledged.loans.length - acknowledged.returns;
  const counts = [shelved.lent, uses, open, shelved.out, shelved.open_count];
  if (counts.join() !== [acknowledged.loans.length, acknowledged.uses, out, out, out].join()) tally.miscounted += 1;
}

/** The steps are drawn before the first request, so that they depend on the seed alone. */
async function runSteps(caller: Connection, name: string, context: InterleavingContext): Promise<void> {
  const steps = Array.from({ length: STEPS }, () => context.chance.weighted(CHOICES));
  for (const [at, step] of steps.entries()) await step(caller, context, `${name}.${at}`);
}

type Step = (caller: Connection, context: InterleavingContext, word: string) => Promise<void>;

/** Reads the note and writes it with one more word, again and again until that is acknowledged. */
const addWord: Step = async (caller, { session, book, isTagged, acknowledged, tally }, word) => {
  const path = `/api/book/${book}`;
  for (;;) {
    const { body, tag } = await sendRequest(caller, 'GET', path, { session });
    const parameters = { note: `${body.note ?? ''} ${word}` };
    const condition = isTagged && tag !== undefined ? { ifMatch: tag } : {};
    const { status } = await sendRequest(caller, 'PUT', path, { session, parameters, ...condition }, 412);
    if (status !== 412) break;
    tally.stale += 1;
  }
  acknowledged.words.push(word);
};

const lend: Step = async (caller, { session, shelf, book, acknowledged, tally }) => {
  const parameters = { shelf_id: shelf, book_id: book };
  const { status, body } = await sendRequest(caller, 'POST', '/api/loan', { session, parameters }, 409);
  if (status === 409) tally.lentAlready += 1;
  else acknowledged.loans.push(body.id);
};

/** Returns the latest loan, which the other caller may do at the same time. */
const takeBack: Step = async (caller, { session, acknowledged }) => {
  const loan = acknowledged.loans.at(-1);
  if (loan === undefined) return;
  const { status } = await sendRequest(caller, 'POST', `/api/loan/${loan}/return`, { session }, 409);
  if (status !== 409) acknowledged.returns += 1;
};

const use: Step = async (caller, { session, book, acknowledged }) => {
  await sendRequest(caller, 'POST', `/api/book/${book}/use`, { session });
  acknowledged.uses += 1;
};

const CHOICES = [
  [3, addWord],
  [3, lend],
  [2, takeBack],
  [1, use],
] as const satisfies readonly (readonly [number, Step])[];

/** The service answered 503, so that it is unknown whether the request was executed. */
class Unavailable extends Error {}

/** @param refusal the only status other than success that is accepted */
async function sendRequest(
  caller: Connection,
  method: string,
  path: string,
  options: Parameters<Connection['send']>[2],
  refusal = 0,
): ReturnType<Connection['send']> {
  const answer = await caller.send(method, path, options);
  if (answer.status === 503) throw new Unavailable(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  if (answer.status >= 300 && answer.status !== refusal)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
