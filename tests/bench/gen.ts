// `npm run bench:gen`: what gen costs from 100 to 1,000 types: everything, nothing changed, and one descriptor edited. Each run
// is a process of its own, which reports its time and memory. Figures are for people to judge; nothing fails because of one.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manyTypes } from '../support/many-types.js';
import { temporaryFolder } from '../support/paths.js';
import { median } from './throughput.js';

const SIZES = [100, 250, 500, 1000];
/** The number of edits; the median counts. */
const EDITS = 5;

export interface Figures {
  /** Seconds of gen's own work, without starting Node and without the compiler. */
  readonly own: number;
  readonly compiler: number;
  /** Seconds of the whole process. */
  readonly wall: number;
  /** Seconds of processor time of the process without the compiler, which the load of the machine does not change. */
  readonly cpu: number;
  /** Peak memory of gen's process, in MiB. */
  readonly memory: number;
  readonly counts: string;
}

function main(): void {
  say(`Node ${process.versions.node}, ${process.platform} ${process.arch}; seconds and MiB, median of ${EDITS} edits`);
  say(row(['types', 'run', 'gen', 'per type', 'compiler', 'process', 'cpu', 'memory', 'work']));
  const folder = temporaryFolder('bench-gen');
  for (const size of process.argv[2] === undefined ? SIZES : [Number(process.argv[2])]) {
    const { all, none, edit } = measureGen(folder, size);
    tell(size, 'all', all);
    tell(size, 'none', none);
    tell(size, 'one edit', edit);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** What gen costs at that size, in a new folder: everything, nothing changed, and the median of edits of one descriptor. */
export function measureGen(parent: string, size: number): Readonly<Record<'all' | 'none' | 'edit', Figures>> {
  // The file system is slow to create files for a minute after many were deleted, so all folders stay until the end.
  const folder = join(parent, `types-${size}`);
  const spec = join(folder, 'spec');
  mkdirSync(spec, { recursive: true });
  const edited = join(spec, 'resources', `${manyTypes(spec, size).at(-1) ?? 'boxtop'}.yaml`);
  const all = run(folder);
  // The first run gave permanent numbers to what is new; from the second run on the ledger stays the same.
  run(folder);
  const none = run(folder);
  const edits = Array.from({ length: EDITS }, (_, at) => {
    writeFileSync(edited, readFileSync(edited, 'utf8').replace(/^summary: .*$/m, `summary: Edited ${at}.`));
    return run(folder);
  });
  const of = (figure: (one: Figures) => number): number => median(edits.map(figure));
  const edit = {
    own: of(({ own }) => own),
    compiler: of(({ compiler }) => compiler),
    wall: of(({ wall }) => wall),
    cpu: of(({ cpu }) => cpu),
    memory: of(({ memory }) => memory),
    counts: edits[0]?.counts ?? '',
  };
  return { all, none, edit };
}

/** Runs gen in a process that reports its peak memory when it ends. */
function run(folder: string): Figures {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(__dirname, 'gen-run.js'), join(folder, 'spec'), join(folder, 'generated')],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  const wall = (performance.now() - began) / 1000;
  const match = /^(written .*); gen ([\d.]+) s, compiler ([\d.]+) s\npeak (\d+), processor (\d+)$/m.exec(stdout);
  if (status !== 0 || match === null) throw new Error(`gen ended with ${status}: ${stderr}${stdout.slice(-500)}`);
  const [, counts = '', own, compiler, peak, cpu] = match;
  const times = { own: Number(own), compiler: Number(compiler), wall, cpu: Number(cpu) / 1e6 };
  return { counts, ...times, memory: Number(peak) / 1024 };
}

function tell(size: number, what: string, { own, compiler, wall, cpu, memory, counts }: Figures): void {
  const perType = `${((own * 1000) / size).toFixed(2)} ms`;
  say(
    row([
      String(size),
      what,
      own.toFixed(2),
      perType,
      compiler.toFixed(2),
      wall.toFixed(2),
      cpu.toFixed(2),
      memory.toFixed(0),
      counts,
    ]),
  );
}

function row(cells: readonly string[]): string {
  const widths = [6, 9, 7, 9, 9, 8, 6, 7];
  return cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ');
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (require.main === module) main();
