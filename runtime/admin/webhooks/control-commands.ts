// `punchboard webhooks deliveries|message|retry|pause|resume`: how operators read messages and control hooks (D48). What they
// change is in the audit log.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OperatorChange } from '../../contract/audit.js';
import { CommandError } from '../../contract/command-error.js';
import { DELIVERY_STATES, type DeliveryState } from '../../contract/delivery-states.js';
import type { DeliveryList, DeliveryPage, DeliveryReport, HookReports } from '../../store/outbox.js';
import { deliveryJson, messageJson } from '../../webhooks/delivery-report.js';
import {
  formatOption,
  formatOutput,
  generatedOption,
  type Io,
  runCommand,
  setUpCommand,
  wholeNumber,
  withDatabase,
} from '../commands/command.js';
import { addReportOptions, printReport, type ReportOptions, withOutbox } from './database-commands.js';
import { deliveriesText, messageText } from './report-text.js';

/** Adds them to `punchboard webhooks`. */
export function addHookControls(webhooks: Command, io: Io): void {
  addDeliveries(webhooks, io);
  addMessage(webhooks, io);
  addRetry(webhooks, io);
  addPause(webhooks, io, 'pause');
  addPause(webhooks, io, 'resume');
}

interface DeliveriesOptions extends ReportOptions {
  readonly state?: DeliveryState;
  readonly limit: number;
}

function addDeliveries(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('deliveries')
    .description('show the deliveries of a web hook, deleted ones included, newest first')
    .argument('<id>', 'id of the web hook')
    .option('--limit <number>', 'deliveries to show', wholeNumber(1_000_000), 100)
    .addOption(new Option('--state <state>', 'only those in this state').choices(DELIVERY_STATES));
  addReportOptions(command, io).action((id: string, options: DeliveriesOptions) =>
    printReport(options, io, async (reports) => {
      const states = options.state === undefined ? null : [options.state];
      const deliveries = await newest(reports, id, { states, limit: options.limit });
      return options.format === 'json' ? deliveries.map((one) => deliveryJson(one)) : deliveriesText(deliveries);
    }),
  );
}

/** Reads page after page until there are `limit` deliveries, or no more. */
async function newest(
  reports: HookReports,
  hook: string,
  { states, limit }: Pick<DeliveryPage, 'states' | 'limit'>,
): Promise<readonly DeliveryReport[]> {
  const deliveries: DeliveryReport[] = [];
  let after: string | null = null;
  do {
    const page: DeliveryList = await reports.deliveries(hook, { states, after, limit: limit - deliveries.length });
    deliveries.push(...page.items);
    after = page.next;
  } while (after !== null && deliveries.length < limit);
  return deliveries;
}

function addMessage(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('message')
    .description('show a delivery: its message, its attempts, and the beginning of each answer')
    .argument('<id>', 'id of the web hook')
    .argument('<delivery>', 'id of the delivery');
  addReportOptions(command, io).action((id: string, delivery: string, options: ReportOptions) =>
    printReport(options, io, async (reports) => {
      const match = await reports.message(id, delivery);
      if (match === null) throw new CommandError(`web hook ${id} has no delivery ${delivery}, or it is no longer kept`);
      return options.format === 'json' ? messageJson(match) : messageText(match);
    }),
  );
}

interface RetryOptions extends ReportOptions {
  readonly delivery?: string;
  readonly since?: number;
}

function addRetry(webhooks: Command, io: Io): void {
  const command = webhooks
    .command('retry')
    .description('retry waiting, held and cancelled deliveries now, with the same Delivery-Id')
    .argument('<id>', 'id of the web hook')
    .option('--delivery <id>', 'only this delivery')
    .option(
      '--since <time>',
      'only deliveries created since then, 2026-01-31 or 2026-01-31T12:00:00Z; everything by default',
      time,
    );
  changing(command, io).action((id: string, options: RetryOptions) =>
    runCommand(io, async () => {
      const { delivery, since = 0 } = options;
      if (delivery !== undefined && options.since !== undefined) {
        command.error('error: --delivery and --since cannot be given together');
      }
      const which = delivery === undefined ? { since } : { delivery };
      const count = await withOutbox(options, async (outbox) => outbox.retry(id, which, await change()));
      const text = `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} tried again\n`;
      io.stdout.write(formatOutput(options.format, { retried: count }, () => text));
    }),
  );
}

const PAUSES = {
  pause: 'pause a web hook: nothing is sent until it is resumed, and nothing is lost',
  resume: 'resume a paused web hook',
} as const;

function addPause(webhooks: Command, io: Io, name: keyof typeof PAUSES): void {
  const command = webhooks.command(name).description(PAUSES[name]).argument('<id>', 'id of the web hook');
  changing(command, io).action((id: string, options: ReportOptions) =>
    runCommand(io, async () => {
      await withOutbox(options, async (outbox) => outbox.pause(id, name === 'pause', await change()));
      io.stdout.write(
        formatOutput(options.format, { id, paused: name === 'pause' }, () => `web hook ${id} is ${name}d\n`),
      );
    }),
  );
}

function changing(command: Command, io: Io): Command {
  return withDatabase(setUpCommand(command, io), io, '')
    .addOption(generatedOption())
    .addOption(formatOption())
    .addHelpText('after', '\nA server that runs on the database notices within a second.');
}

/** The author of a change, and its time. */
export async function change(): Promise<OperatorChange> {
  const { commandAuthor } = await import('../commands/author.js');
  return { author: commandAuthor(), now: Date.now() };
}

function time(text: string): number {
  const parsed = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(parsed)) return parsed;
  throw new InvalidArgumentError('It must be a day or a time, 2026-01-31 or 2026-01-31T12:00:00Z.');
}
