// What operators see of the module: its log, and its metrics for Prometheus, which count what has happened since the start and
// show what the outbox holds now. No metric is per hook.

import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { MaybePromise } from '../contract/maybe-promise.js';
import { metricOf } from '../http/metric.js';
import type { Outcome } from '../rules/delivery.js';
import type { OutboxListener, OutboxStatistics } from '../store/outbox.js';
import type { DeliveryObserver } from './deliver/settlement.js';
import type { MailObserver } from './mail/notifier.js';

export interface Observer {
  readonly deliveries: DeliveryObserver;
  readonly mails: MailObserver;
  readonly passedOver: OutboxListener['passedOver'];
  /** The test of a hook has ended: it is counted, but not logged. */
  tested(outcome: Outcome): void;
  /** Adds the metrics to a registry; the outbox is read when the metrics are. */
  register(registry: Registry): void;
}

/** What the metrics have counted since the start. */
interface Counts {
  readonly attempts: Map<string, number>;
  readonly mails: Map<string, number>;
  stale: number;
}

/** @param statistics of the outbox as of now */
export function createObserver(log: Logger, statistics: () => MaybePromise<OutboxStatistics>): Observer {
  const counts: Counts = { attempts: new Map(), mails: new Map(), stale: 0 };
  const { attempts, mails } = counts;
  return {
    deliveries: {
      attempted({ hook, delivery, type }, outcome) {
        count(attempts, outcome.class);
        log.debug({ hook, delivery, type, outcome }, 'web hook attempt');
      },
      stale({ hook, delivery }) {
        counts.stale += 1;
        log.debug({ hook, delivery }, 'web hook outcome that changed nothing');
      },
      failed: (error) => log.error({ err: error }, 'web hooks: the database cannot be written'),
    },
    mails: {
      sent({ id }) {
        count(mails, 'sent');
        log.info({ mail: id }, 'web hook mail sent');
      },
      failed({ id }, error) {
        count(mails, 'failed');
        log.warn({ mail: id, err: error }, 'web hook mail not sent, it is tried again');
      },
    },
    passedOver: (hooks) => log.warn({ hooks }, PASSED_OVER),
    tested: (outcome) => count(attempts, outcome.class),
    register: (registry) => registerMetrics(registry, counts, statistics),
  };
}

const PASSED_OVER =
  'web hooks: passed over, their users may no longer edit the owner, or its user may not read the record';

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function registerMetrics(registry: Registry, counts: Counts, statistics: () => MaybePromise<OutboxStatistics>): void {
  const add = (...metric: Parameters<typeof metricOf>) => metricOf(...metric)(registry);
  const counter = (name: string, help: string) => ({ kind: 'counter', name: `webhook_${name}_total`, help }) as const;
  const valuesOf = (numbers: ReadonlyMap<string, number>, label: string) => () =>
    [...numbers].map(([value, number]) => [{ [label]: value }, number] as const);
  const byOutcome = { ...counter('attempts', 'Attempts by how they ended.'), labels: ['outcome'] };
  add(byOutcome, valuesOf(counts.attempts, 'outcome'));
  const byResult = { ...counter('mails', 'Tries to send a mail by result.'), labels: ['result'] };
  add(byResult, valuesOf(counts.mails, 'result'));
  add(counter('stale_outcomes', 'Outcomes that came too late to count.'), () => counts.stale);
  // The first gauge reads the outbox for all of them.
  let now: MaybePromise<OutboxStatistics>;
  for (const [index, [name, help, value]] of GAUGES.entries()) {
    add({ name, help }, async () => {
      if (index === 0) now = statistics();
      return value(await now);
    });
  }
}

const GAUGES: readonly (readonly [name: string, help: string, value: (statistics: OutboxStatistics) => number])[] = [
  ['webhook_due', 'Deliveries that could be attempted now.', ({ due }) => due],
  ['webhook_oldest_due_seconds', 'Age of the oldest of them.', ({ oldestDueAge }) => oldestDueAge / 1000],
  ['webhook_waiting', 'Retries that wait for their time.', ({ waiting }) => waiting],
  ['webhook_held', 'Retries held back until their hook succeeds.', ({ held }) => held],
  ['webhook_in_flight', 'Attempts under way.', ({ inFlight }) => inFlight],
  ['webhook_hooks', 'Web hooks.', ({ hooks }) => hooks],
  ['webhook_failing_hooks', 'Web hooks with 5 failures in a row or more.', ({ failing }) => failing],
  ['webhook_holding_hooks', 'Web hooks with 100 failures in a row or more.', ({ holding }) => holding],
  ['webhook_mails_due', 'Mails to be sent.', ({ mailsDue }) => mailsDue],
  ['webhook_oldest_mail_seconds', 'Age of the oldest of them.', ({ oldestMailAge }) => oldestMailAge / 1000],
];
