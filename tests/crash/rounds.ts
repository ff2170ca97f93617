// Starts the server, kills it under the load of the writers, starts it again and compares with what was acknowledged.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import { OURS, type Server, serve } from '../cli/processes.js';
import { workerPids } from '../processes/connections.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { databaseOf } from '../support/database.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { openedAt } from '../support/quiet-service.js';
import { createLedger, type Entry, type Ledger } from './ledger.js';
import { doubles, newWriter, stateNow, type Target, type Writer, write } from './writers.js';

export interface CrashFixture {
  readonly folder: string;
  readonly database: string;
  readonly args: readonly string[];
  readonly session: string;
}

export interface Outcome {
  /** Acknowledged writes. */
  readonly answers: number;
  /** Each record that is not as acknowledged, and the problems that the database's own checks report. */
  readonly losses: readonly string[];
}

const WRITERS = 12;

/** A database with one user, whose session the writers use. */
export async function prepare(processes = 1): Promise<CrashFixture> {
  const folder = temporaryFolder('crash');
  const database = join(folder, 'punchboard.db');
  const now = Date.now();
  const service = await openService(openedAt(database), now);
  const user = await addUser(service, { username: 'writer', password: 'correct horse', admin: false }, now);
  const { id } = JSON.parse(user) as { readonly id: string };
  const find = databaseOf(service).prepare<[string], string>(
    `SELECT password FROM "${service.principal.name}" WHERE id = ?`,
  );
  const session = await service.sessions.open({ user: id, password: find.pluck().get(id) ?? '', apiKey: null }, now);
  service.engine.close();
  const options = [
    '--database',
    database,
    '--files',
    join(folder, 'files'),
    '--rate-limit',
    '0',
    '--log-level',
    'error',
    '--processes',
    String(processes),
  ];
  return { folder, database, args: ['--port', '0', ...options], session: session.id };
}

/** @param preload a script that the server loads first; null: none */
export async function crash(
  fixture: CrashFixture,
  kills: number,
  seed: number,
  preload: string | null,
): Promise<Outcome> {
  const env = preload === null ? {} : { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT, preload) };
  const ledger = createLedger();
  const writers = Array.from({ length: WRITERS }, (_, at) => newWriter(chanceOf(seed + at)));
  const chance = chanceOf(seed - 1);
  const losses: string[] = [];
  let shelf: Shelf | null = null;
  for (let kill = 0; kill <= kills; kill += 1) {
    if (chance.happens(0.2)) await killedWhileStarting(fixture, env, chance);
    const server = await serve(fixture.args, fixture.folder, env);
    const client = { address: server.address, session: fixture.session };
    shelf ??= await makeShelf(client);
    const target: Target = { ...client, ...shelf };
    // At the end, everything is compared again: a later crash must not undo what survived an earlier one.
    const entries = kill === kills ? ledger.all() : ledger.touched();
    losses.push(...(await compare(target, entries)), ...damages(fixture.database));
    if (kill === kills) losses.push(...(await doubles(target)));
    forgetLost(writers);
    if (kill < kills) await killUnderLoad(server, target, { writers, ledger, chance });
    else await stopped(server, losses);
  }
  return { answers: ledger.answers, losses };
}

/** The parents of the writers' records. */
export type Shelf = Pick<Target, 'game' | 'deck'>;

export async function makeShelf({ address, session }: Pick<Target, 'address' | 'session'>): Promise<Shelf> {
  const send = clientOf(address);
  const designer = await send('POST', '/api/designer', { session, parameters: { name: 'Writers' } });
  const game = await send('POST', '/api/game', { session, parameters: { name: 'Log', designer_id: designer.body.id } });
  const parameters = { name: 'Cards', game_id: game.body.id };
  const deck = await send('POST', '/api/deck', { session, parameters });
  return { game: game.body.id, deck: deck.body.id };
}

interface Load {
  readonly writers: readonly Writer[];
  readonly ledger: Ledger;
  readonly chance: Chance;
}

/** Kills a random number of turns of the event loop after a random number of answers, so that the server is in any state. */
async function killUnderLoad(server: Server, target: Target, { writers, ledger, chance }: Load): Promise<void> {
  const enough = ledger.answers + 20 + chance.below(250);
  const before = ledger.all().length;
  const turns = chance.below(40);
  let dead = false;
  const kill = (left: number): void => {
    if (left > 0) setImmediate(kill, left - 1);
    else server.process.kill('SIGKILL');
  };
  const half = (ledger.answers + enough) / 2;
  let serving: readonly number[] | null = null;
  const reached = (): boolean => {
    if (serving === null && ledger.answers >= half) {
      serving = server.process.pid === undefined ? [] : workerPids(server.process.pid);
      // Its clients stop, and the clients of other processes go on.
      if (serving.length > 0 && chance.happens(0.7)) process.kill(chance.one(serving), 'SIGKILL');
    }
    if (!dead && ledger.answers >= enough && hasBothSorts(ledger.all().slice(before))) {
      dead = true;
      kill(turns);
    }
    return false;
  };
  try {
    await Promise.all(writers.map((writer) => write(target, writer, ledger, reached)));
  } finally {
    await server.end();
  }
}

/** Whether both a record and an upload exist, so that a round could lose either. */
function hasBothSorts(created: readonly Entry[]): boolean {
  return created.some(({ hash }) => hash === null) && created.some(({ hash }) => hash !== null);
}

/** `spawn` kills it after a random time; a server that has already started dies as well. */
async function killedWhileStarting(
  { args, folder }: CrashFixture,
  env: Record<string, string>,
  chance: Chance,
): Promise<void> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...OURS, ...env }, stdio: 'ignore' as const };
  const timeout = 50 + chance.below(400);
  await once(spawn(process.execPath, [BIN, 'serve', ...args], { ...options, timeout, killSignal: 'SIGKILL' }), 'close');
}

/** Records that are not as acknowledged. */
export async function compare(target: Target, entries: readonly Entry[]): Promise<readonly string[]> {
  const losses: string[] = [];
  for (const entry of entries) {
    const state = await stateNow(target, entry);
    const { resource, id, possible } = entry;
    if (!possible.includes(state)) losses.push(`${resource} ${id}: ${JSON.stringify({ possible, found: state })}`);
    // The outcome of an unanswered change is known now.
    entry.possible = [state];
  }
  return losses;
}

/** The writers stop using records that an unanswered delete, or a crash, has removed. */
export function forgetLost(writers: readonly Writer[]): void {
  for (const writer of writers) writer.own = writer.own.filter(({ entry }) => entry.possible[0] !== null);
}

function damages(database: string): readonly string[] {
  const db = new Database(database, { readonly: true });
  const integrity = db.pragma('integrity_check', { simple: true });
  const dangling = db.pragma('foreign_key_check') as readonly unknown[];
  db.close();
  return [
    ...(integrity === 'ok' ? [] : [`integrity: ${integrity}`]),
    ...dangling.map((one) => `dangling: ${JSON.stringify(one)}`),
  ];
}

async function stopped(server: Server, losses: string[]): Promise<void> {
  const { code, stderr } = await server.end('SIGTERM');
  if (code !== 0) losses.push(`the last server ended with ${code}: ${stderr}`);
}
