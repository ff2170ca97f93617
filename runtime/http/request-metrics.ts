// Counts requests: how long they took, by operation, resource and status class, and which deprecated items they used (D38).
// Durations are counted in plain arrays and written as a Prometheus histogram when the metrics are read: a histogram of the
// library looks up its counters by a text made of the labels, which takes a tenth of the time of a fetch.

import type { Exchange } from './exchange.js';
import { type DeprecatedUse, useOf } from './notice.js';

export interface RequestCounts {
  readonly durations: RequestDurations;
  readonly uses: DeprecatedUses;
  /** @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
  counted(): CountedRequests;
  /** Adds what another process has counted. */
  add(counted: CountedRequests): void;
}

/** What one process has counted, as plain data. */
export interface CountedRequests {
  readonly durations: readonly CountedDurations[];
  readonly uses: readonly CountedUse[];
}

/** @param items deprecated ones, counted from 0 @param keep where the counts are kept; in memory by default */
export function createRequestCounts(
  items: readonly DeprecatedUse[] = [],
  keep: AllocateCounters = countersInMemory,
): RequestCounts {
  const durations = createRequestDurations(keep);
  const uses = createDeprecatedUses(items, keep);
  return {
    ...{ durations, uses },
    observe(exchange, status, milliseconds) {
      durations.observe(exchange, status, milliseconds);
      if (exchange.notice !== null) uses.observe(exchange.notice.uses);
      if (exchange.version !== undefined) uses.observe([useOf(exchange.version.date)]);
    },
    counted: () => ({ durations: durations.counted(), uses: uses.counts() }),
    add(counted) {
      durations.add(counted.durations);
      uses.add(counted.uses);
    },
  };
}

export interface RequestDurations {
  /** @param milliseconds time to the response */
  observe(labels: Labels, status: number, milliseconds: number): void;
  totals(): RequestTotals;
  counted(): readonly CountedDurations[];
  /** Adds what another process has counted. */
  add(counted: readonly CountedDurations[]): void;
  /** In the Prometheus text format. */
  text(): string;
}

export interface RequestTotals {
  readonly requests: number;
  /** Requests that were answered with a status of 500 or above. */
  readonly failures: number;
  readonly milliseconds: number;
}

/** As plain data. */
export interface CountedDurations extends Labels {
  /** First digit of the status. */
  readonly status: number;
  /** How many for each bound, how many took longer, and the sum of the milliseconds. */
  readonly numbers: ArrayLike<number>;
}

export interface Labels {
  readonly operation: string;
  readonly resource: string;
}

const DURATIONS = 'punchboard_request_duration_seconds';
const DURATIONS_HELP =
  'Time from the first byte of a request to its response, by operation, resource and status class.';

/** Upper bounds in milliseconds. */
const BOUNDS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];

/** The index of the sum of the milliseconds. Before it are the counts, the last of which is for durations above all bounds. */
const SUM = BOUNDS.length + 1;

type Series = ReturnType<AllocateCounters>;

/** By operation, resource, and the first digit of the status. */
type ByOperation = Map<string, Map<string, Series[]>>;

