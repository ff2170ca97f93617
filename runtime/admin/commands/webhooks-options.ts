// The options of `serve` for web hooks.

import type { Option } from 'commander';
import { HISTORY_DAYS } from '../../webhooks/settings.js';
import { option, wholeNumber } from './command.js';

/** The options of `serve`. */
export function webhookServeOptions(): readonly Option[] {
  return [
    option(
      '--webhook-allow-cidrs <ranges>',
      'non-public address ranges, separated by commas, that web hooks may call; none unless given, this machine with --demo',
      'WEBHOOK_ALLOW_CIDRS',
    ).argParser((text) => text.split(/[\s,]+/).filter((range) => range !== '')),
    option(
      '--webhook-retry-unit-ms <number>',
      'milliseconds added to the delay of a retry by each failure; by default an hour',
      'WEBHOOK_RETRY_UNIT_MS',
    ).argParser(wholeNumber(MOST_MILLISECONDS, 1)),
    option('--smtp-url <url>', 'mail server, smtp://user:password@host:port?from=address', 'SMTP_URL'),
    option(
      '--mail-outbox <folder>',
      'folder where mail is saved as files when there is no mail server; by default `outbox` next to the database file, or data/outbox',
      'MAIL_OUTBOX',
    ),
    option(
      '--webhook-history-days <number>',
      'days for which messages, attempts and the beginnings of answers can be read by administrators',
      'WEBHOOK_HISTORY_DAYS',
    )
      .default(HISTORY_DAYS)
      .argParser(wholeNumber(MOST_DAYS)),
  ];
}

const MOST_DAYS = 3650;

/** A year: with more, times could leave the range of dates. */
const MOST_MILLISECONDS = 366 * 24 * 3_600_000;
