// `npm run bench:quick`: the main ratios, in less than a minute, next to those that were accepted last (BUDGET.json). The
// service runs as it ships: with its log, its limiter and its metrics. `--accept` writes the measurements to the budget and to
// the table in RESULTS.md. With `--brief` it runs just long enough to show that it works.
// Figures are for people to judge; nothing here fails because of one.

import { deepStrictEqual } from 'node:assert';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { answerOf, type Measure, measuresOf } from './asked.js';
import { BRIEF } from './extent.js';
import { type BenchFixture, fill } from './fixture.js';
import { writeResults } from './results.js';
import { type Server, startServer, UNLIMITED } from './servers.js';
import { print } from './tables.js';
import { compareRates, stopped } from './throughput.js';

const BUDGET = join(ROOT, 'tests', 'bench', 'BUDGET.json');
/** Until V8 has compiled the servers, the one with less code has an advantage. */
const PLAN = process.argv.includes('--brief') ? BRIEF : { turns: 3, slice: 700, warmUp: 4000 };
const MEASURES = ['fetch, anonymous', 'fetch, its owner', 'create'] as const;
type Ratios = Readonly<Record<string, number>>;

async function main(): Promise<void> {
  const folder = temporaryFolder('bench');
  try {
    const fixture = await fill({ database: join(folder, 'bench.db'), folder });
    const ratios = await stopped(await startAll(fixture), (servers) => measureAll(servers, fixture));
    show(ratios, JSON.parse(readFileSync(BUDGET, 'utf8')) as Ratios);
    if (process.argv.includes('--accept')) accept(ratios);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each server has a copy of the database, as two servers cannot write to one file. */
async function startAll({ options, database }: BenchFixture): Promise<readonly Server[]> {
  const [hand, express] = ['hand', 'express'].map((name) => `${database}-${name}.db`) as [string, string];
  for (const copy of [hand, express]) copyFileSync(database, copy);
  return [
    await startServer('punchboard', null, [...options, ...UNLIMITED]),
    await startServer('node:http and SQLite by hand', 'hand-server.js', [hand]),
    await startServer('Express and SQLite', 'express-server.js', [express]),
  ];
}

async function measureAll(servers: readonly Server[], fixture: BenchFixture): Promise<Ratios> {
  const ratios: Record<string, number> = {};
  const measures = measuresOf(fixture);
  for (const measure of MEASURES) {
    const { asked, unit }: Measure = measures[measure];
    // Express's guide has neither sessions nor transactions, so that it is compared for the plain read only.
    const compared = measure === 'fetch, anonymous' ? servers : servers.slice(0, 2);
    const [answered, ...same] = await Promise.all(compared.map((server) => answerOf(server, asked(0)[0])));
    for (const { status, record } of same) {
      deepStrictEqual([status, JSON.parse(record)], [answered?.status, JSON.parse(answered?.record ?? '')]);
    }
    const [own, ...others] = await compareRates(compared, { ...PLAN, asked });
    for (const other of others) {
      ratios[`${measure}, of ${other.name}`] = Number(((own?.[unit] ?? 0) / other[unit]).toFixed(2));
    }
  }
  return ratios;
}

function show(ratios: Ratios, budget: Ratios): void {
  const rows = Object.entries(ratios).map(([what, ratio]) => {
    const accepted = budget[what];
    const difference = accepted === undefined ? '' : `${((ratio / accepted - 1) * 100).toFixed(0)} %`;
    return [what, ratio.toFixed(2), accepted?.toFixed(2) ?? '', difference];
  });
  print(['32 connections, as it ships', 'ratio', 'accepted', 'difference'], rows);
}

function accept(ratios: Ratios): void {
  writeFileSync(BUDGET, `${JSON.stringify(ratios, null, 2)}\n`);
  const rows = Object.entries(ratios).map(([what, ratio]) => [what, ratio.toFixed(2)]);
  writeResults('measured', '32 connections, as it ships', [['', 'ratio'], ...rows]);
}

void main();
