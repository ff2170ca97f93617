// The goals of the service. The parts report what they measured for a goal; the first table of RESULTS.md compares.

type Goal = readonly ['at least' | 'at most', number];

/** In the order of the table. "By hand" is a server on node:http and better-sqlite3: two headers, no log, limits or metrics. */
const GOALS = {
  'fetch, anonymous: requests a CPU second, of those by hand': ['at least', 0.7],
  'fetch, its owner: requests a CPU second, of those by hand': ['at least', 0.6],
  'create, 32 connections: requests a second, of those by hand': ['at least', 3.5],
  'create, 1 connection: requests a second, of those by hand': ['at least', 0.9],
  'fetch, anonymous: requests a CPU second, of those of Express as its users run it': ['at least', 4],
  'fetch, its owner: requests a CPU second, of those of Express as its users run it': ['at least', 4],
  'create: requests a second, of those of Express as its users run it': ['at least', 8],
  'fetch, anonymous: requests a CPU second, of those of Fastify as its users run it': ['at least', 1],
  'fetch, its owner: requests a CPU second, of those of Fastify as its users run it': ['at least', 1],
  'create: requests a second, of those of Fastify as its users run it': ['at least', 3],
  'fetch at half of the maximum load: p99, of p50': ['at most', 10],
  'create at half of the maximum load: p99, of p50': ['at most', 10],
  'fetch with 10,000,000 rows: requests a CPU second, of those with 10,000': ['at least', 0.67],
  'fetch with 1,000 types: requests a CPU second, of those with 25': ['at least', 0.9],
  'fetch with 2 processes: requests a second, of those with 1': ['at least', 1.5],
  '90 fetches to 10 creates with 2 processes: requests a second, of those with 1': ['at least', 1.5],
  'fetch while others log in: p99, ms': ['at most', 50],
  'fetch beside an account at its limits: p95, ms': ['at most', 100],
  'create beside an account at its limits: p95, ms': ['at most', 300],
  'fetch while the disk is slow now and then: p99, ms': ['at most', 10],
  'fetch while the disk is slow now and then: longest, ms': ['at most', 50],
  'update with its tag: processor time, of that without': ['at most', 1.05],
  'slowest page of operators: processor time, ms': ['at most', 100],
  'fetch beside an export: p95, ms': ['at most', 100],
  'fetch under an earlier version: processor time, of that under the newest': ['at most', 1.1],
  'list of 25 under an earlier version: processor time, of that under the newest': ['at most', 1.1],
  'create under an earlier version: processor time, of that under the newest': ['at most', 1.1],
  'ten versions: milliseconds of processor time that they add to a start': ['at most', 50],
  'ten versions: MiB that they add to an idle server': ['at most', 5],
  'start to the first answer: time, of that of Express, bare': ['at most', 1.3],
  'memory when idle: of that of Express, bare': ['at most', 1.5],
  'memory after load: of that of Express, bare': ['at most', 1.5],
  'gen of 1,000 types without the compiler: seconds': ['at most', 5],
  'gen of 1,000 types: MB of memory': ['at most', 600],
  'gen --watch of 300 types: seconds from an edit to the restarted server': ['at most', 1],
  'dev with 40 types: seconds from an edit to the first answer that shows it': ['at most', 1],
} as const satisfies Readonly<Record<string, Goal>>;

/** The measurements, by the names of their goals. */
export type GoalResults = Readonly<Partial<Record<keyof typeof GOALS, number | undefined>>>;

/** The new table, in which goals that were not measured keep their rows. @param before the cells of the table so far */
export function goalsTable(
  reached: GoalResults,
  before: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const lines = Object.entries(GOALS).map(([name, goal]) => {
    const value = reached[name as keyof GoalResults];
    const [, , ...last] = before.find(([one]) => one === name) ?? [];
    const measured = value === undefined ? [last[0] ?? '', last[1] ?? 'not measured'] : compared(value, goal);
    return [name, `${goal[0]} ${goal[1]}`, ...measured];
  });
  return [['', 'goal', 'measured', ''], ...lines];
}

function compared(value: number, [bound, goal]: Goal): readonly string[] {
  const isMet = bound === 'at least' ? value >= goal : value <= goal;
  return [value.toFixed(value < 100 ? 2 : 0), isMet ? 'met' : '**missed**'];
}
