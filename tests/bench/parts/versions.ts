// What versions of the API cost (D68): the same requests to a server whose callers get the newest, and to one whose callers get an
// earlier one by default; and what ten versions add to a start.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpec } from '../../../generator/write/read-spec.js';
import { edited, type State, state } from '../../evolution/texts.js';
import { BIN, ROOT } from '../../support/paths.js';
import { compileAll, make, prepare } from '../../versions/bench.js';
import { measuresOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { firstAnswers } from '../durations.js';
import type { Extent } from '../extent.js';
import { fill, type Ground } from '../ground.js';
import { startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, type Rate, stopped } from '../throughput.js';

const ASKED = ['fetch, anonymous', 'fetch, its owner', 'list of 25', 'create'] as const;
const MIB = 2 ** 20;
const [OLDEST, ...LATER] = Array.from({ length: 10 }, (_, at) => `2027-01-${10 + at}`) as [string, ...string[]];

export async function* versions(folder: string, extent: Extent): AsyncIterable<Measured> {
  prepare(folder);
  const [first, last] = statesOf();
  const [none, one, ten] = ['none', 'one', 'ten'].map((name) => join(folder, name)) as [string, string, string];
  const cuts = Object.fromEntries([OLDEST, ...LATER].map((date) => [date, first]));
  compileAll([
    make(none, last, first.ledger, {}),
    make(one, last, first.ledger, { [OLDEST]: first }),
    make(ten, last, first.ledger, cuts),
  ]);
  const ground = await fill({ database: join(folder, 'bench.db'), folder, generated: none });
  const rates = await ratesOf(ground, [none, one], extent);
  yield {
    name: 'versions',
    note: 'an image and a number of box tops are renamed and a text is added, 32 connections; microseconds of the processor time of the server',
    table: [['', 'no versions', 'newest', 'earlier', 'newest, ratio', 'earlier, ratio'], ...rates],
  };
  yield {
    name: 'versions-start',
    note: 'on an existing database',
    table: await starting(ground, { none, ten }, extent),
  };
}

/** The project's own spec, and what became of it. */
function statesOf(): readonly [State, State] {
  const { files, ledger } = readSpec(join(ROOT, 'spec'));
  const texts = Object.fromEntries(files.map(({ path, text }) => [path.replace(/^spec\//, ''), text]));
  const first = state(texts, ledger);
  const renamed = edited(texts, {
    'conventions.yaml': [
      [
        'quantity: { kind: integer, min: 1, max: 99, default: 1, description: Number of copies included. }',
        'copies: { was: quantity, kind: integer, min: 1, max: 99, default: 1, description: Number of copies included. }',
      ],
    ],
    'resources/boxtop.yaml': [
      ['top: { kind: image,', 'remark: { kind: text, max: 20, description: Remark. }\n  lid: { was: top, kind: image,'],
    ],
  });
  return [first, state(renamed, first.ledger)];
}

async function ratesOf(ground: Ground, [none, one]: readonly [string, string], extent: Extent) {
  const options = (name: string, generated: string): readonly string[] => {
    const copy = join(ground.database, '..', `${name}.db`);
    copyFileSync(ground.database, copy);
    return [...ground.options, '--database', copy, '--generated', generated, ...UNLIMITED];
  };
  const servers = [
    await startServer('no versions', null, options('no', none)),
    await startServer('newest', null, options('newest', one)),
    await startServer('earlier', null, [...options('earlier', one), '--default-version', OLDEST]),
  ];
  return stopped(servers, async () => {
    const rows: (readonly string[])[] = [];
    for (const what of ASKED) {
      const rates = await compareRates(servers, { ...extent, ...measuresOf(ground, extent.fresh)[what] });
      const costs = rates.map(({ perCpuSecond }: Rate) => 1e6 / perCpuSecond);
      const [base = 0, newest = 0, earlier = 0] = costs;
      rows.push([what, ...costs.map((cost) => cost.toFixed(1)), ratio(newest, base), ratio(earlier, newest)]);
    }
    return rows;
  });
}

async function starting(
  { options, ids }: Ground,
  folders: Readonly<Record<'none' | 'ten', string>>,
  { turns }: Extent,
): Promise<Measured['table']> {
  const all = Object.values(folders).map((generated) => [...options, '--generated', generated]);
  const durations = await firstAnswers(
    all.map((args) => ({ args: [BIN, 'serve', '--port', '0', ...args], path: `/api/boxtop/${ids[0]}` })),
    turns * 3,
  );
  const memory = await memories(all, turns);
  const rows = ['no versions', 'ten versions'].map((name, at) => [
    name,
    (durations[at]?.milliseconds ?? 0).toFixed(0),
    (durations[at]?.cpu ?? 0).toFixed(0),
    ((memory[at] ?? 0) / MIB).toFixed(1),
  ]);
  return [['', 'first answer, ms', 'processor time until then, ms', 'memory idle, MiB'], ...rows];
}

/** The least of several: what is more is garbage that was not collected yet. */
async function memories(all: readonly (readonly string[])[], times: number): Promise<readonly number[]> {
  const least = all.map(() => Number.POSITIVE_INFINITY);
  for (let time = 0; time < times; time += 1) {
    for (const [at, args] of all.entries()) {
      const server = await startServer('idle', null, args);
      least[at] = Math.min(least[at] ?? 0, server.memory());
      await server.stop();
    }
  }
  return least;
}
