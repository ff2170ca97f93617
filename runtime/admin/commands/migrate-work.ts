// What each of the migrate commands does, from its options to the text it prints; migrate-commands.ts declares the options.
// On SQLite status, plan and rehearse work next to a running server, and apply, restore and purge lock it out; on PostgreSQL only
// rehearse needs the servers stopped.

import { CommandError } from '../../contract/command-error.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { Clock } from '../../http/exchange.js';
import type { Schema } from '../../schema/schema.js';
import { loadGenerated } from '../../server/load-generated.js';
import { refuseUnmet } from '../../server/open-service.js';
import { commandsOn } from '../../store/open-engine.js';
import type { Progress } from '../../store/progress.js';
import { isRefused, type SchemaMigrator } from '../../store/schema-migrator.js';
import { commandAuthor } from './author.js';
import { type Format, formatOutput } from './command.js';
import {
  appliedText,
  keptJson,
  planJson,
  planText,
  purgedText,
  rehearsalText,
  restoredJson,
  restoredText,
  statusJson,
  statusText,
} from './migrate-report.js';

export interface MigrateOptions {
  /** Path of a file, or URL of a database. */
  readonly database: string;
  /** Output folder of the generator; the project's own by default. */
  readonly generated?: string;
  readonly format: Format;
}

interface ProgressOption {
  /** Absent: progress is not shown. */
  readonly progress?: Progress | undefined;
}

interface ApplyContext extends ProgressOption, Clock {}

export async function status(options: MigrateOptions): Promise<string> {
  return onSchema(options, 'read', async (migrator, schema) => {
    const pending = await migrator.plan(schema);
    const { applied, kept } = await migrator.current();
    return formatOutput(options.format, statusJson(pending, applied, kept), () => statusText(pending, applied, kept));
  });
}

/** What a command prints, and whether that is a refusal. */
export interface PrintedPlan {
  readonly text: string;
  readonly refused: boolean;
}

/** @param adopt matches the database by names */
export async function plan(options: MigrateOptions, adopt = false): Promise<PrintedPlan> {
  return onSchema(options, 'read', async (migrator, schema) => {
    const pending = await migrator.plan(schema, adopt);
    const text = formatOutput(options.format, planJson(pending), () => planText(pending, adopt ? 'adopt' : 'apply'));
    return { text, refused: pending !== null && isRefused(pending) };
  });
}

export interface ApplyOptions extends MigrateOptions {
  /** The drops and filled nulls that were named. */
  readonly allow: readonly string[];
  readonly distribute?: boolean;
  /** Matches the database by names. */
  readonly adopt?: boolean;
}

export async function apply(options: ApplyOptions, { now, tick, progress }: ApplyContext): Promise<string> {
  const started = tick();
  const { distribute = false, adopt = false } = options;
  return onSchema({ ...runnable(options), progress }, 'alone', async (migrator, schema) => {
    const change = { author: commandAuthor(), now: now() };
    const steps = await migrator.apply(schema, options.allow, change, { distribute, adopt });
    const milliseconds = tick() - started;
    return formatOutput(options.format, { steps: steps.map(({ says }) => says) }, () =>
      appliedText(steps, milliseconds),
    );
  });
}

export async function rehearse(
  options: MigrateOptions,
  { now, progress }: ProgressOption & { readonly now: number },
): Promise<PrintedPlan> {
  return onSchema({ ...runnable(options), progress }, 'read', async (migrator, schema) => {
    const rehearsal = await migrator.rehearse(schema, now);
    const refused = rehearsal.findings.length > 0;
    if (refused && options.format !== 'json') throw new CommandError(rehearsalText(rehearsal).trimEnd());
    return { text: formatOutput(options.format, rehearsal, rehearsalText), refused };
  });
}

export async function restore({ database, format }: MigrateOptions, name: string): Promise<string> {
  return onKept(database, async (migrator) => {
    const restored = await migrator.restore(name);
    return formatOutput(format, restoredJson(restored), () => restoredText(restored));
  });
}

/** @param before epoch milliseconds */
export async function purge({ database, format }: MigrateOptions, before: number): Promise<string> {
  return onKept(database, async (migrator) => {
    const purged = await migrator.purge(before);
    return formatOutput(format, purged.map(keptJson), () => purgedText(purged));
  });
}

/** Throws StartError if the service could not run on the schema that a database would get. */
function runnable(options: MigrateOptions): MigrateOptions {
  const { schema, generated } = loadGenerated(options.generated ?? null);
  refuseUnmet(schema, generated);
  return options;
}

type SchemaTask<T> = (migrator: SchemaMigrator, schema: Schema) => Promise<T>;

async function onSchema<T>(
  { database, generated: folder, progress }: MigrateOptions & ProgressOption,
  access: 'read' | 'alone',
  work: SchemaTask<T>,
): Promise<T> {
  const { schema, generated } = loadGenerated(folder ?? null);
  const migrator = await commandsOn(database).schema({ access, definitions: generated.definitions, progress });
  return closing(migrator, work(migrator, schema));
}

/** Runs work on the values kept aside in a database with any schema. */
async function onKept<T>(database: string, work: (migrator: SchemaMigrator) => Promise<T>): Promise<T> {
  const migrator = await commandsOn(database).schema({ access: 'alone', definitions: [] });
  return closing(migrator, work(migrator));
}

async function closing<T>(opened: { close(): MaybePromise<void> }, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await opened.close();
  }
}
