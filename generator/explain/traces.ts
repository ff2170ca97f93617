// Which lines of an output are there because of a key: those that are other or missing in the output made without it.

import { diffArrays } from 'diff';
import type { Output } from '../render.js';

/** Line numbers from 1, by path of the output; outputs without a difference are left out. */
export type Traces = ReadonlyMap<string, readonly number[]>;

export function traces(outputs: readonly Output[], without: readonly Output[]): Traces {
  const others = new Map(without.map(({ path, text }) => [path, text]));
  const found = outputs.map(({ path, text }) => [path, changed(path, text, others.get(path) ?? '')] as const);
  return new Map(found.filter(([, lines]) => lines.length > 0));
}

/** Lines of `text` that `other` has not. */
function changed(path: string, text: string, other: string): readonly number[] {
  if (text === other) return [];
  const [before, after] = [comparable(path, text), comparable(path, other)];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const found: number[] = [];
  let line = head + 1;
  for (const part of diffArrays(before.slice(head, before.length - tail), after.slice(head, after.length - tail))) {
    if (part.added) continue;
    if (part.removed) found.push(...part.value.map((_, at) => line + at));
    line += part.value.length;
  }
  return found;
}

/** A comma that comes or goes with the next line is no difference, nor are the running numbers in validators. */
function comparable(path: string, text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/,$/, ''));
  return path.startsWith('validators/')
    ? lines.map((line) => line.replace(/\b(data|err|schema|valid)\d+/g, '$1'))
    : lines;
}

/** `8, 41-46` */
export function ranges(lines: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
