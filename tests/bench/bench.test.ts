// The parts of the benchmark run to their end, and its first table says which goals are met. Their figures are not checked.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import { goalsTable } from './goals.js';

/** The tables of each part. Parts and columns that need the peers' packages are left out. */
const TABLES = {
  beside: ['beside others, as shipped', 'beside others, bare'],
  connections: ['connections'],
  rows: ['rows'],
  types: ['types'],
  processes: ['processes'],
  latency: ['latency'],
  logins: ['logins'],
  neighbours: ['neighbours'],
  disk: ['disk'],
  tags: ['tags'],
  pages: ['pages', 'export'],
  versions: ['versions', 'versions-start'],
  gen: ['gen'],
  watch: ['watch'],
  dev: ['dev'],
  postgres: ['postgres'],
  locked: ['locked'],
} as const;
/** The short form runs the part that uses most of what the others consist of. */
const PARTS = process.env.PUNCHBOARD_LONG === '1' ? Object.values(TABLES) : [TABLES.beside];

const results = (): string => readFileSync(join(ROOT, 'tests', 'bench', 'RESULTS.md'), 'utf8');

test('each part prints its tables, and a brief run writes none', () => {
  const before = results();
  const names = Object.keys(TABLES).slice(0, PARTS.length);
  const bench = join(ROOT, 'dist', 'tests', 'bench', 'bench.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '--brief', ...names], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  for (const name of PARTS.flat()) expect(stdout).toContain(`${name}: `);
  expect(results()).toBe(before);
});

test('the quick bench prints its ratios, and does not accept them by itself', () => {
  const before = results();
  const quick = join(ROOT, 'dist', 'tests', 'bench', 'quick.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [quick, '--brief'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  for (const measure of ['fetch, anonymous', 'fetch, its owner', 'create'])
    expect(stdout).toMatch(new RegExp(`${measure}, of node:http and SQLite by hand +\\d+\\.\\d\\d +\\d`));
  expect(results()).toBe(before);
});

test('each table is written between its own marks', () => {
  for (const name of [...Object.values(TABLES).flat(), 'goals', 'starts', 'starts-types']) {
    expect(results()).toContain(`<!-- ${name} -->`);
  }
});

test('a goal is met or missed, and one that was not measured stays as it was', () => {
  const [met, missed, kept] = [
    'fetch, anonymous: requests a CPU second, of those by hand',
    'gen of 1,000 types: MB of memory',
    'fetch, its owner: requests a CPU second, of those by hand',
  ] as const;
  const table = goalsTable({ [met]: 0.7, [missed]: 601 }, [[kept, 'at least 0.5', '0.61', 'met']]);
  const rowOf = (name: string) => table.find(([one]) => one === name);
  expect(rowOf(met)).toEqual([met, 'at least 0.7', '0.70', 'met']);
  expect(rowOf(missed)).toEqual([missed, 'at most 600', '601', '**missed**']);
  expect(rowOf(kept)).toEqual([kept, 'at least 0.6', '0.61', 'met']);
});
