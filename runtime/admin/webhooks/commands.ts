// `punchboard webhooks …` and `punchboard event publish`: the operators' commands. They work alongside a running server and
// change nothing except for the event that is published. Those that read messages and act on hooks are in control-commands.ts.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CommandError } from '../../contract/command-error.js';
import { attemptJson } from '../../webhooks/delivery-report.js';
import { hookJson } from '../../webhooks/report.js';
import {
  type Format,
  formatOption,
  formatOutput,
  generatedOption,
  type Io,
  runCommand,
  setUpCommand,
  wholeNumber,
  withDatabase,
} from '../commands/command.js';
import { FAULTS } from '../simulate/script.js';
import { addHookControls, change } from './control-commands.js';
import { addReportOptions, printReport, type ReportOptions, withOutbox } from './database-commands.js';
import { readEvent } from './event-file.js';
import { hooksText, hookText, logText } from './report-text.js';

/** Adds `webhooks list|show|log|deliveries|message|retry|pause|resume|simulate` to the program. */
export function registerWebhookCommands(program: Command, io: Io): void {
  const webhooks = setUpCommand(
    program.command('webhooks').description('inspect and control web hooks and their deliveries'),
    io,
  );
  addList(webhooks, io);
  addShow(webhooks, io);
  addLog(webhooks, io);
  addHookControls(webhooks, io);
  addSimulate(webhooks, io);
}

/** Adds `event publish` to the program. */
export function registerEventCommands(program: Command, io: Io): void {
  addPublish(setUpCommand(program.command('event').description('publish events to their subscribers'), io), io);
}

function addList(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('list')
    .description('list all web hooks, those with the most consecutive failures first');
  addReportOptions(command, io).action((options: ReportOptions) =>
    printReport(options, io, async (reports) => {
      const hooks = await reports.hooks();
      return options.format === 'json' ? hooks.map(hookJson) : hooksText(hooks);
    }),
  );
}

function addShow(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('show')
    .description('show a web hook: its consecutive failures, its waiting deliveries, and what they mean');
  addReportOptions(command.argument('<id>', 'id of the web hook'), io).action((id: string, options: ReportOptions) =>
    printReport(options, io, async (reports) => {
      const hook = await reports.hook(id);
      if (hook === null) throw new CommandError(`web hook ${id} not found`);
      return options.format === 'json' ? hookJson(hook) : hookText(hook);
    }),
  );
}

interface LogOptions extends ReportOptions {
  readonly limit: number;
}

function addLog(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('log')
    .description('show the attempts of a web hook, deleted ones included, newest first')
    .argument('<id>', 'id of the web hook')
    .option('--limit <number>', 'attempts to show', wholeNumber(1_000_000), 100);
  addReportOptions(command, io).action((id: string, options: LogOptions) =>
    printReport(options, io, async (reports) => {
      const attempts = await reports.log(id, options.limit);
      if (attempts.length === 0 && (await reports.hook(id)) === null) {
        throw new CommandError(`web hook ${id} not found, and it has no log`);
      }
      return options.format === 'json' ? attempts.map((one) => attemptJson(one)) : logText(attempts);
    }),
  );
}

function addPublish(event: Command, io: Io): void {
  const command = event
    .command('publish')
    .description('publish the event that a JSON file describes: {"event", "owner_class", "owner_id", "payload"}')
    .requiredOption('--file <path>', 'the JSON file');
  withDatabase(setUpCommand(command, io), io, '')
    .addOption(generatedOption())
    .addOption(formatOption())
    .addHelpText('after', '\nA server that runs on the database sends it within a second; otherwise the next one does.')
    .action((options: ReportOptions & { readonly file: string }) =>
      runCommand(io, async () => {
        const read = readEvent(textOf(options.file));
        if ('problem' in read) throw new CommandError(`${options.file}: ${read.problem}`);
        const { author, now } = await change();
        const count = await withOutbox(options, (outbox) => outbox.publish(read.event, now, author));
        const text = `${count} ${count === 1 ? 'delivery' : 'deliveries'} written\n`;
        io.stdout.write(formatOutput(options.format, { deliveries: count }, () => text));
      }),
    );
}

function addSimulate(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('simulate')
    .description('play a receiver’s behaviour against the real module with a clock of its own, and print the timeline')
    .requiredOption('--behaviour <path>', 'JSON file that describes how the receiver answers and when events happen');
  setUpCommand(command, io)
    .addOption(generatedOption())
    .addOption(formatOption())
    .addHelpText('after', SCRIPT)
    .action(({ behaviour, generated, format }: SimulateOptions) =>
      runCommand(io, async () => {
        const { simulate } = await import('../simulate/simulate.js');
        io.stdout.write(await simulate(textOf(behaviour), generated, format));
      }),
    );
}

interface SimulateOptions {
  readonly behaviour: string;
  readonly generated?: string;
  readonly format: Format;
}

const SCRIPT = `
A script: { "events": [{ "at": "0h" }, { "at": "3d", "burst": 5 }], "answers": [500, { "fault": "hang", "times": 4 }, 200] }
Times are 90s, 12h, 3d; answers are statuses or one of ${Object.keys(FAULTS).join(', ')}; the last one repeats.
Each line of the timeline is the end of one attempt, with the count after it and the time of the next attempt. In JSON, times are
milliseconds since the start.`;

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
