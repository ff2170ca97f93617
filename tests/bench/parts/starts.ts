// The time from the start of the process to its first answer, and the memory that it holds.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from '../../support/paths.js';
import { measuresOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { firstAnswer } from '../durations.js';
import { fill } from '../ground.js';
import { startLoad } from '../load.js';
import { installPeers } from '../peers.js';
import { startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { stopped } from '../throughput.js';

const TIMES = 9;
const MIB = 2 ** 20;

export async function* starts(folder: string): AsyncIterable<Measured> {
  const express = join(installPeers(), 'express.cjs');
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${ground.database}-express.db`;
  copyFileSync(ground.database, copy);
  const path = `/api/boxtop/${ground.ids[0]}`;
  const own = await firstAnswer([BIN, 'serve', '--port', '0', ...ground.options], path, TIMES);
  const other = await firstAnswer([express, copy, 'bare'], path, TIMES);
  const servers = [
    await startServer('punchboard', null, ground.options),
    await startServer('Express, bare', express, [copy, 'bare']),
  ];
  const requests = measuresOf(ground)['fetch, its owner'].asked(0).map(textOf);
  const memory = await stopped(servers, async () => {
    const all: (readonly [idle: number, loaded: number])[] = [];
    for (const server of servers) {
      const idle = server.memory();
      const load = startLoad(true);
      await load.run({ port: server.port, requests, connections: 32, milliseconds: 5000 });
      load.stop();
      all.push([idle / MIB, server.memory() / MIB]);
    }
    return all;
  });
  const row = (what: string, one = 0, two = 0): readonly string[] => [
    what,
    one.toFixed(0),
    two.toFixed(0),
    ratio(one, two),
  ];
  const table = [
    ['', 'punchboard', 'Express, bare', 'ratio'],
    row('first answer, ms', own, other),
    row('memory idle, MiB', memory[0]?.[0], memory[1]?.[0]),
    row('memory after 5 s of load, MiB', memory[0]?.[1], memory[1]?.[1]),
  ];
  const reached = {
    'start to the first answer: time, of that of Express, bare': own / other,
    'memory when idle: of that of Express, bare': (memory[0]?.[0] ?? 0) / (memory[1]?.[0] ?? 1),
    'memory after load: of that of Express, bare': (memory[0]?.[1] ?? 0) / (memory[1]?.[1] ?? 1),
  };
  yield { name: 'starts', note: 'on an existing database', table, reached };
}
