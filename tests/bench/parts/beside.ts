// The service beside other servers of the same table: as their users run them, with log, limits, metrics and sessions, and bare.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, askedOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { fill, type Ground } from '../ground.js';
import { installPeers } from '../peers.js';
import { type Bars, plot } from '../plot.js';
import { type Server, startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, type Rate, stopped } from '../throughput.js';

const PLAN = { turns: 3, milliseconds: 1000 };
const WARM_UP = { turns: 0, milliseconds: 4000 };
/** As many as nobody reaches. */
const LIMIT = '1000000000';

export async function* beside(folder: string): AsyncIterable<Measured> {
  const peers = installPeers();
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  yield await measured('as shipped', ground, peers);
  yield await measured('bare', ground, peers);
  yield await jsonServer(ground, { peers, folder });
}

type Kind = 'as shipped' | 'bare';

async function measured(kind: Kind, ground: Ground, peers: string): Promise<Measured> {
  const servers = await startAll(kind, ground, peers);
  const table = await stopped(servers, async () => {
    const all: (readonly string[])[] = [['', ...servers.map(({ name }) => name)]];
    const bars: Bars[] = [];
    for (const [what, asked] of Object.entries(requestsOf(ground))) {
      const rates = await ratesOf(servers, asked);
      const own = rates[0];
      // Writes wait for the disk, so that what counts is how many there are; reads do not.
      const measure = what.startsWith('create') ? 'perSecond' : 'perCpuSecond';
      const text = (rate: Rate): string => `${rate[measure].toFixed(0)} (${ratio(own?.[measure] ?? 0, rate[measure])})`;
      all.push([what, ...rates.map(text)]);
      const title = `${what}, a${measure === 'perSecond' ? '' : ' CPU'} second`;
      bars.push({ title, values: rates.map((rate) => [rate.name, rate[measure]]) });
    }
    if (kind === 'as shipped') plot(bars);
    return all;
  });
  const note = `32 connections; reads a second of processor time, creates a second; in brackets the service's multiple of it`;
  return { name: `beside others, ${kind}`, note, table };
}

async function ratesOf(servers: readonly Server[], asked: readonly Asked[]): Promise<readonly Rate[]> {
  const requests = asked.map(textOf);
  await compareRates(servers, { ...WARM_UP, requests });
  return compareRates(servers, { ...PLAN, requests });
}

/** Each has a copy of the database: two servers cannot write to one file. */
async function startAll(kind: Kind, { options, database }: Ground, peers: string): Promise<readonly Server[]> {
  const own = kind === 'bare' ? ['--log-level', 'error'] : ['--rate-limit', LIMIT];
  const servers = [await startServer('punchboard', null, [...options, ...own])];
  const others = [
    ['node:http by hand', 'hand-server.js'],
    ['Fastify', join(peers, 'fastify.cjs')],
    ['Express', join(peers, 'express.cjs')],
    ['Express, Drizzle', join(peers, 'drizzle.cjs')],
  ] as const;
  for (const [name, script] of others) {
    const copy = `${database}-${kind}-${name}.db`.replaceAll(/[ :]/g, '-');
    copyFileSync(database, copy);
    servers.push(await startServer(name, script, [copy, kind]));
  }
  return servers;
}

function requestsOf(ground: Ground): Readonly<Record<string, readonly Asked[]>> {
  const list = (size: number): readonly Asked[] => [
    { method: 'GET', path: `/api/game/${ground.game}/boxtops?_items_per_page=${size}`, headers: {}, body: null },
  ];
  const { create, ...fetches } = askedOf(ground);
  return { ...fetches, 'list of 25': list(25), 'list of 100': list(100), create };
}

/** It keeps a thousand records in memory, and answers fetches from there. */
async function jsonServer(ground: Ground, { peers, folder }: { peers: string; folder: string }): Promise<Measured> {
  const records = ground.ids.map((id, at) => ({ id, name: `Box ${at}`, game_id: ground.game, quantity: 1 }));
  const file = join(folder, 'db.json');
  writeFileSync(file, JSON.stringify({ boxtop: records }));
  const servers = [
    await startServer('punchboard', null, [...ground.options, '--rate-limit', LIMIT]),
    await startServer('json-server', join(peers, 'json-server.cjs'), [file]),
  ];
  const rates = await stopped(servers, () => ratesOf(servers, askedOf(ground)['fetch, anonymous']));
  const [own] = rates;
  const rows = rates.map(({ name, perCpuSecond }) => [
    name,
    perCpuSecond.toFixed(0),
    ratio(own?.perCpuSecond ?? 0, perCpuSecond),
  ]);
  const note = 'fetches of 1,000 records a second of processor time, as shipped';
  return { name: 'beside json-server', note, table: [['', 'a CPU second', 'the service is'], ...rows] };
}