/** @param keep where the numbers of a series are kept; in memory by default */
export function createRequestDurations(keep: AllocateCounters = countersInMemory): RequestDurations {
  const all: ByOperation = new Map();
  const seriesOf = ({ operation, resource }: Labels, status: number): Series => {
    const classes = all.get(operation)?.get(resource) ?? addResource(all, operation, resource);
    classes[status] ??= keep({ operation, resource, status });
    return classes[status];
  };
  return {
    observe(labels, status, milliseconds) {
      const series = seriesOf(labels, Math.floor(status / 100));
      const { numbers } = series;
      let at = 0;
      while (at < BOUNDS.length && milliseconds > (BOUNDS[at] ?? 0)) at += 1;
      numbers[at] = (numbers[at] ?? 0) + 1;
      numbers[SUM] = (numbers[SUM] ?? 0) + milliseconds;
      series.save?.();
    },
    totals() {
      const totals = { requests: 0, failures: 0, milliseconds: 0 };
      for (const { status, numbers } of counted(all)) {
        const requests = countsOf(numbers).reduce((sum, count) => sum + count, 0);
        totals.requests += requests;
        totals.failures += status >= 5 ? requests : 0;
        totals.milliseconds += numbers[SUM] ?? 0;
      }
      return totals;
    },
    counted: () => [...counted(all)],
    add(others) {
      for (const { numbers: added, status, ...labels } of others) {
        const series = seriesOf(labels, status);
        const { numbers } = series;
        for (let at = 0; at <= SUM; at += 1) numbers[at] = (numbers[at] ?? 0) + (added[at] ?? 0);
        series.save?.();
      }
    },
    text() {
      const lines = [`# HELP ${DURATIONS} ${DURATIONS_HELP}`, `# TYPE ${DURATIONS} histogram`];
      for (const { operation, resource, status, numbers } of counted(all)) {
        lines.push(...seriesLines(numbers, `operation="${operation}",resource="${resource}",status="${status}xx"`));
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function countsOf(numbers: ArrayLike<number>): readonly number[] {
  return Array.from(numbers).slice(0, SUM);
}

function* counted(all: ByOperation): Iterable<CountedDurations> {
  for (const [operation, resources] of all) {
    for (const [resource, classes] of resources) {
      for (const [status, series] of classes.entries()) {
        if (series !== undefined) yield { operation, resource, status, numbers: series.numbers };
      }
    }
  }
}

function addResource(all: ByOperation, operation: string, resource: string): Series[] {
  const classes: Series[] = [];
  const resources = all.get(operation) ?? new Map<string, Series[]>();
  all.set(operation, resources.set(resource, classes));
  return classes;
}

function seriesLines(numbers: ArrayLike<number>, labels: string): readonly string[] {
  let total = 0;
  const buckets = countsOf(numbers).map((count, at) => {
    total += count;
    const bound = BOUNDS[at];
    return `${DURATIONS}_bucket{le="${bound === undefined ? '+Inf' : bound / 1000}",${labels}} ${total}`;
  });
  return [
    ...buckets,
    `${DURATIONS}_sum{${labels}} ${(numbers[SUM] ?? 0) / 1000}`,
    `${DURATIONS}_count{${labels}} ${total}`,
  ];
}

/** How many numbers can be kept under one label. */
export const NUMBERS = 16;

/** @param labels what the numbers describe, as plain data; each is kept once */
export type AllocateCounters = (labels: object) => CounterBlock;

export interface CounterBlock {
  /** As many as `NUMBERS`, all 0 at first. */
  readonly numbers: Float64Array;
  /** To be called whenever they have changed; absent: they need not be saved. */
  save?(): void;
}

const countersInMemory: AllocateCounters = () => ({ numbers: new Float64Array(NUMBERS) });

export interface DeprecatedUses {
  observe(uses: readonly DeprecatedUse[]): void;
  counts(): readonly CountedUse[];
  /** Adds what another process has counted. */
  add(counted: readonly CountedUse[]): void;
  /** In the Prometheus text format; empty if there is nothing to count. */
  text(): string;
}

/** As plain data. */
export interface CountedUse extends DeprecatedUse {
  readonly count: number;
}

const USES = 'punchboard_deprecated_use_total';
const USES_HELP =
  'Requests that used something deprecated, by resource and field; an empty field means the resource itself.';

const VERSIONS = 'punchboard_version_use_total';
const VERSIONS_HELP = 'Requests that were answered under an earlier version of the API, by its date.';

/** Versions are counted with the deprecated items (D68); they alone have no resource. */
function isVersion({ resource }: DeprecatedUse): boolean {
  return resource === '';
}

function counterText(
  name: string,
  help: string,
  counts: readonly CountedUse[],
  labels: (use: CountedUse) => string,
): string {
  if (counts.length === 0) return '';
  const lines = counts.map((use) => `${name}{${labels(use)}} ${use.count}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('\n')}\n`;
}

/** @param items counted from 0, so that unused items show @param keep where the counts are kept; in memory by default */
function createDeprecatedUses(
  items: readonly DeprecatedUse[] = [],
  keep: AllocateCounters = countersInMemory,
): DeprecatedUses {
  const all = new Map<string, { readonly use: DeprecatedUse; readonly kept: CounterBlock }>();
  const add = ({ resource, field }: DeprecatedUse, count: number): void => {
    const key = `${resource} ${field}`;
    const { use, kept } = all.get(key) ?? { use: { resource, field }, kept: keep({ resource, field }) };
    all.set(key, { use, kept });
    kept.numbers[0] = (kept.numbers[0] ?? 0) + count;
    kept.save?.();
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
      const counted = counts();
      const items = counted.filter((use) => !isVersion(use));
      return (
        counterText(
          USES,
          USES_HELP,
          items,
          ({ resource, field }) => `resource="${escaped(resource)}",field="${escaped(field)}"`,
        ) +
        counterText(VERSIONS, VERSIONS_HELP, counted.filter(isVersion), ({ field }) => `version="${escaped(field)}"`)
      );
    },
  };
}

/** As the format wants the value of a label. */
function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
