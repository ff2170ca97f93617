// Kills servers by the hundred and checks the data they leave: `npm run lab:kills -- [KILLS]`. Half of the kills hit two serving
// processes and a writer, a fifth three servers on PostgreSQL. Kills run in batches, each with its own seed, whose outcomes are
// stored: the same command continues an interrupted run. PUNCHBOARD_SEED selects another run.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { crash as crashRecords, prepare } from '../../crash/rounds.js';
import { crashServers } from '../../postgres/crash-rounds.js';
import { crash as crashSales } from '../../webhooks/crash-rounds.js';

/** The number of acknowledged requests, and the problems. */
interface Outcome {
  readonly acknowledged: number;
  readonly problems: readonly string[];
}

interface Kind {
  readonly name: string;
  /** The number of batches among ten. */
  readonly share: number;
  run(kills: number, seed: number): Promise<Outcome>;
}

const records =
  (processes: number): Kind['run'] =>
  async (kills, seed) => {
    const { answers, losses } = await crashRecords(await prepare(processes), kills, seed, null);
    return { acknowledged: answers, problems: losses };
  };

const sales =
  (options: readonly string[]): Kind['run'] =>
  async (kills, seed) => {
    const { sales: acknowledged, lost, unsigned, unexplained } = await crashSales(kills, seed, null, options);
    return { acknowledged, problems: problemsOf({ lost, unsigned, unexplained }) };
  };

const KINDS: readonly Kind[] = [
  { name: 'records', share: 2, run: records(1) },
  { name: 'records, 2 processes', share: 3, run: records(2) },
  { name: 'sales', share: 1, run: sales([]) },
  { name: 'sales, 2 processes', share: 2, run: sales(['--processes', '2']) },
  {
    name: '3 servers on PostgreSQL',
    share: 2,
    async run(kills, seed) {
      const { answers, lost, unsigned, unexplained, losses } = await crashServers(kills, seed, []);
      return { acknowledged: answers, problems: [...losses, ...problemsOf({ lost, unsigned, unexplained })] };
    },
  },
];

function problemsOf(counts: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(counts).flatMap(([name, value]) => {
    const isNone = value === 0 || (Array.isArray(value) && value.length === 0);
    return isNone ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
}

/** The number of kills in a batch. */
const BATCH = 10;

interface Batch {
  readonly kind: string;
  readonly seed: number;
  readonly kills: number;
}

/** The batches of a run. The kinds alternate, so that an interrupted run has tried each. */
export function batchesOf(kills: number, seed: number): readonly Batch[] {
  const rounds = Math.ceil(kills / (10 * BATCH));
  return Array.from({ length: rounds }, (_, round) =>
    KINDS.flatMap(({ name, share }, kind) =>
      Array.from({ length: share }, (_, at) => ({
        kind: name,
        kills: BATCH,
        seed: seed + round * 1000 + kind * 100 + at,
      })),
    ),
  ).flat();
}

async function run(kills: number, seed: number): Promise<void> {
  const file = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'punchboard', `kills-${seed}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const done = lines.map((line) => JSON.parse(line) as Batch & Outcome);
  for (const batch of batchesOf(kills, seed)) {
    if (done.some((one) => one.kind === batch.kind && one.seed === batch.seed)) continue;
    const kind = KINDS.find(({ name }) => name === batch.kind);
    const outcome = await kind?.run(batch.kills, batch.seed);
    if (outcome === undefined) continue;
    done.push({ ...batch, ...outcome });
    appendFileSync(file, `${JSON.stringify({ ...batch, ...outcome })}\n`);
    for (const problem of outcome.problems) process.stderr.write(`${batch.kind}, seed ${batch.seed}: ${problem}\n`);
  }
  for (const { name } of KINDS) process.stdout.write(`${summary(name, done)}\n`);
  process.exit(done.some(({ problems }) => problems.length > 0) ? 1 : 0);
}

function summary(name: string, done: readonly (Batch & Outcome)[]): string {
  const batches = done.filter(({ kind }) => kind === name);
  const sum = (amountOf: (one: Batch & Outcome) => number) => batches.reduce((total, one) => total + amountOf(one), 0);
  return `${name}: ${sum(({ kills }) => kills)} kills, ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ problems }) => problems.length)} problems`;
}

if (require.main === module) void run(Number(process.argv[2] ?? 1000), Number(process.env.PUNCHBOARD_SEED ?? 1));
