// How long requests of one account take while another sends as many costly requests as its limits allow: with the default
// limits, on a server that has just started, so that the other account has its whole minute left, in five rounds.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type BenchOptions, textOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill, PASSWORD } from '../fixture.js';
import { type LoadGenerator, type LoadResult, startLoad } from '../load.js';
import { type Server, startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { median, stopped } from '../throughput.js';

/** Requests of the account that is measured: half of what its own limit allows. */
const RATES = { fetches: 60, creates: 10 };
const CONNECTIONS = 8;
/** Connections of the other account, which sends the next request as soon as one is answered. */
const HOSTILE_CONNECTIONS = 16;
/** The number of records of the game that is copied, and of a bulk create. */
const COPIED = 900;
const BULK = 100;
const UPLOADS = { count: 8, bytes: 1024 * 1024 };

interface NeighbourScene {
  readonly quiet: BenchFixture;
  readonly hostile: BenchFixture;
  readonly loads: { readonly fetches: LoadGenerator; readonly creates: LoadGenerator; readonly hostile: LoadGenerator };
  readonly held: number;
}

/** Times of fetches and creates, alone and next to the other account. */
type Round = Readonly<Record<'fetch' | 'create', { readonly alone: LoadResult; readonly beside: LoadResult }>>;

export async function* neighbours(folder: string, { turns, held }: Extent): AsyncIterable<BenchResult> {
  const database = join(folder, 'bench.db');
  const quiet = await fill({ database, folder });
  const hostile = await fill({ database, folder, username: 'hostile', records: COPIED });
  const loads = { fetches: startLoad(false), creates: startLoad(false), hostile: startLoad(false) };
  const rounds: Round[] = [];
  try {
    for (let turn = 0; turn < turns; turn++) {
      const places = ['--database', database, '--files', join(folder, 'files')];
      const server = await startServer('punchboard', null, places, false);
      rounds.push(await stopped([server], () => round(server, { quiet, hostile, loads, held })));
    }
  } finally {
    for (const load of Object.values(loads)) load.stop();
  }
  const rows = (['fetch', 'create'] as const).map((what) => rowOf(what, rounds));
  yield {
    name: 'neighbours',
    note: `default limits; of ${turns} runs the median; the other account copies ${COPIED} records, creates ${BULK} at once, uploads ${UPLOADS.bytes / 1024 ** 2} MiB and logs in over ${HOSTILE_CONNECTIONS} connections`,
    table: [
      ['', 'p95 alone, ms', 'p95 beside, ms', 'ratio', 'p99 beside, ms', 'refused'],
      ...rows.map(({ row }) => row),
    ],
    reached: {
      'fetch beside an account at its limits: p95, ms': rows[0]?.beside,
      'create beside an account at its limits: p95, ms': rows[1]?.beside,
    },
  };
}

async function round({ port, address }: Server, { quiet, hostile, loads, held }: NeighbourScene): Promise<Round> {
  const job = { port, connections: CONNECTIONS, milliseconds: held };
  const user = bearer(quiet);
  const reads = quiet.ids.map((id) => textOf({ method: 'GET', path: `/api/boxtop/${id}`, headers: user, body: null }));
  const create = textOf(sent('/api/boxtop', user, { name: 'Box', game_id: quiet.spare.game }));
  const both = () =>
    Promise.all([
      loads.fetches.run({ ...job, requests: reads, perSecond: RATES.fetches }),
      loads.creates.run({ ...job, requests: [create], perSecond: RATES.creates }),
    ]);
  const costly = await hostileRequests(address, hostile);
  const alone = await both();
  const under = loads.hostile.run({ ...job, requests: costly, connections: HOSTILE_CONNECTIONS });
  const beside = await both();
  await under;
  return { fetch: { alone: alone[0], beside: beside[0] }, create: { alone: alone[1], beside: beside[1] } };
}

/** All requests that cost more than one, in turn. */
async function hostileRequests(address: string, { game, session, username }: BenchFixture): Promise<readonly string[]> {
  const user = bearer({ session });
  const { path, headers, body } = sent('/api/deck', user, { name: 'Deck', game_id: game, identity: 'PokerDeck' });
  const deck = (await (await fetch(address + path, { method: 'POST', headers, body })).json()) as { id: string };
  const cards = Array.from({ length: BULK }, (_, at) => ({ name: `Card ${at}` }));
  const costly = [
    sent(`/api/game/${game}/copy`, user, {}),
    sent(`/api/deck/${deck.id}/bulk-cards`, user, { cards }),
    sent('/api/session', {}, { username, password: PASSWORD }),
  ];
  return Array.from({ length: UPLOADS.count }, () => [...costly, upload(user)])
    .flat()
    .map(textOf);
}

function bearer({ session }: Pick<BenchFixture, 'session'>): BenchOptions['headers'] {
  return { Authorization: `Bearer ${session}` };
}

function sent(path: string, user: BenchOptions['headers'], value: object): BenchOptions {
  const body = JSON.stringify(value);
  const headers = { ...user, 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  return { method: 'POST', path, headers, body };
}

function upload(user: BenchOptions['headers']): BenchOptions {
  const bytes = randomBytes(UPLOADS.bytes / 2).toString('hex');
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${bytes}\r\n--x--\r\n`;
  const content = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': String(body.length) };
  return { method: 'POST', path: '/api/file', headers: { ...user, ...content }, body };
}

function rowOf(what: keyof Round, rounds: readonly Round[]) {
  const middle = (figure: (round: Round[keyof Round]) => number): number =>
    median(rounds.map((one) => figure(one[what])));
  const [alone, beside] = [middle((one) => one.alone.p95), middle((one) => one.beside.p95)];
  const refused = rounds.reduce((sum, one) => sum + one[what].alone.failures + one[what].beside.failures, 0);
  const p99 = middle((one) => one.beside.p99);
  return {
    beside,
    row: [what, alone.toFixed(1), beside.toFixed(1), ratio(beside, alone), p99.toFixed(1), `${refused}`],
  };
}
