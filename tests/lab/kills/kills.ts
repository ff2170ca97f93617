// Kills servers by the hundred and checks what is left: `npm run lab:kills -- [KILLS]`. Half of the kills meet two serving
// processes and a writer, a fifth three servers on PostgreSQL. Done in batches, each with a seed of its own, whose outcomes
// are kept: the same command goes on where it was interrupted. PUNCHBOARD_SEED chooses another run.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { crash as crashRecords, prepare } from '../../crash/rounds.js';
import { crashServers } from '../../postgres/crash-rounds.js';
import { crash as crashSales } from '../../webhooks/crash-rounds.js';

/** What was acknowledged, and what is wrong. */
interface Outcome {
  readonly acknowledged: number;
  readonly problems: readonly string[];
}

interface Kind {
  readonly name: string;
  /** Of ten kills. */
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

function problemsOf(found: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(found).flatMap(([name, value]) => {
    const isNone = value === 0 || (Array.isArray(value) && value.length === 0);
    return isNone ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
}

/** Kills of a batch. */
const BATCH = 10;

interface Batch {
  readonly kind: string;
  readonly seed: number;
  readonly kills: number;
}

/** The batches of a run, kinds in turn, so that a run that is cut short has met all of them. */
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
  const kept = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'punchboard', `kills-${seed}.jsonl`);
  mkdirSync(dirname(kept), { recursive: true });
  const lines = existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n').filter(Boolean) : [];
  const done = lines.map((line) => JSON.parse(line) as Batch & Outcome);
  for (const batch of batchesOf(kills, seed)) {
    if (done.some((one) => one.kind === batch.kind && one.seed === batch.seed)) continue;
    const kind = KINDS.find(({ name }) => name === batch.kind);
    const outcome = await kind?.run(batch.kills, batch.seed);
    if (outcome === undefined) continue;
    done.push({ ...batch, ...outcome });
    appendFileSync(kept, `${JSON.stringify({ ...batch, ...outcome })}\n`);
    for (const problem of outcome.problems) process.stderr.write(`${batch.kind}, seed ${batch.seed}: ${problem}\n`);
  }
  for (const { name } of KINDS) process.stdout.write(`${summary(name, done)}\n`);
  process.exit(done.some(({ problems }) => problems.length > 0) ? 1 : 0);
}

function summary(name: string, done: readonly (Batch & Outcome)[]): string {
  const own = done.filter(({ kind }) => kind === name);
  const sum = (of: (one: Batch & Outcome) => number) => own.reduce((total, one) => total + of(one), 0);
  return `${name}: ${sum(({ kills }) => kills)} kills, ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ problems }) => problems.length)} problems`;
}

if (require.main === module) void run(Number(process.argv[2] ?? 1000), Number(process.env.PUNCHBOARD_SEED ?? 1));
