// The module in a server, put together: engine, sender, mails, figures, and the operations it serves. Decides nothing.

import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { AnyDefinition } from '../definition.js';
import type { Operations } from '../operations/operations.js';
import { StartError } from '../store/sqlite/start-error.js';
import type { Store } from '../store/store.js';
import type { Job } from '../upkeep.js';
import type { Guard } from './address.js';
import { createEngine } from './engine.js';
import { createFigures, type Figures } from './figures.js';
import type { LoopClock } from './loop.js';
import type { OpenedWebhooks } from './open.js';
import { createWebhookOperations } from './operations.js';
import { createFolderPostbox, createSmtpPostbox, type Postbox } from './postbox.js';
import { createResolve, systemDns } from './resolve.js';
import type { Sender } from './send.js';
import type { WebhookOptions } from './serve-options.js';
import { type Exposure, guardOf, mailFolder } from './settings.js';
import { checkUri } from './uri.js';
import { attemptOnce } from './worker.js';

export interface WebhookParts {
  readonly options: WebhookOptions;
  readonly exposure: Exposure;
  /** Path of the database file. */
  readonly database: string;
  readonly opened: OpenedWebhooks;
  readonly store: Store;
  /** All that are served, the web hook among them. */
  readonly definitions: readonly AnyDefinition[];
  readonly clock: LoopClock;
  readonly log: Logger;
}

/** Only the one server of a database starts it. */
export interface Webhooks {
  readonly operations: Partial<Operations>;
  readonly figures: Figures;
  readonly jobs: readonly Job[];
  /** Sending begins; first what a killed server left in flight becomes due again (S24). */
  start(): Promise<void>;
  /** Nothing is claimed any more; what is under way goes on. */
  pause(): void;
  /** Attempts under way get a second to end; the others are cut off, are not counted and come again (S19). */
  stop(): Promise<void>;
}

/** Milliseconds of an attempt, and those it gets when the server stops. */
const DEADLINE = 10_000;
const PATIENCE = 1_000;
/** The log of attempts is kept for 30 days, and looked through every hour. Milliseconds. */
const LOG_KEPT = 30 * 24 * 3_600_000;
const LOG_EVERY = 3_600_000;
/** Milliseconds between two whole counts of what the outbox holds, where it holds too much to count when asked. */
const COUNT_EVERY = 30_000;

/** Throws StartError for options that make no sense. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { opened, store, definitions, clock, log } = parts;
  const { outbox } = opened;
  const guard = guardOf(parts.options, parts.exposure);
  const postbox = postboxOf(parts);
  const figures = createFigures(() => outbox.stats(clock.now()));
  const sender = createLazySender(guard);
  const { send } = sender;
  const engine = createEngine({ opened, send, deadline: DEADLINE, postbox, figures, clock, log });
  return {
    figures,
    jobs: jobsOf(outbox),
    operations: createWebhookOperations({
      store,
      definitions,
      outbox,
      checkUri: (uri) => checkUri(uri, guard),
      async attempt(attempt) {
        const outcome = await attemptOnce({ send, clock: clock.now }, attempt);
        figures.attempted(outcome.class);
        return outcome;
      },
      clock: clock.now,
    }),
    start: engine.start,
    pause: engine.worker.stop,
    async stop() {
      await engine.stop();
      await endedWithin(engine.worker.idle(), PATIENCE);
      await sender.close();
      await engine.worker.idle();
      // What could not be settled is tried once more; what then cannot be is released at the next start.
      await engine.worker.runOnce(clock.now());
      await engine.worker.idle();
    },
  };
}

/** What the module does for itself now and then. */
function jobsOf(outbox: OpenedWebhooks['outbox']): readonly Job[] {
  return [
    { name: 'counting deliveries', every: COUNT_EVERY, step: outbox.count },
    { name: 'forgetting old attempts', every: LOG_EVERY, step: (now) => outbox.forget(now - LOG_KEPT, now) },
    { name: 'deleting rows of web hooks that are gone', every: 24 * LOG_EVERY, step: outbox.orphans },
  ];
}

/** The HTTP client is loaded with the first attempt: most of the time to the first answer would be its. */
function createLazySender(guard: Guard): Sender {
  let sender: Sender | null = null;
  const load = (): Sender => {
    const { createSender } = require('./send.js') as typeof import('./send.js');
    return createSender({ guard, resolve: createResolve(systemDns(), hostsFile()), deadline: DEADLINE });
  };
  return {
    send: async (post) => {
      sender ??= load();
      return sender.send(post);
    },
    close: async () => sender?.close(),
  };
}

/** Names that the machine's administrator has given; empty where there is no such file. */
function hostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}

function postboxOf({ options, database, log }: WebhookParts): Postbox {
  if (options.smtpUrl === undefined) {
    return createFolderPostbox(mailFolder(options, database), (path, { subject }) =>
      log.info({ path, subject }, 'no mail server (--smtp-url): the mail is a file'),
    );
  }
  try {
    return createSmtpPostbox(options.smtpUrl);
  } catch (error) {
    throw new StartError(`--smtp-url: ${(error as Error).message}`);
  }
}

async function endedWithin(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
