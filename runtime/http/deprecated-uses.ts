// How often deprecated items were used (D38): counted in a map, and written as a Prometheus counter when the metrics are read.

import type { Use } from './notice.js';

export interface DeprecatedUses {
  observe(uses: readonly Use[]): void;
  counts(): readonly CountedUse[];
  /** What was counted since it was last taken, which is not counted here any more. */
  take(): readonly CountedUse[];
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

/** @param items counted from 0, so that unused ones show */
export function createDeprecatedUses(items: readonly Use[] = []): DeprecatedUses {
  const all = new Map<string, CountedUse>();
  const add = ({ resource, field }: Use, count: number): void => {
    const key = JSON.stringify([resource, field]);
    all.set(key, { resource, field, count: (all.get(key)?.count ?? 0) + count });
  };
  for (const item of items) add(item, 0);
  return {
    observe(uses) {
      for (const use of uses) add(use, 1);
    },
    counts: () => [...all.values()],
    take() {
      const taken = [...all.values()];
      all.clear();
      return taken;
    },
    add(counted) {
      for (const use of counted) add(use, use.count);
    },
    text() {
      if (all.size === 0) return '';
      const lines = [...all.values()].map(
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
