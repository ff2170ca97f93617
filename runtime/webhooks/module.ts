// The module in a server: the loops of worker and notifier, upkeep, and the operations it serves.

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { DELIVERIES, STOPPING } from '../contract/defaults.js';
import type { AnyDefinition } from '../contract/definition.js';
import type { Job } from '../contract/job.js';
import type { Profile } from '../http/profiles.js';
import type { Run } from '../operations/call.js';
import type { Operations } from '../operations/operations.js';
import { checkUri } from '../rules/address.js';
import type { Attempt, Outcome, Send } from '../rules/delivery.js';
import type { Outbox } from '../store/outbox.js';
import type { Records } from '../store/records.js';
import { StartError } from '../store/start-error.js';
import { createHookTests, type TestHook } from './deliver/hook-tests.js';
import { createLoop, type LoopClock } from './deliver/schedule.js';
import { attemptOnce, createWorker, leaseLength } from './deliver/worker.js';
import { createNotifier } from './mail/notifier.js';
import { createFolderTransport, createSmtpTransport, type MailTransport } from './mail/transport.js';
import { createObserver, type Observer } from './observer.js';
import { createWebhookOperations } from './operations.js';
import { createSender } from './send/sender.js';
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
  readonly register: Observer['register'];
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
  const transport = transportOf(options);
  const observer = createObserver(options.log, () => outbox.statistics(clock.now()));
  const sender = createSender({ guard: guardOf(options.options), deadline: DELIVERIES.attempt });
  const { send } = sender;
  const delivery = createDelivery(options, { send, transport, observer });
  const attempt = async (attempted: Attempt): Promise<Outcome> => {
    const outcome = await attemptOnce({ send, clock: clock.now }, attempted);
    observer.tested(outcome);
    return outcome;
  };
  const testHook = createHookTests({ outbox, server: options.server, attempt, clock: clock.now });
  return {
    register: observer.register,
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
  readonly observer: Observer;
}

function createDelivery(options: ModuleOptions, senders: Senders) {
  const { outbox, server, clock, log } = options;
  const { send, transport, observer } = senders;
  const failed = (error: unknown): void => log.error({ err: error }, 'web hooks: a run failed');
  const clockChanged = async (milliseconds: number): Promise<void> => {
    log.warn({ milliseconds }, 'the clock was changed');
    const now = clock.now();
    await outbox.clockChanged({ now, by: milliseconds, lease: now + leaseLength(DELIVERIES.attempt) });
  };
  const deliveries = createLoop({ clock, failed, clockChanged });
  const { capacity, attempt: deadline } = DELIVERIES;
  const worker = createWorker({
    ...{ outbox, server, send, clock: clock.now, capacity, deadline, wake: deliveries.wake },
    observer: observer.deliveries,
  });
  const mails = createLoop({ clock, failed });
  const notifier = createNotifier({ mails: outbox, transport, clock: clock.now, observer: observer.mails });
  const leases = createLoop({ clock, failed, clockChanged: worker.clockChanged });
  // The loop does not wait for the extension, so that it notices when a lease that cannot be extended ends.
  const keepLeases = async (now: number): Promise<null> => {
    void worker.keep(now);
    return null;
  };
  return {
    worker,
    async start(): Promise<void> {
      const released = await outbox.recover(server, clock.now());
      if (released > 0) log.info({ released }, 'web hooks: attempts with an unknown outcome are repeated');
      deliveries.start(worker.runOnce);
      mails.start(notifier.runOnce);
      if (outbox.extend !== undefined) leases.start(keepLeases);
      outbox.onDue({ due: worker.add, passedOver: observer.passedOver });
    },
    /** Resolves when no run is under way any more; attempts may still be under way. */
    async stop(): Promise<void> {
      worker.stop();
      notifier.stop();
      await Promise.all([deliveries, mails, leases].map((loop) => loop.stop()));
    },
  };
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
