// Two callers at work on one book at the same time: they add words to its note, lend it, take it back and use it, in an order
// that a seed draws. The answers that they got are compared with what the service shows at the end.

import type { Connection } from '../../processes/connections.js';
import { type Chance, chanceOf } from '../../support/chance.js';
import type { Pair } from './arrangements.js';

const STEPS = 6;
const PASSWORD = 'correct horse battery';

/** The result of a run; `lostWords`, `lentTwice` and `miscounted` are faults. */
export interface Tally {
  interleavings: number;
  /** Acknowledged words that are gone. */
  lostWords: number;
  /** Books with two loans at a time. */
  lentTwice: number;
  /** Counts that differ from what was acknowledged. */
  miscounted: number;
  /** Updates refused because of their tags, and loans refused because the book was lent: they show that the callers did meet. */
  stale: number;
  lentAlready: number;
  /** Interleavings that do not count, because the service was unavailable (503) meanwhile, and others took their place. */
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
  const session = await loggedIn(pairs);
  let begun = 0;
  const goOn = async (pair: Pair): Promise<void> => {
    while (begun - tally.abandoned < run.interleavings) {
      begun += 1;
      const chance = chanceOf(run.seed * 1_000_003 + begun);
      try {
        await playOne(pair, { session, chance, isTagged: run.isTagged, tally });
        tally.interleavings += 1;
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        tally.abandoned += 1;
      }
    }
  };
  await Promise.all(pairs.map(goOn));
  return tally;
}

async function loggedIn([pair]: readonly Pair[]): Promise<string> {
  if (pair === undefined) throw new Error('there are no connections');
  const who = { username: `reader ${process.hrtime.bigint()}`, password: PASSWORD };
  await sent(pair[0], 'POST', '/api/reader', { parameters: who });
  return (await sent(pair[0], 'POST', '/api/session', { parameters: who })).body.id;
}

interface CallersScene {
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

interface Stage extends CallersScene {
  readonly shelf: string;
  readonly book: string;
  readonly told: Acknowledgements;
}

async function playOne(pair: Pair, scene: CallersScene): Promise<void> {
  const [left, right] = pair;
  const { session, tally } = scene;
  const shelf = (await sent(left, 'POST', '/api/shelf', { session, parameters: {} })).body.id;
  const book = (await sent(right, 'POST', '/api/book', { session, parameters: { shelf_id: shelf } })).body.id;
  const told: Acknowledgements = { words: [], loans: [], returns: 0, uses: 0 };
  const stage: Stage = { ...scene, shelf, book, told };
  const walks = await Promise.allSettled(pair.map((caller, at) => walk(caller, `caller${at}`, stage)));
  for (const walked of walks) if (walked.status === 'rejected') throw walked.reason;
  const shelved = (await sent(left, 'GET', `/api/shelf/${shelf}`, { session })).body;
  const { note, uses } = (await sent(right, 'GET', `/api/book/${book}`, { session })).body;
  const open = (await sent(left, 'GET', `/api/shelf/${shelf}/open`, { session })).body.items.length;
  const words = String(note).split(' ');
  tally.lostWords += told.words.filter((word) => !words.includes(word)).length;
  if (open > 1 || shelved.most > 1) tally.lentTwice += 1;
  const out = told.loans.length - told.returns;
  const counts = [shelved.lent, uses, open, shelved.out, shelved.open_count];
  if (counts.join() !== [told.loans.length, told.uses, out, out, out].join()) tally.miscounted += 1;
}

/** The steps are drawn before the first request, so that they depend on the seed alone. */
async function walk(caller: Connection, name: string, stage: Stage): Promise<void> {
  const steps = Array.from({ length: STEPS }, () => stage.chance.weighted(CHOICES));
  for (const [at, step] of steps.entries()) await step(caller, stage, `${name}.${at}`);
}

type Step = (caller: Connection, stage: Stage, word: string) => Promise<void>;

/** Reads the note and writes it with one more word, again and again until that is acknowledged. */
const addWord: Step = async (caller, { session, book, isTagged, told, tally }, word) => {
  const path = `/api/book/${book}`;
  for (;;) {
    const { body, tag } = await sent(caller, 'GET', path, { session });
    const parameters = { note: `${body.note ?? ''} ${word}` };
    const condition = isTagged && tag !== undefined ? { ifMatch: tag } : {};
    const { status } = await sent(caller, 'PUT', path, { session, parameters, ...condition }, 412);
    if (status !== 412) break;
    tally.stale += 1;
  }
  told.words.push(word);
};

const lend: Step = async (caller, { session, shelf, book, told, tally }) => {
  const parameters = { shelf_id: shelf, book_id: book };
  const { status, body } = await sent(caller, 'POST', '/api/loan', { session, parameters }, 409);
  if (status === 409) tally.lentAlready += 1;
  else told.loans.push(body.id);
};

/** Takes the latest loan back, which the other caller may do as well. */
const takeBack: Step = async (caller, { session, told }) => {
  const loan = told.loans.at(-1);
  if (loan === undefined) return;
  const { status } = await sent(caller, 'POST', `/api/loan/${loan}/return`, { session }, 409);
  if (status !== 409) told.returns += 1;
};

const use: Step = async (caller, { session, book, told }) => {
  await sent(caller, 'POST', `/api/book/${book}/use`, { session });
  told.uses += 1;
};

const CHOICES = [
  [3, addWord],
  [3, lend],
  [2, takeBack],
  [1, use],
] as const satisfies readonly (readonly [number, Step])[];

/** Nobody knows whether the request was carried out. */
class Unavailable extends Error {}

/** @param refusal the only status other than success that is accepted */
async function sent(
  caller: Connection,
  method: string,
  path: string,
  what: Parameters<Connection['send']>[2],
  refusal = 0,
): ReturnType<Connection['send']> {
  const answer = await caller.send(method, path, what);
  if (answer.status === 503) throw new Unavailable(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  if (answer.status >= 300 && answer.status !== refusal)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
