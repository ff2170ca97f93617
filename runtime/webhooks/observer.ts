// The module's metrics for Prometheus: what happened since the start, and what the outbox holds now. None is per hook.

import type { Registry } from 'prom-client';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { OutcomeClass } from '../rules/delivery.js';
import type { OutboxStatistics } from '../store/outbox.js';

export interface WebhookMetrics {
  attempted(outcome: OutcomeClass): void;
  stale(): void;
  mail(result: 'sent' | 'failed'): void;
  /** Adds them to a registry; the outbox is read when the metrics are. */
  register(registry: Registry): void;
}

/** @param statistics of the outbox as of now */
export function createWebhookMetrics(statistics: () => MaybePromise<OutboxStatistics>): WebhookMetrics {
  const attempts = new Map<string, number>();
  const mails = new Map<string, number>();
  let stale = 0;
  const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    attempted: (outcome) => count(attempts, outcome),
    stale: () => {
      stale += 1;
    },
    mail: (result) => count(mails, result),
    register(registry) {
      const add = adder(registry);
      add('counter', 'webhook_attempts_total', 'Attempts by how they ended.', 'outcome', () => [...attempts]);
      add('counter', 'webhook_mails_total', 'Tries to send a mail by result.', 'result', () => [...mails]);
      add('counter', 'webhook_stale_outcomes_total', 'Outcomes that came too late to count.', null, () => [
        ['', stale],
      ]);
      // The outbox is read once for all gauges, with the first.
      let now: MaybePromise<OutboxStatistics>;
      for (const [index, [name, help, value]] of GAUGES.entries()) {
        add('gauge', name, help, null, async () => {
          if (index === 0) now = statistics();
          return [['', value(await now)]];
        });
      }
    },
  };
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

type ReadValues = () => MaybePromise<readonly (readonly [label: string, value: number])[]>;

/** Adds a metric that is read whenever the metrics are. */
function adder(registry: Registry) {
  const { Counter, Gauge } = require('prom-client') as typeof import('prom-client');
  return (kind: 'counter' | 'gauge', name: string, help: string, label: string | null, read: ReadValues): void => {
    const options = { name: `punchboard_${name}`, help, labelNames: label === null ? [] : [label] };
    const Kind = kind === 'counter' ? Counter : Gauge;
    const metric: InstanceType<typeof Counter> | InstanceType<typeof Gauge> = new Kind({
      ...options,
      registers: [registry],
      async collect() {
        const values = await read();
        metric.reset();
        for (const [value, amount] of values) metric.inc(label === null ? {} : { [label]: value }, amount);
      },
    });
  };
}
