// Three servers on one PostgreSQL under a load of sales and changes of records. Again and again some are killed and others start;
// acknowledged requests are compared with the records and with the callbacks to a receiver.

import type { Server } from '../cli/processes.js';
import { createLedger, type Ledger } from '../crash/ledger.js';
import { compare, forgetLost, makeShelf, type Shelf } from '../crash/rounds.js';
import { doubles, newWriter, type Target, type Writer, write } from '../crash/writers.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { type Book, createBook, type Findings } from '../webhooks/crash-book.js';
import { delivered, openShop } from '../webhooks/crash-rounds.js';
import { type Received, startHttpReceiver } from '../webhooks/http-receiver.js';
import { type Subscriber, sell } from '../webhooks/subscriber.js';
import { type Servers, startServers } from './servers.js';

export interface Outcome extends Findings {
  /** Number of acknowledged changes of records. */
  readonly answers: number;
  /** Records that differ from their acknowledged state, missing sales, and refusals of a living server. */
  readonly losses: readonly string[];
  readonly kills: number;
}

const SERVERS = 3;
const SELLERS = 4;
const WRITERS = 6;

/** @param preloads scripts that are preloaded into the servers */
export async function crashServers(rounds: number, seed: number, preloads: readonly string[]): Promise<Outcome> {
  const servers = await startServers(preloads);
  const receiver = await startHttpReceiver();
  try {
    const living = await Promise.all(Array.from({ length: SERVERS }, servers.start));
    const load = await prepareLoad(
      servers,
      (living[0] as Server).address,
      createBook(receiver, chanceOf(seed - 1)),
      seed,
    );
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) kills += await killSome(living, load);
    await delivered((living[0] as Server).address, receiver);
    await checkAll(living, load);
    return { ...load.book.findings(), answers: load.ledger.answers, losses: load.losses, kills };
  } finally {
    await receiver.close();
    await servers.end();
  }
}

interface Load {
  readonly servers: Servers;
  readonly book: Book;
  readonly chance: Chance;
  readonly subscriber: Subscriber;
  readonly shelf: Shelf;
  readonly writers: readonly Writer[];
  readonly ledger: Ledger;
  /** Ids of acknowledged sales. */
  readonly receipts: string[];
  readonly losses: string[];
}

async function prepareLoad(servers: Servers, address: string, book: Book, seed: number): Promise<Load> {
  return {
    servers,
    book,
    chance: chanceOf(seed),
    subscriber: await openShop(address, servers.people, book),
    shelf: await makeShelf({ address, session: servers.writer }),
    writers: Array.from({ length: WRITERS }, (_, at) => newWriter(chanceOf(seed + 1 + at))),
    ledger: createLedger(),
    receipts: [],
    losses: [],
  };
}

/** @param living killed servers are replaced in this list @returns the number of servers that were killed */
async function killSome(living: Server[], load: Load): Promise<number> {
  const { servers, book, chance, ledger, losses, writers } = load;
  const victims = living.slice(0, chance.weighted(VICTIMS));
  await loadUntilKilled(living, victims, load);
  for (const victim of victims) book.killed(await servers.kill(victim));
  living.splice(0, victims.length);
  let kills = victims.length;
  while (living.length < SERVERS) {
    const server = await servers.start();
    if (chance.happens(0.8)) {
      living.push(server);
      continue;
    }
    // The new server has just begun to take over the deliveries of the dead ones.
    book.killed(await servers.kill(server));
    kills += 1;
  }
  losses.push(...(await compare(targetOf(chance.one(living), load), ledger.touched())));
  forgetLost(writers);
  return kills;
}

/** How many servers are killed together, with weights. */
const VICTIMS = [
  [4, 1],
  [1, 2],
  [1, SERVERS],
] as const;

function targetOf({ address }: Server, { servers, shelf }: Load): Target {
  return { address, session: servers.writer, ...shelf };
}

