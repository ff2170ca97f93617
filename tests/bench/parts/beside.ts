// The service and other servers on the same tables: as their users run them, with log, limits, metrics and sessions, and bare.

import { deepStrictEqual } from 'node:assert';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, copiesNeeded, type Measure, measuresOf, type What } from '../asked.js';
import type { BenchResult } from '../bench.js';
import { copyBox } from '../copies.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import type { GoalResults } from '../goals.js';
import { installPeers, versionsOf } from '../peers.js';
import { plot } from '../plot.js';
import { type Server, startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, type Rate, stopped } from '../throughput.js';

type Kind = 'as shipped' | 'bare';

interface Peer {
  readonly name: string;
  readonly script: string;
  readonly answers: (what: What) => boolean;
  readonly kinds: readonly Kind[];
}

const KINDS: readonly Kind[] = ['as shipped', 'bare'];
const UPLOAD: What = 'upload of 4 KB';
const others = { answers: (what: What) => what !== UPLOAD, kinds: KINDS };
/** The server by hand is bare in both tables, as the limit of what can be reached. */
const BY_HAND: Peer = { name: 'node:http by hand', script: 'hand-server.js', answers: () => true, kinds: KINDS };
/** The servers in `peers/`. */
const PEERS: readonly Peer[] = [
  { name: 'Fastify', script: 'fastify.cjs', ...others },
  { name: 'Express', script: 'express.cjs', ...others },
  { name: 'Express, Drizzle', script: 'drizzle.cjs', ...others },
  { name: 'Express, Prisma', script: 'prisma.cjs', ...others },
  // This server keeps its records in memory and has no sessions.
  {
    name: 'json-server',
    script: 'json-server.cjs',
    answers: (what) => what === 'fetch, anonymous',
    kinds: ['as shipped'],
  },
];

export async function* beside(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const peers = extent.peers ? installPeers() : null;
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  copyBox(fixture.database, fixture.spare.id, copiesNeeded(extent));
  for (const kind of KINDS) {
    const servers = await startAll({ kind, fixture, peers });
    const results = await stopped([...servers.keys()], () => measureAll(servers, fixture, extent));
    if (kind === 'as shipped' && peers !== null) plot(results);
    yield {
      name: `beside others, ${kind}`,
      note: noteOf(results, peers),
      table: tableOf(results, [...servers.keys()]),
      reached: kind === 'as shipped' ? reachedIn(results) : {},
    };
  }
}

interface Start {
  readonly kind: Kind;
  readonly fixture: BenchFixture;
  readonly peers: string | null;
}

/** Starts the service first. Each server has a copy of the database, as two servers cannot write to one file. */
async function startAll({ kind, fixture, peers }: Start): Promise<ReadonlyMap<Server, Peer['answers']>> {
  const copy = (name: string): string => {
    const file = `${fixture.database}-${kind}-${name}.db`.replaceAll(' ', '-');
    copyFileSync(fixture.database, file);
    return file;
  };
  const options = kind === 'bare' ? ['--log-level', 'error'] : UNLIMITED;
  const service = await startServer('punchboard', null, [...fixture.options, '--database', copy('own'), ...options]);
  const all = new Map([[service, BY_HAND.answers]]);
  all.set(await startServer(BY_HAND.name, BY_HAND.script, [copy('hand')]), BY_HAND.answers);
  if (peers === null) return all;
  for (const { name, script, answers, kinds } of PEERS) {
    if (kinds.includes(kind)) all.set(await startServer(name, join(peers, script), [copy(script), kind]), answers);
  }
  return all;
}

/** The measurements in the order of the table; the service's rate is the first. */
export type Results = ReadonlyMap<What, { readonly unit: Measure['unit']; readonly rates: readonly Rate[] }>;

async function measureAll(
  servers: ReadonlyMap<Server, Peer['answers']>,
  fixture: BenchFixture,
  extent: Extent,
): Promise<Results> {
  const results = new Map<What, { unit: Measure['unit']; rates: readonly Rate[] }>();
  for (const [what, measure] of Object.entries(measuresOf(fixture, extent.fresh)) as [What, Measure][]) {
    const compared = [...servers].filter(([, answers]) => answers(what)).map(([server]) => server);
    if (measure.unit === 'perCpuSecond') await expectSame(compared, measure);
    results.set(what, { unit: measure.unit, rates: await compareRates(compared, { ...extent, ...measure }) });
  }
  return results;
}

/** Throws if a server answers a read differently; of a list, only the items are compared. */
async function expectSame(servers: readonly Server[], { asked }: Measure): Promise<void> {
  const [reference, ...others] = await Promise.all(servers.map((server) => answerOf(server, asked(0)[0])));
  const shown = ({ status, record }: { readonly status: number; readonly record: string }) => {
    const { _id, ...rest } = JSON.parse(record) as { readonly _id?: unknown; readonly items?: unknown };
    return { status, record: rest.items ?? rest };
  };
  for (const other of others) if (reference !== undefined) deepStrictEqual(shown(other), shown(reference));
}

function tableOf(results: Results, servers: readonly Server[]): BenchResult['table'] {
  const lines = [...results].map(([what, { unit, rates }]) => {
    const serviceRate = rates[0]?.[unit] ?? 0;
    const cells = servers.map(({ name }) => {
      const rate = rates.find((one) => one.name === name)?.[unit];
      return rate === undefined ? '–' : `${rate.toFixed(0)} (${ratio(serviceRate, rate)})`;
    });
    return [what, ...cells];
  });
  return [['', ...servers.map(({ name }) => name)], ...lines];
}

function noteOf(results: Results, peers: string | null): string {
  const load = results.get('fetch, anonymous')?.rates[0]?.load ?? 0;
  return [
    '32 connections, 16 for uploads',
    'reads a second of the processor time of the server, writes a second',
    'in brackets the multiple of it that the service reaches',
    `for a fetch from the service the load takes ${load.toFixed(0)} microseconds of another processor`,
    ...(peers === null ? [] : [versionsOf(peers)]),
  ].join('; ');
}

function reachedIn(results: Results): GoalResults {
  const of = (what: What, name: string): number | undefined => {
    const { unit = 'perSecond', rates = [] } = results.get(what) ?? {};
    const other = rates.find((rate) => rate.name === name)?.[unit];
    return other === undefined ? undefined : (rates[0]?.[unit] ?? 0) / other;
  };
  const hand = (what: What) => of(what, BY_HAND.name);
  return {
    'fetch, anonymous: requests a CPU second, of those by hand': hand('fetch, anonymous'),
    'fetch, its owner: requests a CPU second, of those by hand': hand('fetch, its owner'),
    'create, 32 connections: requests a second, of those by hand': hand('create'),
    'fetch, anonymous: requests a CPU second, of those of Express as its users run it': of(
      'fetch, anonymous',
      'Express',
    ),
    'fetch, its owner: requests a CPU second, of those of Express as its users run it': of(
      'fetch, its owner',
      'Express',
    ),
    'create: requests a second, of those of Express as its users run it': of('create', 'Express'),
    'fetch, anonymous: requests a CPU second, of those of Fastify as its users run it': of(
      'fetch, anonymous',
      'Fastify',
    ),
    'fetch, its owner: requests a CPU second, of those of Fastify as its users run it': of(
      'fetch, its owner',
      'Fastify',
    ),
    'create: requests a second, of those of Fastify as its users run it': of('create', 'Fastify'),
  };
}
