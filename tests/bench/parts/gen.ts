// What gen costs at 25, 250 and 1,000 types: with an empty cache, with nothing changed, and after an edit of one descriptor.

import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { measureGen } from '../gen.js';

export async function* gen(folder: string, { specs }: Extent): AsyncIterable<BenchResult> {
  const all = specs.map((size) => ({ size, ...measureGen(folder, size) }));
  const table = [
    ['types', 'all: gen, s', 'compiler, s', 'memory, MB', 'nothing changed, s', 'one edit: gen, s', 'compiler, s'],
    ...all.map(({ size, all, none, edit }) => [
      size.toLocaleString('en'),
      ...[all.own, all.compiler].map((seconds) => seconds.toFixed(2)),
      megabytes(all.memory).toFixed(0),
      ...[none.own, edit.own, edit.compiler].map((seconds) => seconds.toFixed(2)),
    ]),
  ];
  const largest = all.find(({ size }) => size === 1000)?.all;
  const reached = {
    'gen of 1,000 types without the compiler: seconds': largest?.own,
    'gen of 1,000 types: MB of memory': largest && megabytes(largest.memory),
  };
  yield {
    name: 'gen',
    note: 'wall time without the start of Node; the most memory without the compiler',
    table,
    reached,
  };
}

function megabytes(mebibytes: number): number {
  return (mebibytes * 2 ** 20) / 1e6;
}
