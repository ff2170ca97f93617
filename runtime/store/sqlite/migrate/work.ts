// What each of the migrate commands does, from its options to the text it prints; commands.ts declares the options.
// status, plan and rehearse work next to a running server; apply, restore and purge lock it out.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Generated } from '../../../definition.js';
import type { Schema } from '../../../schema/schema.js';
import { CommandError } from '../../../server/command.js';
import { loadGenerated } from '../../../server/load-generated.js';
import { moduleTables, refuseUnmet } from '../../../server/open-service.js';
import { explained, type Opened, openDatabase, openForReading } from '../open.js';
import { applying, rehearsing } from './allowed.js';
import { applyTo } from './apply.js';
import { listDropped, purge } from './dropped.js';
import { history } from './memory.js';
import { isRefused, pendingOf } from './pending.js';
import { rehearse } from './rehearse.js';
import { planJson, planText, purgedText, rehearsalText, restoredText, statusJson, statusText } from './report.js';
import { restore } from './restore.js';

export interface Asked {
  /** Path of the database. */
  readonly database: string;
  /** Output folder of the generator; the project's own unless given. */
  readonly generated?: string;
  readonly json?: boolean;
}

export function showStatus(asked: Asked): string {
  return opened(asked, openForReading, (db) => {
    const { schema, extraDdl } = target(asked);
    const found = [pendingOf(db, schema, extraDdl), history(db), listDropped(db)] as const;
    return asked.json ? json(statusJson(...found)) : statusText(...found);
  });
}

/** What a command prints, and whether that is a refusal. */
export interface Shown {
  readonly text: string;
  readonly refused: boolean;
}

export function showPlan(asked: Asked): Shown {
  return opened(asked, openForReading, (db) => {
    const { schema, extraDdl } = target(asked);
    const pending = pendingOf(db, schema, extraDdl);
    const text = asked.json ? json(planJson(pending)) : planText(pending);
    return { text, refused: pending !== null && isRefused(pending) };
  });
}

/** @param allow the drops and filled nulls that were named. @param now epoch milliseconds */
export function apply(asked: Asked, allow: readonly string[], now: number): string {
  return opened(asked, alone, (db) => {
    const steps = applyTo(db, { ...runnable(asked), now, permit: applying(allow) });
    if (steps.length === 0) return 'Up to date.\n';
    return `${steps.map(({ says }, at) => `${at + 1}. ${says}\n`).join('')}Done.\n`;
  });
}

/** @param clock epoch milliseconds, and milliseconds that only go forward */
export function tryOnCopy(asked: Asked, clock: { readonly now: number; readonly tick: () => number }): string {
  return opened(asked, openForReading, (db) => {
    const { now, tick } = clock;
    const to = runnable(asked);
    const copy = `${asked.database}-rehearsal-${process.pid}`;
    removeLeft(asked.database);
    const run = (database: Database.Database): void => {
      applyTo(database, { ...to, now, permit: rehearsing });
    };
    const done = rehearse(db, { schema: to.schema, copy, apply: run, tick });
    if (done.findings.length > 0) throw new CommandError(rehearsalText(done).trimEnd());
    return rehearsalText(done);
  });
}

export function putBack(asked: Asked, name: string): string {
  return opened(asked, alone, (db) => restoredText(restore(db, name)));
}

/** @param before epoch milliseconds */
export function removeKept(asked: Asked, before: number): string {
  return opened(asked, alone, (db) => purgedText(purge(db, before)));
}

/** Locks servers out. */
function alone(database: string): Opened {
  return openDatabase(database, { owner: true });
}

function opened<T>({ database }: Asked, open: (database: string) => Opened, work: (db: Database.Database) => T): T {
  // Only serving creates a database: a mistyped path must not look like an empty one.
  if (!existsSync(database)) throw new CommandError(`there is no database ${database}: choose another with --database`);
  const { db, close } = open(database);
  try {
    return work(db);
  } catch (error) {
    throw explained(error, database);
  } finally {
    close();
  }
}

/** Removes the copies of rehearsals that were killed: they hold all the data, and nothing else removes them. */
function removeLeft(database: string): void {
  const folder = dirname(database);
  const start = `${basename(database)}-rehearsal-`;
  for (const name of readdirSync(folder)) {
    const [, number] = (name.startsWith(start) && /^(\d+)(?:-\w+)?$/.exec(name.slice(start.length))) || [];
    if (number !== undefined && !isRunning(Number(number))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The schema to bring a database to; throws StartError where the service could not run on it. */
function runnable(asked: Asked): Wanted {
  const wanted = target(asked);
  refuseUnmet(wanted.schema, wanted.generated);
  return wanted;
}

interface Wanted {
  readonly schema: Schema;
  readonly generated: Generated;
  readonly extraDdl: readonly string[];
}

function target({ generated: folder }: Asked): Wanted {
  const { schema, generated } = loadGenerated(folder ?? null);
  return { schema, generated, extraDdl: moduleTables(generated.definitions) };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
