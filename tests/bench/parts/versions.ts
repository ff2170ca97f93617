// What versions of the API cost (D68): the same requests to a server whose callers get the newest, and to one whose callers get
// an earlier one by default; and what ten versions add to a start.

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSpec } from '../../../generator/write/read-spec.js';
import { edited, type State, state } from '../../evolution/texts.js';
import { BIN, ROOT } from '../../support/paths.js';
import { compileAll, make, prepare } from '../../versions/bench.js';
import { measuresOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import { type Duration, firstAnswers } from '../durations.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { type Server, startServer, UNLIMITED } from '../servers.js';
import { compareRates, median, stopped } from '../throughput.js';

const ASKED = ['fetch, anonymous', 'fetch, its owner', 'list of 25', 'create'] as const;
/** The number of starts for each turn: they differ little. */
const STARTS = 3;
const MIB = 2 ** 20;
const [OLDEST, ...LATER] = Array.from({ length: 10 }, (_, at) => `2027-01-${10 + at}`) as [string, ...string[]];

export async function* versions(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  prepare(folder);
  const [first, last] = statesOf();
  const [none, one, ten] = ['none', 'one', 'ten'].map((name) => join(folder, name)) as [string, string, string];
  const cuts = Object.fromEntries([OLDEST, ...LATER].map((date) => [date, first]));
  compileAll([
    make(none, last, first.ledger, {}),
    make(one, last, first.ledger, { [OLDEST]: first }),
    make(ten, last, first.ledger, cuts),
  ]);
  const fixture = await fill({ database: join(folder, 'bench.db'), folder, generated: none });
  const costs = await costsOf(fixture, [none, one], extent);
  const ratioTo = (what: (typeof ASKED)[number]) => ratioOf(costs.get(what) ?? [], 2, 1);
  yield {
    name: 'versions',
    note: 'an image and a number of box tops have other names, and a text is new; 32 connections; microseconds of processor time of the server, each the median of rounds with processes of their own, as are the ratios',
    table: [['', 'no versions', 'newest', 'earlier', 'newest, ratio', 'earlier, ratio'], ...rowsOf(costs)],
    reached: {
      'fetch under an earlier version: processor time, of that under the newest': ratioTo('fetch, anonymous'),
      'list of 25 under an earlier version: processor time, of that under the newest': ratioTo('list of 25'),
      'create under an earlier version: processor time, of that under the newest': ratioTo('create'),
    },
  };
  const [without, with10] = await starting(fixture, [none, ten], extent);
  yield {
    name: 'versions-start',
    note: 'on an existing database',
    table: [
      ['', 'first answer, ms', 'processor time until then, ms', 'memory idle, MiB'],
      ['no versions', ...cellsOf(without)],
      ['ten versions', ...cellsOf(with10)],
    ],
    reached: {
      'ten versions: milliseconds of processor time that they add to a start': with10.cpu - without.cpu,
      'ten versions: MiB that they add to an idle server': with10.memory - without.memory,
    },
  };
}

/** The project's own spec with ten versions. */
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

/** Microseconds of each round: without versions, under the newest, and under an earlier one. */
type Rounds = readonly (readonly number[])[];

/** Each round has processes of its own: how V8 happens to compile one makes a difference of several percent. */
async function costsOf(fixture: BenchFixture, folders: readonly [string, string], extent: Extent) {
  const costs = new Map(ASKED.map((what) => [what, [] as (readonly number[])[]]));
  for (let round = 0; round < extent.turns; round += 1) {
    await stopped(await startAll(fixture, folders), async (servers) => {
      for (const what of ASKED) {
        const plan = { ...extent, ...measuresOf(fixture, extent.fresh)[what] };
        costs.get(what)?.push((await compareRates(servers, plan)).map(({ perCpuSecond }) => 1e6 / perCpuSecond));
      }
    });
  }
  return costs;
}

async function startAll(fixture: BenchFixture, [none, one]: readonly [string, string]): Promise<readonly Server[]> {
  const options = (name: string, generated: string): readonly string[] => {
    const copy = `${fixture.database}-${name}.db`;
    for (const end of ['-wal', '-shm']) rmSync(copy + end, { force: true });
    copyFileSync(fixture.database, copy);
    return [...fixture.options, '--database', copy, '--generated', generated, ...UNLIMITED];
  };
  return [
    await startServer('no versions', null, options('none', none)),
    await startServer('newest', null, options('newest', one)),
    await startServer('earlier', null, [...options('earlier', one), '--default-version', OLDEST]),
  ];
}

/** The median over the rounds. */
function ratioOf(rounds: Rounds, at: number, to: number): number {
  return median(rounds.map((costs) => (costs[at] ?? 0) / (costs[to] ?? 1)));
}

function rowsOf(costs: ReadonlyMap<string, Rounds>): BenchResult['table'] {
  return [...costs].map(([what, rounds]) => {
    const cells = [0, 1, 2].map((at) => median(rounds.map((one) => one[at] ?? 0)).toFixed(1));
    return [what, ...cells, ratioOf(rounds, 1, 0).toFixed(2), ratioOf(rounds, 2, 1).toFixed(2)];
  });
}

interface StartTime extends Duration {
  /** MiB of an idle server; the least of several, since more is garbage that was not collected yet. */
  readonly memory: number;
}

function cellsOf({ milliseconds, cpu, memory }: StartTime): readonly string[] {
  return [milliseconds.toFixed(0), cpu.toFixed(0), memory.toFixed(1)];
}

async function starting(
  { options, ids }: BenchFixture,
  folders: readonly [string, string],
  { turns }: Extent,
): Promise<readonly [StartTime, StartTime]> {
  const all = folders.map((generated) => [...options, '--generated', generated]);
  const durations = await firstAnswers(
    all.map((args) => ({ args: [BIN, 'serve', '--port', '0', ...args], path: `/api/boxtop/${ids[0]}` })),
    turns * STARTS,
  );
  const least = all.map(() => Number.POSITIVE_INFINITY);
  for (let time = 0; time < turns; time += 1) {
    for (const [at, args] of all.entries()) {
      const server = await startServer('idle', null, args);
      least[at] = Math.min(least[at] ?? 0, server.memory() / MIB);
      await server.stop();
    }
  }
  const started = (at: number): StartTime => ({ milliseconds: 0, cpu: 0, ...durations[at], memory: least[at] ?? 0 });
  return [started(0), started(1)];
}
