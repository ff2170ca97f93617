// Sales enter a real server over HTTP, their events leave it for a real receiver, and the server is killed again and again.
// Compares what was acknowledged with what arrived.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService, type Service } from '../../runtime/server/open-service.js';
import { type Server, serve } from '../cli/processes.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { databaseOf } from '../support/database.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { type HttpReceiver, type Received, signedBy, startHttpReceiver } from './http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from './subscriber.js';

export interface Findings {
  /** Acknowledged sales. */
  readonly sales: number;
  /** Callbacks that arrived. */
  readonly posts: number;
  /** `hook sale` of every event of an acknowledged sale that never arrived. */
  readonly lost: readonly string[];
  /** Callbacks with a wrong signature. */
  readonly unsigned: number;
  /** Callbacks that arrived although the receiver had answered 200 before. */
  readonly repeated: number;
  /** Attempts that the database had in flight, summed over the kills. */
  readonly inFlight: number;
  /** Deliveries that were repeated more often than they were in flight at a kill. */
  readonly unexplained: readonly string[];
}

interface Ground {
  readonly folder: string;
  readonly database: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly admin: string;
  readonly buyer: string;
}

const HOOKS = 6;
const WRITERS = 4;

/** @param preload a script that the server loads first; null: none */
export async function crash(kills: number, seed: number, preload: string | null): Promise<Findings> {
  const ground = await prepare(preload);
  const chance = chanceOf(seed);
  const receiver = await startHttpReceiver();
  const book = createBook(receiver, chanceOf(seed + 1));
  let subscriber: Subscriber | null = null;
  for (let kill = 0; kill < kills; kill += 1) {
    if (chance.happens(0.2)) await killedWhileStarting(ground, chance, book);
    const server = await serve(ground.args, ground.folder, ground.env);
    subscriber ??= await openShop(server.address, ground, book);
    await killUnderLoad(server, ground, { subscriber, book, chance });
    book.killed(claimed(ground.database));
  }
  const last = await serve(ground.args, ground.folder, ground.env);
  await delivered(last.address, receiver);
  last.process.kill('SIGTERM');
  await last.ended;
  await receiver.close();
  return book.findings();
}

async function prepare(preload: string | null): Promise<Ground> {
  const folder = temporaryFolder('webhook-crash');
  const database = join(folder, 'punchboard.db');
  const now = Date.now();
  const service = await openService(
    { database, wire: 'plain', generated: null, owner: true, random: randomBytes },
    now,
  );
  const [owner, admin, buyer] = [
    await login(service, 'owner'),
    await login(service, 'admin', true),
    await login(service, 'buyer'),
  ];
  service.engine.close();
  const where = ['--port', '0', '--database', database, '--files', join(folder, 'files')];
  const how = ['--rate-limit', '0', '--log-level', 'error', '--webhook-retry-unit-ms', '20'];
  const env = preload === null ? {} : { NODE_OPTIONS: `--require ${preload}` };
  return {
    folder,
    database,
    args: [...where, ...how, '--webhook-allow-cidrs', '127.0.0.0/8', '--metrics-token', METRICS_TOKEN],
    env,
    owner: owner.session,
    admin: admin.session,
    buyer: buyer.id,
  };
}

async function login(service: Service, username: string, admin = false) {
  const now = Date.now();
  const { id } = JSON.parse(await addUser(service, { username, password: 'correct horse', admin }, now)) as {
    id: string;
  };
  const find = databaseOf(service).prepare<[string], string>(
    `SELECT password FROM "${service.principal.name}" WHERE id = ?`,
  );
  const session = await service.sessions.open({ user: id, password: find.pluck().get(id) ?? '', apiKey: null }, now);
  return { id, session: session.id };
}

async function openShop(address: string, { owner }: Ground, book: Book): Promise<Subscriber> {
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

/** Kills after a drawn number of sales and some turns of the event loop, to meet it in any state. */
async function killUnderLoad(server: Server, ground: Ground, { subscriber, book, chance }: Load): Promise<void> {
  const enough = book.sales.size + 10 + chance.below(40);
  const turns = chance.below(40);
  const kill = (left: number): void => {
    if (left > 0) setImmediate(kill, left - 1);
    else server.process.kill('SIGKILL');
  };
  let reached = false;
  const write = async (): Promise<void> => {
    for (;;) {
      const sku = `sale-${book.next()}`;
      try {
        await sell(server.address, ground, { game: subscriber.game, sku });
      } catch {
        return;
      }
      book.sales.add(sku);
      if (reached || book.sales.size < enough) continue;
      reached = true;
      kill(turns);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await server.ended;
}

/** Spawn itself kills it after a drawn time, also once it has started. */
async function killedWhileStarting({ args, folder, env, database }: Ground, chance: Chance, book: Book): Promise<void> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' as const };
  const timeout = 50 + chance.below(400);
  await once(spawn(process.execPath, [BIN, 'serve', ...args], { ...options, timeout, killSignal: 'SIGKILL' }), 'close');
  book.killed(claimed(database));
}

/** Deliveries in flight when the server died. */
function claimed(path: string): readonly string[] {
  const db = new Database(path);
  const found = db.prepare<[], string>('SELECT id FROM webhook_delivery WHERE attempt_id IS NOT NULL').pluck().all();
  db.close();
  return found;
}

/** Resolves when the server has nothing left to send. While nothing is in flight, there is nothing to ask before the next callback. */
async function delivered(address: string, { posts, until }: HttpReceiver): Promise<void> {
  for (;;) {
    const { length } = posts;
    const { text } = await clientOf(address)('GET', '/metrics', { session: METRICS_TOKEN });
    if (/^punchboard_webhook_in_flight [1-9]/m.test(text)) continue;
    if (!/^punchboard_webhook_(due|waiting|held) [1-9]/m.test(text)) return;
    await until((all) => (all.length > length ? true : undefined));
  }
}

interface Book {
  readonly address: string;
  readonly hooks: string[];
  readonly sales: Set<string>;
  key: string;
  next(): number;
  killed(inFlight: readonly string[]): void;
  findings(): Findings;
}

function createBook(receiver: HttpReceiver, chance: Chance): Book {
  const accepted = new Map<string, number>();
  const flying = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  let [made, inFlight] = [0, 0];
  // One of the receivers refuses now and then.
  receiver.answer = (post) => {
    if (post.path === '/0' && chance.happens(0.3)) return 500;
    add(accepted, post.delivery);
    return 200;
  };
  const { posts } = receiver;
  const book: Book = {
    address: receiver.address,
    hooks: [],
    sales: new Set(),
    key: '',
    next: () => (made += 1),
    killed(deliveries) {
      inFlight += deliveries.length;
      for (const delivery of deliveries) add(flying, delivery);
    },
    findings() {
      const arrived = new Set(posts.filter(({ said }) => said.type === 'data').map(nameOf));
      const expected = book.hooks.flatMap((hook) => [...book.sales].map((sku) => `${hook} ${sku}`));
      const again = [...accepted].filter(([, times]) => times > 1);
      return {
        sales: book.sales.size,
        posts: posts.length,
        lost: expected.filter((name) => !arrived.has(name)),
        unsigned: posts.filter((post) => !signedBy(book.key, post)).length,
        repeated: again.reduce((sum, [, times]) => sum + times - 1, 0),
        inFlight,
        unexplained: again.filter(([id, times]) => times - 1 > (flying.get(id) ?? 0)).map(([id]) => id),
      };
    },
  };
  return book;
}

function nameOf({ said }: Received): string {
  return `${said.id} ${said.payload.item.sku_id}`;
}
