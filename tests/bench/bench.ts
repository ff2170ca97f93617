// `npm run bench`: how fast the service is beside others, and with more connections, rows, types and processes. With the names of
// parts as arguments, those alone. Prints tables and writes them to RESULTS.md, with what they say of the goals. With `--brief`
// each part runs just long enough to see that it does, and nothing is written.
// Figures are for people to judge; nothing here fails because of one.

import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/paths.js';
import { BRIEF, type Extent, WHOLE } from './extent.js';
import type { GoalResults } from './goals.js';
import { beside } from './parts/beside.js';
import { connections } from './parts/connections.js';
import { disk } from './parts/disk.js';
import { gen } from './parts/gen.js';
import { latency, logins } from './parts/latency.js';
import { locked } from './parts/locked.js';
import { neighbours } from './parts/neighbours.js';
import { pages } from './parts/pages.js';
import { postgres } from './parts/postgres.js';
import { processes } from './parts/processes.js';
import { rows, types } from './parts/sizes.js';
import { starts } from './parts/starts.js';
import { tags } from './parts/tags.js';
import { versions } from './parts/versions.js';
import { dev, watch } from './parts/watch.js';
import { writeGoals, writeResults } from './results.js';
import { print } from './tables.js';

/** A table of what one part measured, by its name in RESULTS.md. */
export interface BenchResult {
  readonly name: string;
  readonly note: string;
  readonly table: readonly (readonly string[])[];
  /** What it says of the goals. */
  readonly reached?: GoalResults;
}

/** Yields each table as soon as it is measured. @param folder of its own, deleted afterwards */
export type BenchPart = (folder: string, extent: Extent) => AsyncIterable<BenchResult>;

/** gen comes first: other parts delete many files, and for some minutes after that ext4 is slow to make new ones. */
const PARTS: Readonly<Record<string, BenchPart>> = {
  gen,
  watch,
  dev,
  beside,
  connections,
  rows,
  types,
  processes,
  latency,
  logins,
  neighbours,
  disk,
  starts,
  tags,
  pages,
  versions,
  postgres,
  locked,
};

async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((argument) => argument !== '--brief');
  const isBrief = names.length < args.length;
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`unknown part ${unknown}; known are ${Object.keys(PARTS).join(', ')}`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const began = performance.now();
    const folder = temporaryFolder('bench');
    try {
      for await (const measured of part(folder, isBrief ? BRIEF : WHOLE)) report(measured, isBrief);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    console.log(`${name} took ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  }
}

function report({ name, note, table, reached }: BenchResult, isBrief: boolean): void {
  const [head = [], ...lines] = table;
  console.log(`${name}: ${note}`);
  print(head, lines);
  if (isBrief) return;
  writeResults(name, note, table);
  if (reached !== undefined) writeGoals(reached);
}

void main(process.argv.slice(2));
