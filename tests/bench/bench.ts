// `npm run bench`: how fast the service is compared with others, and with more connections, rows, types and processes. Arguments
// name the parts to run. It prints tables and writes them to RESULTS.md, with their results for the goals. With `--brief`
// each part runs just long enough to show that it works, and nothing is written.
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

/** A table of the measurements of a part, by its name in RESULTS.md. */
export interface BenchResult {
  readonly name: string;
  readonly note: string;
  readonly table: readonly (readonly string[])[];
  /** Its results for the goals. */
  readonly reached?: GoalResults;
}

/** Yields each table as soon as it is measured. @param folder an empty folder, which is deleted afterwards */
export type BenchPart = (folder: string, extent: Extent) => AsyncIterable<BenchResult>;

/** gen comes first: other parts delete many files, and for some minutes after that ext4 is slow to create new ones. */
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
