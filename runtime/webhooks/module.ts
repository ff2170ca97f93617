// The module in a server: the loops of worker and notifier, metrics, upkeep, and the operations it serves.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { DELIVERIES, STOPPING } from '../contract/defaults.js';
import type { AnyDefinition } from '../contract/definition.js';
import type { Job } from '../contract/job.js';
import type { Profile } from '../http/profiles.js';
import type { Run } from '../operations/call.js';
import type { Operations } from '../operations/operations.js';
import { checkUri, type Guard } from '../rules/address.js';
import type { Attempt, Outcome, Send } from '../rules/delivery.js';
import type { Outbox } from '../store/outbox.js';
import type { Records } from '../store/records.js';
import { StartError } from '../store/start-error.js';
import { createHookTests, type TestHook } from './deliver/hook-tests.js';
import { type Loop, type LoopClock, startLoop } from './deliver/schedule.js';
import { attemptOnce, createWorker, leaseEnd, type Worker } from './deliver/worker.js';
import { createNotifier, type Notifier } from './mail/notifier.js';
import { createFolderTransport, createSmtpTransport, type MailTransport } from './mail/transport.js';
import { createWebhookMetrics, type WebhookMetrics } from './metrics.js';
import { createWebhookOperations } from './operations.js';
import { createResolve, systemDns } from './send/resolve.js';
import type { Sender } from './send/sender.js';
import { type Exposure, guardOf, HISTORY_DAYS, mailFolder, type WebhookOptions } from './settings.js';

export interface ModuleOptions {
  readonly options: WebhookOptions & Exposure;
  /** Path of the database file. */
  readonly database: string;
  readonly outbox: Outbox;
  readonly store: Records;
  /** The list operation that all resources share. */
  readonly list: Run;
  /** Name of the server, under which it claims deliveries. */
  readonly server: string;
  /** All resources that are served, including the web hook. */
  readonly definitions: readonly AnyDefinition[];
  /** How dates are written (D05). */
  readonly profile: Pick<Profile, 'formatDate'>;
  readonly clock: LoopClock;
  readonly log: Logger;
}

/** Only the server that owns the database starts it. */
export interface Webhooks {
  readonly operations: Partial<Operations>;
  readonly testHook: TestHook;
  readonly metrics: WebhookMetrics;
  readonly jobs: readonly Job[];
  /** Makes deliveries that a killed server left in flight due again (S24), and starts sending. */
  start(): Promise<void>;
  /** Nothing more is claimed; attempts under way continue. */
  pause(): void;
  /** Attempts under way get a second to end; the others are aborted, are not counted, and are repeated later (S19). */
  stop(): Promise<void>;
}

/** Throws StartError for invalid options. */
export function createWebhooks(options: ModuleOptions): Webhooks {
  const { outbox, clock } = options;
  const guard = guardOf(options.options);
  const transport = transportOf(options);
  const metrics = createWebhookMetrics(() => outbox.statistics(clock.now()));
  const sender = createLazySender(guard);
  const { send } = sender;
  const delivery = createDelivery(options, { send, transport, metrics });
  const attempt = async (attempted: Attempt): Promise<Outcome> => {
    const outcome = await attemptOnce({ send, clock: clock.now }, attempted);
    metrics.attempted(outcome.class);
    return outcome;
  };
  const testHook = createHookTests({ outbox, server: options.server, attempt, clock: clock.now });
  return {
    metrics,
    jobs: jobsOf(options),
    testHook,
    operations: createHookOperations(options, testHook),
    start: delivery.start,
    pause: delivery.worker.stop,
    async stop() {
      const { worker } = delivery;
      await delivery.stop();
      await waitAtMost(worker.idle(), STOPPING.attempts);
      await sender.close();
      await worker.idle();
      // What could not be settled is tried once more; what still cannot be is released at the next start.
      await worker.runOnce(clock.now());
      await worker.idle();
    },
  };
}

/** The operations of web hooks; another process may do the delivering. */
export function createHookOperations(
  { options, store, outbox, list, definitions, profile }: HookOperationsOptions,
  testHook: TestHook,
): Webhooks['operations'] {
  const guard = guardOf(options);
  return createWebhookOperations({
    ...{ store, outbox, list, definitions, testHook, newSecret },
    formatDate: profile.formatDate,
    checkUri: (uri) => checkUri(uri, guard),
  });
}

type HookOperationsOptions = Pick<ModuleOptions, 'options' | 'store' | 'list' | 'definitions' | 'profile'> & {
  readonly outbox: Pick<Outbox, 'exchange'>;
};

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

interface Senders {
  readonly send: Send;
  readonly transport: MailTransport;
  readonly metrics: WebhookMetrics;
}

