// How often deprecated items were used (D38): counted in a map, and written as a Prometheus counter when the metrics are read.

import { type Keep, type Kept, keptHere } from './kept-counts.js';
import type { Use } from './notice.js';

export interface DeprecatedUses {
  observe(uses: readonly Use[]): void;
  counts(): readonly CountedUse[];
  /** Adds what another process has counted. */
  add(counted: readonly CountedUse[]): void;
  /** In the Prometheus text format; empty if there is nothing to count. */
  text(): string;
}

/** As plain data. */
export interface CountedUse extends Use {
  readonly count: number;
}

const NAME = 'punchboard_deprecated_use_total';
const HELP =
  'Requests that used something deprecated, by resource and field; an empty field means the resource itself.';

/** @param items counted from 0, so that unused ones show @param keep where the counts are; in memory by default */
export function createDeprecatedUses(items: readonly Use[] = [], keep: Keep = keptHere): DeprecatedUses {
  const all = new Map<string, { readonly use: Use; readonly kept: Kept }>();
  const add = ({ resource, field }: Use, count: number): void => {
    const key = JSON.stringify([resource, field]);
    const { use, kept } = all.get(key) ?? { use: { resource, field }, kept: keep({ resource, field }) };
    all.set(key, { use, kept });
    kept.numbers[0] = (kept.numbers[0] ?? 0) + count;
    kept.save();
  };
  const counts = (): readonly CountedUse[] =>
    [...all.values()].map(({ use, kept }) => ({ ...use, count: kept.numbers[0] ?? 0 }));
  for (const item of items) add(item, 0);
  return {
    observe(uses) {
      for (const use of uses) add(use, 1);
    },
    counts,
    add(counted) {
      for (const use of counted) add(use, use.count);
    },
    text() {
      if (all.size === 0) return '';
      const lines = counts().map(
        ({ resource, field, count }) => `${NAME}{resource="${escaped(resource)}",field="${escaped(field)}"} ${count}`,
      );
      return `# HELP ${NAME} ${HELP}\n# TYPE ${NAME} counter\n${lines.join('\n')}\n`;
    },
  };
}

/** As the format wants the value of a label. */
function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
