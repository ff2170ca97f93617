// `punchboard migrate …`: the operators' commands on the schema of a database. The work is done in migrate-work.ts.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withProgramName } from '../../project/command-line.js';
import { CLOCK } from '../../server/clock.js';
import type { Progress } from '../../store/progress.js';
import { formatOption, generatedOption, type Io, runCommand, setUpCommand, withDatabase } from './command.js';
import type * as migrateWork from './migrate-work.js';
import type { ApplyOptions, MigrateOptions, PrintedPlan } from './migrate-work.js';

type MigrateWork = typeof migrateWork;
/** Runs the work of a command and prints the result; a refusal ends with exit code 1. */
type RunMigration = (
  command: (work: MigrateWork, progress: Progress | undefined) => Promise<string | PrintedPlan>,
) => Promise<void>;

/**
 * Adds `migrate status|plan|apply|adopt|rehearse|restore|purge` to the program.
 * @param load loads the work on demand, so that other commands do not wait for it
 */
export function registerMigrateCommands(program: Command, io: Io, load: () => Promise<MigrateWork> = loadWork): void {
  const migrate = setUpCommand(
    program.command('migrate').description('bring a database to the schema of this server'),
    io,
  );
  const run: RunMigration = async (command) => {
    let refused = false;
    await runCommand(io, async () => {
      const result = await command(await load(), await progressFor(io));
      io.stdout.write(withProgramName(typeof result === 'string' ? result : result.text));
      refused = typeof result !== 'string' && result.refused;
    });
    if (refused) (io.exit ?? process.exit)(1);
  };
  const add: AddCommand = (name, description) =>
    withDatabase(setUpCommand(migrate.command(name).description(description), io), io, '').addOption(formatOption());
  addReports(add, run);
  addApply(add, run);
  addAdopt(add, run);
  addKept(add, run);
}

function loadWork(): Promise<MigrateWork> {
  return import('./migrate-work.js');
}

/** Bars are for a terminal: the result names every step. */
async function progressFor({ stderr }: Io): Promise<Progress | undefined> {
  return stderr.isTTY ? (await import('./progress.js')).createProgress(stderr) : undefined;
}

type AddCommand = (name: string, description: string) => Command;

function addReports(add: AddCommand, run: RunMigration): void {
  add('status', 'show what is pending, what was applied and what is kept aside')
    .addOption(generatedOption())
    .action((options: MigrateOptions) => run((work) => work.status(options)));
  add(
    'plan',
    'show what would change, the rows in the way, the steps, and what must be allowed; exit code 1 if it is refused',
  )
    .addOption(generatedOption())
    .action((options: MigrateOptions) => run((work) => work.plan(options)));
  add(
    'rehearse',
    'try the plan, drops included, on a copy next to the database and compare; exit code 1 on unexpected differences',
  )
    .addOption(generatedOption())
    .action((options: MigrateOptions) =>
      run((work, progress) => work.rehearse(options, { now: Date.now(), progress })),
    );
}

function addApply(add: AddCommand, run: RunMigration): void {
  add(
    'apply',
    'apply the plan: to a SQLite database in one transaction, with no server running; to PostgreSQL step by step',
  )
    .addOption(generatedOption())
    .addOption(allowOption())
    .option(
      '--distribute',
      'also spread the tables over the nodes of Citus; tables that later plans add are spread automatically',
    )
    .action((options: ApplyOptions) => run((work, progress) => work.apply(options, { ...CLOCK, progress })));
}

function addAdopt(add: AddCommand, run: RunMigration): void {
  add(
    'adopt',
    'take over a database that another branch brought to its schema: match it by names, and apply what differs, with no server running',
  )
    .addOption(generatedOption())
    .addOption(allowOption())
    .option('--plan', 'only show what would change, as `plan` does')
    .action(({ plan, ...options }: ApplyOptions & { readonly plan?: true }) =>
      run((work, progress) =>
        plan ? work.plan(options, true) : work.apply({ ...options, adopt: true }, { ...CLOCK, progress }),
      ),
    );
}

function allowOption(): Option {
  return new Option(
    '--allow <what>',
    'drop:<resource>[.<field>] or fill:<resource>.<field>, as `plan` names it (repeatable)',
  )
    .default([])
    .argParser(allowed);
}

function addKept(add: AddCommand, run: RunMigration): void {
  add('restore', 'restore dropped values where there is no value now; they stay aside until purged')
    .argument('<name>', '<resource>.<field>, or <resource> for its rows')
    .addOption(generatedOption())
    .action((name: string, options: MigrateOptions) => run((work) => work.restore(options, name)));
  add('purge', 'permanently remove dropped values that are kept aside')
    .addOption(generatedOption())
    .requiredOption('--before <date>', 'only what was dropped before this day, YYYY-MM-DD in UTC', day)
    .action((options: MigrateOptions & { readonly before: number }) =>
      run((work) => work.purge(options, options.before)),
    );
}

function allowed(text: string, before: readonly string[]): readonly string[] {
  if (/^(drop:[^.]+(\.[^.]+)?|fill:[^.]+\.[^.]+)$/.test(text)) return [...before, text];
  throw new InvalidArgumentError('It must be drop:<resource>[.<field>] or fill:<resource>.<field>.');
}

function day(text: string): number {
  const date = Date.parse(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date)) return date;
  throw new InvalidArgumentError('It must be a day, YYYY-MM-DD.');
}
