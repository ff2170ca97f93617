// How long requests took, by operation, resource and status class: counted in plain arrays, and written as a Prometheus
// histogram when the metrics are read. A histogram of the library finds its counters by a text made of the labels, which takes
// a tenth of the time of a fetch.

export interface RequestDurations {
  /** @param milliseconds time to the response */
  observe(labels: Labels, status: number, milliseconds: number): void;
  totals(): RequestTotals;
  /** What was counted since it was last taken, which is not counted here any more. */
  take(): readonly CountedDurations[];
  /** Adds what another process has counted. */
  add(counted: readonly CountedDurations[]): void;
  /** In the Prometheus text format. */
  text(): string;
}

export interface RequestTotals {
  readonly requests: number;
  /** With a status of 500 or above. */
  readonly failures: number;
  readonly milliseconds: number;
}

/** As plain data. */
export interface CountedDurations extends Labels {
  /** First digit of the status. */
  readonly status: number;
  /** One for each bound, and one for what took longer. */
  readonly counts: readonly number[];
  readonly milliseconds: number;
}

export interface Labels {
  readonly operation: string;
  readonly resource: string;
}

const NAME = 'punchboard_request_duration_seconds';
const HELP = 'Time from the first byte of a request to its response, by operation, resource and status class.';

/** Upper bounds in milliseconds. */
const BOUNDS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];

/** What was counted for one operation on one resource with one class of statuses. */
interface Series {
  /** One for each bound, and one for what took longer. */
  readonly counts: number[];
  milliseconds: number;
}

/** By operation, resource, and the first digit of the status. */
type ByOperation = Map<string, Map<string, Series[]>>;

export function createRequestDurations(): RequestDurations {
  const all: ByOperation = new Map();
  const seriesOf = ({ operation, resource }: Labels, status: number): Series => {
    const classes = all.get(operation)?.get(resource) ?? addResource(all, operation, resource);
    classes[status] ??= { counts: Array<number>(BOUNDS.length + 1).fill(0), milliseconds: 0 };
    return classes[status];
  };
  return {
    observe(labels, status, milliseconds) {
      const series = seriesOf(labels, Math.floor(status / 100));
      series.milliseconds += milliseconds;
      let at = 0;
      while (at < BOUNDS.length && milliseconds > (BOUNDS[at] ?? 0)) at += 1;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
    },
    totals() {
      const totals = { requests: 0, failures: 0, milliseconds: 0 };
      for (const { status, counts, milliseconds } of counted(all)) {
        const requests = counts.reduce((sum, count) => sum + count, 0);
        totals.requests += requests;
        totals.failures += status >= 5 ? requests : 0;
        totals.milliseconds += milliseconds;
      }
      return totals;
    },
    take() {
      const taken = [...counted(all)];
      all.clear();
      return taken;
    },
    add(others) {
      for (const { counts, milliseconds, ...labels } of others) {
        const series = seriesOf(labels, labels.status);
        series.milliseconds += milliseconds;
        for (const [at, count] of counts.entries()) series.counts[at] = (series.counts[at] ?? 0) + count;
      }
    },
    text() {
      const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
      for (const { operation, resource, status, ...series } of counted(all)) {
        lines.push(...seriesLines(series, `operation="${operation}",resource="${resource}",status="${status}xx"`));
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function* counted(all: ByOperation): Iterable<CountedDurations> {
  for (const [operation, resources] of all) {
    for (const [resource, classes] of resources) {
      for (const [status, series] of classes.entries()) {
        if (series !== undefined) yield { operation, resource, status, ...series };
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

function seriesLines(
  { counts, milliseconds }: Pick<CountedDurations, 'counts' | 'milliseconds'>,
  labels: string,
): readonly string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    const bound = BOUNDS[at];
    return `${NAME}_bucket{le="${bound === undefined ? '+Inf' : bound / 1000}",${labels}} ${total}`;
  });
  return [...buckets, `${NAME}_sum{${labels}} ${milliseconds / 1000}`, `${NAME}_count{${labels}} ${total}`];
}
