// The time from the start of the process to its first answer, and the memory that it holds.

import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from '../../support/paths.js';
import { measuresOf, textOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import { type Duration, firstAnswers, type Starting } from '../durations.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { startLoad } from '../load.js';
import { installPeers } from '../peers.js';
import { type Server, startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { stopped } from '../throughput.js';
import { fillWithTypes } from './sizes.js';

const TIMES = 15;
const MIB = 2 ** 20;
const BESIDE = 'Express, bare';

export async function* starts(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const express = join(installPeers(), 'express.cjs');
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${fixture.database}-express.db`;
  copyFileSync(fixture.database, copy);
  const other = { args: [express, copy, 'bare'], path: `/api/boxtop/${fixture.ids[0]}` };
  const [own, its] = await firstAnswers([serving(fixture), other], TIMES);
  const [idle, loaded] = await memories(fixture, [
    await startServer('punchboard', null, fixture.options),
    await startServer(BESIDE, express, [copy, 'bare']),
  ]);
  const table = [
    ['', 'punchboard', BESIDE, 'ratio'],
    row('first answer, ms', [own?.milliseconds, its?.milliseconds]),
    row('processor time until then, ms', [own?.cpu, its?.cpu]),
    row('memory idle, MiB', idle),
    row('memory after 5 s of load, MiB', loaded),
  ];
  const reached = {
    'start to the first answer: time, of that of Express, bare': share([own?.milliseconds, its?.milliseconds]),
    'memory when idle: of that of Express, bare': share(idle),
    'memory after load: of that of Express, bare': share(loaded),
  };
  yield { name: 'starts', note: 'on an existing database', table, reached };
  yield { name: 'starts-types', note: 'with many types', table: await withTypes(folder, extent) };
}

/** The medians of this service and of the other. */
type Pair = readonly [own: number | undefined, other: number | undefined];

function share([own = 0, other = 1]: Pair): number {
  return own / other;
}

function row(what: string, [own = 0, other = 0]: Pair): readonly string[] {
  return [what, own.toFixed(0), other.toFixed(0), ratio(own, other)];
}

function serving({ options, ids }: BenchFixture, ...more: readonly string[]): Starting {
  return { args: [BIN, 'serve', '--port', '0', ...options, ...more], path: `/api/boxtop/${ids[0]}` };
}

async function memories(
  fixture: BenchFixture,
  servers: readonly Server[],
): Promise<readonly [idle: Pair, loaded: Pair]> {
  const requests = measuresOf(fixture)['fetch, its owner'].asked(0).map(textOf);
  return stopped(servers, async () => {
    const all: (readonly [idle: number, loaded: number])[] = [];
    for (const server of servers) {
      const idle = server.memory();
      const load = startLoad(true);
      await load.run({ port: server.port, requests, connections: 32, milliseconds: 5000 });
      load.stop();
      all.push([idle / MIB, server.memory() / MIB]);
    }
    const [own, other] = all;
    return [
      [own?.[0], other?.[0]],
      [own?.[1], other?.[1]],
    ];
  });
}

/** Also reports what each further type costs. */
async function withTypes(folder: string, extent: Extent): Promise<BenchResult['table']> {
  const sizes = [...new Set([extent.types[0] ?? 0, extent.types.at(-1) ?? 0])];
  const servers: Starting[] = [];
  for (const size of sizes) {
    const place = join(folder, `types-${size}`);
    mkdirSync(place);
    const { fixture, generated } = await fillWithTypes(place, size);
    servers.push(serving(fixture, '--generated', generated));
  }
  const durations = await firstAnswers(servers, 5);
  const line = ({ milliseconds, cpu }: Duration, at: number): readonly string[] => [
    `${sizes[at]} types`,
    milliseconds.toFixed(0),
    cpu.toFixed(0),
  ];
  return [['', 'first answer, ms', 'processor time, ms'], ...durations.map(line)];
}
