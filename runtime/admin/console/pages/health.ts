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
  /** The database engine. */
  readonly engine: string;
  readonly figures: Figures;
  /** Epoch milliseconds. */
  readonly started: number;
  ready(): MaybePromise<boolean>;
  /** Null: there are no web hooks. */
  statistics: ((now: number) => MaybePromise<OutboxStatistics>) | null;
}

export function healthPages(source: HealthSource): readonly PageRoute[] {
  return [{ method: 'GET', path: '/', run: ({ now, query }) => show(source, now, query.range === 'month') }];
}

async function show(source: HealthSource, now: number, isMonth: boolean) {
  const { title, figures, statistics } = source;
  const taken = isMonth ? figures.month(now) : figures.samples();
  const [ready, waiting, samples] = await Promise.all([source.ready(), statistics?.(now) ?? null, taken]);
  const sections = [
    section({
      id: 'figures',
      every: isMonth ? null : 15,
      note: noteOf(samples, isMonth),
      links: [
        { text: 'The last hour', href: '/console' },
        { text: 'The last 30 days', href: '/console?range=month' },
      ],
      plots: plotsOf(samples, isMonth ? 'an hour' : 'a minute'),
      facts: factsOf(source, ready, now),
    }),
    ...(waiting === null ? [] : [section({ heading: 'Web hooks', facts: waitingFacts(waiting) })]),
  ];
  return { page: pageView({ title, sections }) };
}

function noteOf(samples: readonly Sample[], isMonth: boolean): string {
  if (samples.length === 0) return 'The first figures appear a minute after the start.';
  return isMonth ? 'The last 30 days, hour by hour, of all servers.' : 'The last hour, minute by minute.';
}

/** The plots: title, unit, and value in a sample. */
const PLOTS: readonly (readonly [title: string, unit: string, of: (sample: Sample) => number])[] = [
  ['Requests', '', ({ requests }) => requests],
  ['Mean time to the response', ' ms', ({ mean }) => Math.round(mean * 10) / 10],
  ['Failures (5xx)', '', ({ failures }) => failures],
  ['Memory', ' MiB', ({ memory }) => Math.round(memory / MIB)],
];

function plotsOf(samples: readonly Sample[], each: string): readonly Plot[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  const at = samples.map((sample) => Math.round(sample.at / 1000));
  return PLOTS.map(([title, unit, of]) => ({
    title: unit === '' ? `${title} ${each}` : title,
    latest: `${of(last).toLocaleString('en')}${unit}`,
    data: JSON.stringify({ unit, at, values: samples.map(of) }),
  }));
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
function durationText(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, name] = units.find(([one]) => milliseconds >= one) ?? [1000, 'second'];
  return count(Math.floor(milliseconds / size), name);
}
