// `npm run bench`: how fast the service is beside others, and with more connections, rows, types and processes. With the names of
// parts as arguments, those alone. Prints tables and writes them to RESULTS.md.
// Figures are for people to judge; nothing here fails because of one.

import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/paths.js';
import { beside } from './parts/beside.js';
import { connections } from './parts/connections.js';
import { latency, logins } from './parts/latency.js';
import { processes } from './parts/processes.js';
import { rows, types } from './parts/sizes.js';
import { starts } from './parts/starts.js';
import { writeResults } from './results.js';
import { print } from './tables.js';

/** A table of what one part measured, by its name in RESULTS.md. */
export interface Measured {
  readonly name: string;
  readonly note: string;
  readonly table: readonly (readonly string[])[];
}

/** Yields each table as soon as it is measured. @param folder of its own, deleted afterwards */
export type Part = (folder: string) => AsyncIterable<Measured>;

const PARTS: Readonly<Record<string, Part>> = {
  beside,
  connections,
  rows,
  types,
  processes,
  latency,
  logins,
  starts,
};

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`unknown part ${unknown}; known are ${Object.keys(PARTS).join(', ')}`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const folder = temporaryFolder('bench');
    try {
      for await (const { name: title, note, table } of part(folder)) {
        const [head = [], ...lines] = table;
        console.log(`${title}: ${note}`);
        print(head, lines);
        writeResults(title, note, table);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

void main(process.argv.slice(2));
