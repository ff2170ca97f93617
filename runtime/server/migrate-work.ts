// What each of the migrate commands does, from its options to the text it prints; migrate-commands.ts declares the options.
// On SQLite status, plan and rehearse work next to a running server, and apply, restore and purge lock it out; on PostgreSQL only
// rehearse needs the servers stopped.
import type { MaybePromise } from '../maybe-promise.js';
import type { Schema } from '../schema/schema.js';
import { openSchemaKeeper } from '../store/open-engine.js';
import { isRefused, type SchemaKeeper } from '../store/schema-keeper.js';
import { CommandError, type Format } from './command.js';
import { loadGenerated } from './load-generated.js';
import {
  planJson,
  planText,
  purgedText,
  rehearsalText,
  restoredText,
  statusJson,
  statusText,
} from './migrate-report.js';
import { refuseUnmet } from './open-service.js';

export interface Asked {
  /** Path of a file, or URL of a database. */
  readonly database: string;
  /** Output folder of the generator; the project's own unless given. */
  readonly generated?: string;
  readonly format?: Format;
}

export async function showStatus(asked: Asked): Promise<string> {
  return onSchema(asked, 'read', async (keeper, schema) => {
    const pending = await keeper.plan(schema);
    const { applied, kept } = await keeper.current();
    return asked.format === 'json' ? json(statusJson(pending, applied, kept)) : statusText(pending, applied, kept);
  });
}

/** What a command prints, and whether that is a refusal. */
export interface Shown {
  readonly text: string;
  readonly refused: boolean;
}

export async function showPlan(asked: Asked): Promise<Shown> {
  return onSchema(asked, 'read', async (keeper, schema) => {
    const pending = await keeper.plan(schema);
    const text = asked.format === 'json' ? json(planJson(pending)) : planText(pending);
    return { text, refused: pending !== null && isRefused(pending) };
  });
}

export interface AskedToApply extends Asked {
  /** The drops and filled nulls that were named. */
  readonly allow: readonly string[];
  readonly distribute?: boolean;
}

/** @param now epoch milliseconds */
export async function apply(asked: AskedToApply, now: number): Promise<string> {
  return onSchema(runnable(asked), 'alone', async (keeper, schema) => {
    const steps = await keeper.apply(schema, asked.allow, now, asked.distribute);
    if (steps.length === 0) return 'Up to date.\n';
    return `${steps.map(({ says }, at) => `${at + 1}. ${says}\n`).join('')}Done.\n`;
  });
}

/** @param now epoch milliseconds */
export async function tryOnCopy(asked: Asked, now: number): Promise<string> {
  return onSchema(runnable(asked), 'read', async (keeper, schema) => {
    const done = await keeper.rehearse(schema, now);
    if (done.findings.length > 0) throw new CommandError(rehearsalText(done).trimEnd());
    return rehearsalText(done);
  });
}

export async function putBack({ database }: Asked, name: string): Promise<string> {
  return onKept(database, async (keeper) => restoredText(await keeper.restore(name)));
}

/** @param before epoch milliseconds */
export async function removeKept({ database }: Asked, before: number): Promise<string> {
  return onKept(database, async (keeper) => purgedText(await keeper.purge(before)));
}

/** Throws StartError where the service could not run on the schema that a database is to be brought to. */
function runnable(asked: Asked): Asked {
  const { schema, generated } = loadGenerated(asked.generated ?? null);
  refuseUnmet(schema, generated);
  return asked;
}

type Work<T> = (keeper: SchemaKeeper, schema: Schema) => Promise<T>;

async function onSchema<T>(
  { database, generated: folder }: Asked,
  access: 'read' | 'alone',
  work: Work<T>,
): Promise<T> {
  const { schema, generated } = loadGenerated(folder ?? null);
  const keeper = await openSchemaKeeper(database, { access, definitions: generated.definitions });
  return closing(keeper, work(keeper, schema));
}

/** Values kept aside: whatever schema the database has. */
async function onKept<T>(database: string, work: (keeper: SchemaKeeper) => Promise<T>): Promise<T> {
  const keeper = await openSchemaKeeper(database, { access: 'alone', definitions: [] });
  return closing(keeper, work(keeper));
}

async function closing<T>(opened: { close(): MaybePromise<void> }, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await opened.close();
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
