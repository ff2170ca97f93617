// Writes the measurements into RESULTS.md, each table between its own marks.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import { type GoalResults, goalsTable } from './goals.js';

const RESULTS = join(ROOT, 'tests', 'bench', 'RESULTS.md');

type Table = readonly (readonly string[])[];

/** Writes the table. @param note a sentence above it */
export function writeResults(name: string, note: string, table: Table): void {
  replace(name, [`${machine()}; ${note}`, '', ...markdownOf(table)]);
}

/** Rows of goals that were not measured stay as they are. */
export function writeGoals(reached: GoalResults): void {
  replace('goals', markdownOf(goalsTable(reached, rowsOf('goals'))));
}

function markdownOf([head = [], ...rows]: Table): readonly string[] {
  const rule = head.map((_cell, at) => (at === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The rows of the table between these marks. */
function rowsOf(name: string): Table {
  const { text, from, to } = between(name);
  const lines = from < 0 ? [] : text.slice(from, to).split('\n');
  return lines.filter((line) => line.startsWith('|')).map((line) => line.slice(2, -2).split(' | '));
}

/** Replaces the text between the marks of that name; a new part is added at the end. */
function replace(name: string, lines: readonly string[]): void {
  const { text, from, to } = between(name);
  const block = [`<!-- ${name} -->`, '', ...lines, '', ''].join('\n');
  const after =
    from < 0 ? `${text.trimEnd()}\n\n${block}<!-- end of ${name} -->\n` : text.slice(0, from) + block + text.slice(to);
  writeFileSync(RESULTS, after);
}

function between(name: string): { readonly text: string; readonly from: number; readonly to: number } {
  const text = readFileSync(RESULTS, 'utf8');
  return { text, from: text.indexOf(`<!-- ${name} -->`), to: text.indexOf(`<!-- end of ${name} -->`) };
}

/** The machine of the measurements. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;
}
