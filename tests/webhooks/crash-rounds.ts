// Enters sales over HTTP at a real server, which sends their events to a real receiver, kills the server again and again, and
// compares what was acknowledged with what arrived.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService, type Service } from '../../runtime/server/open-service.js';
import { OURS, type Server, serve } from '../cli/processes.js';
import { workerPids } from '../processes/connections.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { CHEAP_PASSWORDS, METRICS_TOKEN, sessionOf } from '../support/quiet-service.js';
import { type Book, createBook, type Findings } from './crash-book.js';
import { type HttpReceiver, startHttpReceiver } from './http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from './subscriber.js';

/** The sessions of the owner of the hooks and of the administrator who enters sales, and the id of the buyer. */
export interface People {
  readonly owner: string;
  readonly admin: string;
  readonly buyer: string;
}

interface WebhookCrashFixture extends People {
  readonly folder: string;
  readonly database: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const HOOKS = 6;
const WRITERS = 4;

/** @param preload a script that the server loads first, or null @param options further options of `punchboard serve` */
export async function crash(
  kills: number,
  seed: number,
  preload: string | null,
  options: readonly string[] = [],
): Promise<Findings> {
  const fixture = await prepare(preload, options);
  const chance = chanceOf(seed);
  const receiver = await startHttpReceiver();
  const book = createBook(receiver, chanceOf(seed + 1));
  let subscriber: Subscriber | null = null;
  for (let kill = 0; kill < kills; kill += 1) {
    if (chance.happens(0.2)) await killWhileStarting(fixture, chance, book);
    const server = await serve(fixture.args, fixture.folder, fixture.env);
    subscriber ??= await openShop(server.address, fixture, book);
    await killUnderLoad(server, fixture, { subscriber, book, chance });
    book.killed(claimedDeliveries(fixture.database));
  }
  const last = await serve(fixture.args, fixture.folder, fixture.env);
  await delivered(last.address, receiver);
  await last.end('SIGTERM');
  await receiver.close();
  return book.findings();
}

async function prepare(preload: string | null, options: readonly string[]): Promise<WebhookCrashFixture> {
  const folder = temporaryFolder('webhook-crash');
  const database = join(folder, 'punchboard.db');
  const now = Date.now();
  const service = await openService(
    { database, wire: 'plain', generated: null, owner: true, random: randomBytes, passwordCost: CHEAP_PASSWORDS },
    now,
  );
  const people = await makePeople(service);
  service.engine.close();
  const paths = ['--port', '0', '--database', database, '--files', join(folder, 'files')];
  const settings = ['--rate-limit', '0', '--log-level', 'error', '--webhook-retry-unit-ms', '20'];
  const env = preload === null ? {} : { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT, preload) };
  return {
    folder,
    database,
    args: [...paths, ...settings, ...options, '--webhook-allow-cidrs', '127.0.0.0/8', '--metrics-token', METRICS_TOKEN],
    env,
    ...people,
  };
}

/** Adds the users, to a database that has none of them yet. */
export async function makePeople(service: Service): Promise<People> {
  const [owner, admin, buyer] = [
    await login(service, 'owner'),
    await login(service, 'admin', true),
    await login(service, 'buyer'),
  ];
  return { owner: owner.session, admin: admin.session, buyer: buyer.id };
}

async function login(service: Service, username: string, admin = false) {
  const now = Date.now();
  const { id } = JSON.parse(await addUser(service, { username, password: 'correct horse', admin }, now)) as {
    id: string;
  };
  return { id, session: await sessionOf({ service }, { user: id, now }) };
}

/** Creates hooks of a new subscriber, for the sales of its game. */
export async function openShop(address: string, { owner }: People, book: Book): Promise<Subscriber> {
  const subscriber = await makeSubscriber(address, owner);
  book.key = subscriber.key.secret;
  for (let at = 0; at < HOOKS; at += 1) {
    book.hooks.push((await subscribe(address, subscriber, `${book.address}/${at}`)).id);
  }
  return subscriber;
}

interface Load {
  readonly subscriber: Subscriber;
  readonly book: Book;
  readonly chance: Chance;
}

/**
 * Kills the server after a random number of sales and of turns of the event loop, to catch it in any state. If there are
 * several processes, one that serves is killed earlier, and the others go on.
 */
async function killUnderLoad(
  server: Server,
  fixture: WebhookCrashFixture,
  { subscriber, book, chance }: Load,
): Promise<void> {
  const salesBefore = book.sales.size;
  const enough = salesBefore + 10 + chance.below(40);
  const turns = chance.below(40);
  const kill = (left: number): void => {
    if (left > 0) setImmediate(kill, left - 1);
    else server.process.kill('SIGKILL');
  };
  const workers = [...workerPids(server.process.pid ?? 0)];
  let reached = false;
  const write = async (): Promise<void> => {
    for (;;) {
      const sku = `sale-${book.next()}`;
      try {
        await sell(server.address, fixture, { game: subscriber.game, sku });
      } catch {
        if (reached) return;
        // The request went to the killed process; the next one goes to another.
        continue;
      }
      book.sales.add(sku);
      if (book.sales.size >= (salesBefore + enough) / 2 && workers.length > 0) {
        process.kill(workers.splice(0)[0] ?? 0, 'SIGKILL');
      }
      if (reached || book.sales.size < enough) continue;
      reached = true;
      kill(turns);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await server.ended;
}

/** `spawn` itself kills the server after a random time, even if it has started by then. */
async function killWhileStarting(
  { args, folder, env, database }: WebhookCrashFixture,
  chance: Chance,
  book: Book,
): Promise<void> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...OURS, ...env }, stdio: 'ignore' as const };
  const timeout = 50 + chance.below(400);
  await once(spawn(process.execPath, [BIN, 'serve', ...args], { ...options, timeout, killSignal: 'SIGKILL' }), 'close');
  book.killed(claimedDeliveries(database));
}

/** Deliveries in flight when the server died. */
function claimedDeliveries(path: string): readonly string[] {
  const db = new Database(path);
  const ids = db.prepare<[], string>('SELECT id FROM webhook_delivery WHERE attempt_id IS NOT NULL').pluck().all();
  db.close();
  return ids;
}

/** Resolves when the servers have nothing left to send. While nothing is in flight, nothing changes before the next callback. */
export async function delivered(address: string, { posts, until }: HttpReceiver): Promise<void> {
  for (;;) {
    const { length } = posts;
    const { text } = await clientOf(address)('GET', '/metrics', { session: METRICS_TOKEN });
    if (/^punchboard_webhook_in_flight [1-9]/m.test(text)) continue;
    if (!/^punchboard_webhook_(due|waiting|held) [1-9]/m.test(text)) return;
    await until((all) => (all.length > length ? true : undefined));
  }
}
