// How long it takes from an edit of a descriptor to a server that runs with it, as a maintainer sees it who has `gen --watch` and
// `serve --watch` running.

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { manyTypes } from '../../support/many-types.js';
import { BIN } from '../../support/paths.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { median } from '../throughput.js';

type Child = ChildProcessByStdio<null, Readable, null>;

export async function* watch(folder: string, { watched, turns }: Extent): AsyncIterable<BenchResult> {
  const [spec, out] = [join(folder, 'spec'), join(folder, 'generated')];
  mkdirSync(spec);
  const edited = join(spec, 'resources', `${manyTypes(spec, watched).at(-1) ?? 'boxtop'}.yaml`);
  spawnSync(process.execPath, [join(__dirname, '..', 'gen-run.js'), spec, out]);
  const data = ['--database', join(folder, 'bench.db'), '--files', join(folder, 'files'), '--generated', out];
  const gen = start(['gen', '--watch', '--stats', '--spec', spec, '--out', out]);
  const server = start(['serve', '--watch', '--port', '0', ...data]);
  try {
    await Promise.all([printed(gen, /^Watching/m), printed(server, LISTENS)]);
    const seconds: number[] = [];
    for (let turn = 0; turn <= turns; turn += 1) {
      const text = readFileSync(edited, 'utf8').replace(/^summary: .*$/m, `summary: Edited ${turn}.`);
      // gen checks the types while the server starts, and sees the next edit when it is through.
      const checked = printed(gen, /^Watching/m);
      const restarted = printed(server, LISTENS);
      const began = performance.now();
      writeFileSync(edited, text);
      await restarted;
      if (turn > 0) seconds.push((performance.now() - began) / 1000);
      await checked;
    }
    yield measured(watched, seconds);
  } finally {
    for (const child of [gen, server]) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
  }
}

const LISTENS = /listens on/;

function measured(types: number, seconds: readonly number[]): BenchResult {
  const middle = median(seconds);
  const table = [
    ['types', 'median, s', 'longest, s'],
    [String(types), middle.toFixed(2), Math.max(...seconds).toFixed(2)],
  ];
  const reached = { 'gen --watch of 300 types: seconds from an edit to the restarted server': middle };
  return { name: 'watch', note: `${seconds.length} edits of a summary`, table, reached };
}

function start(args: readonly string[]): Child {
  return spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Resolves when it says something of the kind, from now on. */
function printed({ stdout }: Child, pattern: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const listen = (chunk: Buffer): void => {
      if (!pattern.test(String(chunk))) return;
      stdout.off('data', listen);
      resolve();
    };
    stdout.on('data', listen);
  });
}
