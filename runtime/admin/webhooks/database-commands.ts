// Commands about web hooks on a database that a server may be running on: those that only read it, and those that do not.

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { CommandError } from '../../contract/command-error.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import { hasWebhooks } from '../../rules/hooks.js';
import type { HookReports, Outbox } from '../../store/outbox.js';
import {
  type Format,
  formatOption,
  generatedOption,
  type Io,
  refuseMissing,
  runCommand,
  setUpCommand,
  withDatabase,
} from '../commands/command.js';
import type { DatabaseOptions } from '../commands/operator-reports.js';

/** The options of a command that prints text for people or JSON for programs. */
export interface ReportOptions extends DatabaseOptions {
  readonly format: Format;
}

/** Gives a command the options of a report. */
export function addReportOptions(command: Command, io: Io): Command {
  return withDatabase(setUpCommand(command, io), io, '').addOption(generatedOption()).addOption(formatOption());
}

/** Prints what `read` returns: text as it is, anything else as JSON. */
export function printReport(
  options: ReportOptions,
  io: Io,
  read: (reports: HookReports) => Promise<unknown>,
): Promise<void> {
  return runCommand(io, async () => {
    refuseMissing(options.database);
    // Loaded on demand: other commands do not wait for it.
    const { loadGenerated } = await import('../../server/load-generated.js');
    const { commandsOn } = await import('../../store/open-engine.js');
    if (!hasWebhooks(loadGenerated(options.generated ?? null).generated.definitions)) throw noWebhooks();
    const reports = await commandsOn(options.database).hooks();
    try {
      const report = await read(reports);
      io.stdout.write(typeof report === 'string' ? report : `${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await reports.close();
    }
  });
}

/** Runs a command that changes the database. */
export async function withOutbox<T>(
  { database, generated }: DatabaseOptions,
  work: (outbox: Outbox) => MaybePromise<T>,
): Promise<T> {
  refuseMissing(database);
  const { openService } = await import('../../server/open-service.js');
  const options = { database, wire: 'plain', generated: generated ?? null, owner: false, random: randomBytes } as const;
  const service = await openService(options, Date.now());
  try {
    const { outbox } = service.engine;
    if (outbox === null) throw noWebhooks();
    return await work(outbox);
  } finally {
    await service.engine.close();
  }
}

function noWebhooks(): CommandError {
  return new CommandError('there are no web hooks in what was generated');
}
