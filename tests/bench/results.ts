// Writes what was measured into RESULTS.md, each table between its own marks.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const RESULTS = join(ROOT, 'tests', 'bench', 'RESULTS.md');

/** What is between the marks of that name is replaced; a new part comes at the end. @param note a sentence above the table */
export function writeResults(name: string, note: string, table: readonly (readonly string[])[]): void {
  const [head = [], ...rows] = table;
  const rule = head.map((_cell, at) => (at === 0 ? '---' : '---:'));
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const text = [begin, '', `${machine()}; ${note}`, '', ...lines, '', end].join('\n');
  const before = readFileSync(RESULTS, 'utf8');
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  const after =
    from < 0 ? `${before.trimEnd()}\n\n${text}\n` : before.slice(0, from) + text + before.slice(to + end.length);
  writeFileSync(RESULTS, after);
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
}
