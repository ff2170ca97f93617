// How long it takes from an edit of a descriptor until a server runs with it, for a maintainer who runs `gen --watch` and
// `serve --watch`; and, in another repository, until the first answer that shows it, with `punchboard dev`.

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { manyTypes } from '../../support/many-types.js';
import { BIN, ROOT } from '../../support/paths.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { processorTime } from '../processor-time.js';
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
      // gen checks the types while the server starts, and sees the next edit when it has finished.
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

/** Types of the repository in which `dev` runs. */
const REPOSITORY = 40;

export async function* dev(folder: string, { turns }: Extent): AsyncIterable<BenchResult> {
  const edited = repositoryIn(folder);
  const began = performance.now();
  const program = start(['dev', '--port', '0'], folder);
  const address = await printed(program, /listens on (\S+)/);
  const first = (performance.now() - began) / 1000;
  try {
    const [seconds, processor]: [number[], number[]] = [[], []];
    for (let turn = 0; turn <= turns; turn += 1) {
      // When nothing takes processor time, the next server has loaded the program and gen has checked the types.
      await quiet(program);
      const text = readFileSync(edited, 'utf8').replace(/^summary: .*$/m, `summary: Edited ${turn}.`);
      const before = processorTime(program.pid ?? 0, true);
      const wrote = performance.now();
      writeFileSync(edited, text);
      await answers(`${address}/openapi.json`, `Edited ${turn}.`);
      if (turn === 0) continue;
      seconds.push((performance.now() - wrote) / 1000);
      processor.push(processorTime(program.pid ?? 0, true) - before);
    }
    const cells = [median(seconds), Math.max(...seconds), median(processor), first];
    yield {
      name: 'dev',
      note: `punchboard dev in a repository of one's own; ${seconds.length} edits of a summary`,
      table: [
        ['types', 'median, s', 'longest, s', 'processor time of all processes, s', 'start to the page, s'],
        [String(REPOSITORY), ...cells.map((cell) => cell.toFixed(2))],
      ],
      reached: { 'dev with 40 types: seconds from an edit to the first answer that shows it': median(seconds) },
    };
  } finally {
    program.kill('SIGTERM');
    await once(program, 'close');
  }
}

/** Writes the project of `init`, with more types. @returns path of a descriptor */
function repositoryIn(folder: string): string {
  spawnSync(process.execPath, [BIN, 'init'], { cwd: folder });
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of ['typescript', '@types/node', 'punchboard']) {
    symlinkSync(name === 'punchboard' ? ROOT : join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const resources = join(folder, 'spec', 'resources');
  const task = readFileSync(join(resources, 'task.yaml'), 'utf8').replace(/^actions:\n(.*\n)*/m, '');
  for (let at = 5; at < REPOSITORY; at += 1)
    writeFileSync(join(resources, `task${at}.yaml`), task.replace(/^title: .*$/m, `title: Task ${at}`));
  spawnSync(process.execPath, [BIN, 'gen'], { cwd: folder });
  return join(resources, 'task7.yaml');
}

/** Resolves when the process and those that it has started have taken no processor time for half a second. */
async function quiet({ pid = 0 }: Child): Promise<void> {
  for (let before = -1, now = 0; now > before; ) {
    before = processorTime(pid, true);
    await setTimeout(500);
    now = processorTime(pid, true);
    if (now - before < 0.02) return;
  }
}

/** Asks until the answer contains the text. */
async function answers(url: string, text: string): Promise<void> {
  for (;;) {
    const body = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (body.includes(text)) return;
    await setTimeout(5);
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

function start(args: readonly string[], cwd?: string): Child {
  return spawn(process.execPath, [BIN, ...args], { ...(cwd && { cwd }), stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Resolves when the process next prints a match of the pattern. @returns the group of the pattern */
function printed({ stdout }: Child, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const listen = (chunk: Buffer): void => {
      const match = pattern.exec(String(chunk));
      if (match === null) return;
      stdout.off('data', listen);
      resolve(match[1] ?? '');
    };
    stdout.on('data', listen);
  });
}