function createDelivery(options: ModuleOptions, senders: Senders) {
  const { outbox, clock, log } = options;
  const loops: Loop[] = [];
  const wake = (): void => loops[0]?.wake();
  const failed = (error: unknown): void => log.error({ err: error }, 'web hooks: a run failed');
  const worker = workerOf(options, senders, wake);
  const notifier = notifierOf(options, senders);
  // The loop does not wait for it, so that it notices when a lease that cannot be extended ends.
  const keepLeases = async (now: number): Promise<null> => {
    void worker.keep(now);
    return null;
  };
  const clockChanged = async (milliseconds: number): Promise<void> => {
    log.warn({ milliseconds }, 'the clock was changed');
    const now = clock.now();
    await outbox.clockChanged({ now, by: milliseconds, lease: leaseEnd(now, DELIVERIES.attempt) });
  };
  return {
    worker,
    async start(): Promise<void> {
      const released = await outbox.recover(options.server, clock.now());
      if (released > 0) log.info({ released }, 'web hooks: attempts with an unknown outcome are repeated');
      loops.push(startLoop({ runOnce: worker.runOnce, clock, failed, clockChanged }));
      loops.push(startLoop({ runOnce: notifier.runOnce, clock, failed }));
      loops.push(startLoop({ runOnce: keepLeases, clock, failed, clockChanged: worker.clockChanged }));
      outbox.onDue({
        due(hooks) {
          worker.add(hooks);
          wake();
        },
        passedOver: (hooks) =>
          log.warn(
            { hooks },
            'web hooks: passed over, their users may no longer edit the owner, or its user may not read the record',
          ),
      });
    },
    /** Resolves when no run is under way any more; attempts may still be under way. */
    async stop(): Promise<void> {
      worker.stop();
      notifier.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function workerOf({ outbox, server, clock, log }: ModuleOptions, { send, metrics }: Senders, wake: () => void): Worker {
  return createWorker({
    outbox,
    server,
    send,
    clock: clock.now,
    capacity: DELIVERIES.capacity,
    deadline: DELIVERIES.attempt,
    wake,
    observer: {
      attempted({ hook, delivery, type }, outcome) {
        metrics.attempted(outcome.class);
        log.debug({ hook, delivery, type, outcome }, 'web hook attempt');
      },
      stale({ hook, delivery }) {
        metrics.stale();
        log.debug({ hook, delivery }, 'web hook outcome that changed nothing');
      },
      failed: (error) => log.error({ err: error }, 'web hooks: the database cannot be written'),
    },
  });
}

function notifierOf({ outbox, clock, log }: ModuleOptions, { transport, metrics }: Senders): Notifier {
  return createNotifier({
    mails: outbox,
    transport,
    clock: clock.now,
    observer: {
      sent({ id }) {
        metrics.mail('sent');
        log.info({ mail: id }, 'web hook mail sent');
      },
      failed({ id }, error) {
        metrics.mail('failed');
        log.warn({ mail: id, err: error }, 'web hook mail not sent, it is tried again');
      },
    },
  });
}

/** Attempts, answers and messages are kept for some days (D48). */
function jobsOf({ outbox, options }: ModuleOptions): readonly Job[] {
  const kept = (options.webhookHistoryDays ?? HISTORY_DAYS) * 24 * 3_600_000;
  return [
    { name: 'counting deliveries', every: DELIVERIES.count, step: outbox.count },
    {
      name: 'deleting old attempts and messages',
      every: DELIVERIES.prune,
      step: (now) => outbox.pruneLog(now - kept, now),
    },
    { name: 'deleting rows of deleted web hooks', every: 24 * DELIVERIES.prune, step: outbox.pruneOrphans },
  ];
}

/** The HTTP client is loaded with the first attempt: it would take most of the time the server needs to start. */
function createLazySender(guard: Guard): Sender {
  let sender: Sender | null = null;
  const load = (): Sender => {
    const { createSender } = require('./send/sender.js') as typeof import('./send/sender.js');
    return createSender({ guard, resolve: createResolve(systemDns(), hostsFile()), deadline: DELIVERIES.attempt });
  };
  return {
    send: async (post) => {
      sender ??= load();
      return sender.send(post);
    },
    close: async () => sender?.close(),
  };
}

/** Names that the machine's administrator defined; empty if there is no such file. */
function hostsFile(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8');
  } catch {
    return '';
  }
}

function transportOf({ options, database, log }: ModuleOptions): MailTransport {
  if (options.smtpUrl === undefined) {
    return createFolderTransport(mailFolder(options, database), (path, { subject }) =>
      log.info({ path, subject }, 'no mail server (--smtp-url): the mail is a file'),
    );
  }
  try {
    return createSmtpTransport(options.smtpUrl);
  } catch (error) {
    throw new StartError(`--smtp-url: ${(error as Error).message}`);
  }
}

async function waitAtMost(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
