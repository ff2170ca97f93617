// The first page: whether the service is well, what it has done in the last hour, and what web hooks are waiting.

import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { OutboxStatistics } from '../../../store/outbox.js';
import type { Figures, Sample } from '../figures.js';
import type { PageRoute } from '../page.js';
import { cell, count, type Fact, fact, type Plot, pageView, section } from '../view.js';

export interface HealthSource {
  readonly title: string;
  readonly version: string;
  /** Name of the wire profile. */
  readonly profile: string;
  /** Of the database. */
  readonly engine: string;
  readonly figures: Figures;
  /** Epoch milliseconds. */
  readonly started: number;
  ready(): MaybePromise<boolean>;
  /** Null: there are no web hooks. */
  statistics: ((now: number) => MaybePromise<OutboxStatistics>) | null;
}

export function healthPages(source: HealthSource): readonly PageRoute[] {
  return [{ method: 'GET', path: '/', run: ({ now }) => show(source, now) }];
}

async function show(source: HealthSource, now: number) {
  const { title, figures, statistics } = source;
  const [ready, waiting, samples] = await Promise.all([source.ready(), statistics?.(now) ?? null, figures.samples()]);
  const sections = [
    section({
      id: 'figures',
      every: 15,
      note: noteOf(samples),
      plots: plotsOf(samples),
      facts: factsOf(source, ready, now),
    }),
    ...(waiting === null ? [] : [section({ heading: 'Web hooks', facts: waitingFacts(waiting) })]),
  ];
  return { page: pageView({ title, sections }) };
}

function noteOf(samples: readonly Sample[]): string {
  return samples.length === 0 ? 'The first figures come a minute after the start.' : 'The last hour, minute by minute.';
}

function plotsOf(samples: readonly Sample[]): readonly Plot[] {
  const last = samples.at(-1);
  const plot = (title: string, latest: string, points: readonly number[]): Plot => ({
    title,
    latest,
    points: JSON.stringify(points),
  });
  if (last === undefined) return [];
  return [
    plot(
      'Requests a minute',
      last.requests.toLocaleString('en'),
      samples.map(({ requests }) => requests),
    ),
    plot(
      'Mean time to the response',
      `${last.mean.toFixed(1)} ms`,
      samples.map(({ mean }) => mean),
    ),
    plot(
      'Failures (5xx) a minute',
      String(last.failures),
      samples.map(({ failures }) => failures),
    ),
    plot(
      'Memory',
      `${Math.round(last.memory / MIB)} MiB`,
      samples.map(({ memory }) => memory / MIB),
    ),
  ];
}

const MIB = 1024 * 1024;

function factsOf({ version, profile, engine, started }: HealthSource, ready: boolean, now: number): readonly Fact[] {
  return [
    fact('Health', ready ? cell('well', { tone: 'good' }) : cell('not ready', { tone: 'bad' })),
    fact('Version', version),
    fact('Wire profile', profile),
    fact('Database', engine),
    fact('Node', process.versions.node),
    fact('Running for', durationText(now - started)),
  ];
}

function waitingFacts(statistics: OutboxStatistics): readonly Fact[] {
  const { due, oldestDueAge, waiting, held, inFlight, hooks, failing, mailsDue } = statistics;
  return [
    fact('Hooks', cell(String(hooks), { href: '/console/webhooks' })),
    fact('Failing', cell(String(failing), { tone: failing > 0 ? 'warn' : 'plain' })),
    fact('Due now', due === 0 ? '0' : `${due}, the oldest for ${durationText(oldestDueAge)}`),
    fact('Waiting for a retry', String(waiting)),
    fact('Held', String(held)),
    fact('Under way', String(inFlight)),
    fact('Mails to send', String(mailsDue)),
  ];
}

/** The largest unit that fits. */
export function durationText(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, name] = units.find(([one]) => milliseconds >= one) ?? [1000, 'second'];
  return count(Math.floor(milliseconds / size), name);
}