/** Kills the victims after a random number of responses and turns of the event loop, to hit them in any state. */
async function loadUntilKilled(all: readonly Server[], victims: readonly Server[], load: Load): Promise<void> {
  const { book, chance, ledger } = load;
  const [sales, answers] = [book.sales.size + 5 + chance.below(20), ledger.answers + 20 + chance.below(60)];
  const turns = chance.below(40);
  let [isKilling, isOver] = [false, false];
  const kill = (left: number): void => {
    if (left > 0) return void setImmediate(kill, left - 1);
    isOver = true;
    for (const victim of victims) victim.process.kill('SIGKILL');
  };
  const over = (): boolean => {
    if (!isKilling && book.sales.size >= sales && ledger.answers >= answers) {
      isKilling = true;
      kill(turns);
    }
    return isOver;
  };
  const serverOf = (client: number): Server => all[client % all.length] as Server;
  const sellers = Array.from({ length: SELLERS }, (_, at) =>
    sellAt(serverOf(at), load, over).catch((error: unknown) => {
      // No other server may refuse a sale.
      if (!isOver || !victims.includes(serverOf(at))) load.losses.push(`a living server refused: ${error}`);
    }),
  );
  const writing = load.writers.map((writer, at) => write(targetOf(serverOf(at), load), writer, ledger, over));
  await Promise.all([...sellers, ...writing]);
}

async function sellAt({ address }: Server, load: Load, over: () => boolean): Promise<void> {
  const { book, servers, subscriber, receipts } = load;
  while (!over()) {
    const sku = `sale-${book.next()}`;
    receipts.push(await sell(address, servers.people, { game: subscriber.game, sku }));
    book.sales.add(sku);
  }
}

/** Checks everything once more at the end, since a later crash must not undo what an earlier one left. */
async function checkAll(living: readonly Server[], load: Load): Promise<void> {
  const { chance, ledger, losses, receipts, servers } = load;
  losses.push(...(await compare(targetOf(chance.one(living), load), ledger.all())));
  losses.push(...(await doubles(targetOf(chance.one(living), load))));
  losses.push(...(await missingSales(chance.one(living).address, servers.people.admin, receipts)));
}

/** Acknowledged sales that are missing. */
async function missingSales(address: string, session: string, receipts: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const id of receipts) {
    const { status } = await clientOf(address)('GET', `/api/receipt/${id}`, { session });
    if (status !== 200) missing.push(`receipt ${id}: ${status}`);
  }
  return missing;
}

/**
 * One sale at one of two faulty servers. A receiver holds the first callback of every delivery until there is a second, so that
 * the other server finds the delivery unsettled.
 */
export async function sellAtFaulty(preload: string): Promise<Pick<Outcome, 'lost' | 'losses' | 'unexplained'>> {
  const servers = await startServers([preload]);
  const receiver = await startHttpReceiver();
  try {
    const [{ address }] = [await servers.start(), await servers.start()];
    const book = createBook(receiver, chanceOf(0));
    const answerOf = receiver.answer as (post: Received) => number;
    const twice = ({ delivery }: Received) =>
      receiver.until((posts) => (posts.filter((post) => post.delivery === delivery).length > 1 ? true : undefined));
    const answers: Promise<number>[] = [];
    receiver.answer = (post) => {
      const answer = twice(post).then(() => answerOf(post));
      answers.push(answer);
      return answer;
    };
    const { game } = await openShop(address, servers.people, book);
    const id = await sell(address, servers.people, { game, sku: 'sale-1' });
    book.sales.add('sale-1');
    // The first callback may not have arrived yet.
    await twice(await receiver.until(([first]) => first));
    await Promise.all(answers);
    const { lost, unexplained } = book.findings();
    return { lost, unexplained, losses: await missingSales(address, servers.people.admin, [id]) };
  } finally {
    await receiver.close();
    await servers.end();
  }
}
