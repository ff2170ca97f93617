// The script of a simulated receiver: its types, and a parser that reports what is wrong with it.

import { CommandError } from '../../contract/command-error.js';
import type { Outcome } from '../../rules/delivery.js';

/** What happens at one moment: events of the service, or one call of the test action. */
export interface ScriptedEvent {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly event: string;
  /** Number of events at the same moment. */
  readonly burst: number;
  /** True: a test callback instead. */
  readonly test: boolean;
}

/** How the receiver answers a number of attempts in a row. */
export interface ScriptedAnswer {
  readonly outcome: Outcome;
  /** Milliseconds until the outcome is known. */
  readonly takes: number;
  readonly times: number;
}

export interface Script {
  /** In the order of their times. */
  readonly events: readonly ScriptedEvent[];
  /** In the order of the attempts; the last repeats. */
  readonly answers: readonly ScriptedAnswer[];
  /** How callbacks of type subscribe are answered, to which `answers` does not apply. */
  readonly subscribe: ScriptedAnswer;
  /** The format of callbacks. */
  readonly format: (typeof FORMATS)[number];
  /** Milliseconds since the start at which the simulation ends at the latest. */
  readonly until: number;
}

/** The script cannot be played; the message names the place in it. */
export class ScriptError extends CommandError {}

/** Names for answers that are not a status, with the milliseconds each takes. */
export const FAULTS: Readonly<Record<string, Omit<ScriptedAnswer, 'times'>>> = {
  hang: { outcome: { class: 'timeout' }, takes: 10_000 },
  refused: { outcome: { class: 'connect' }, takes: 100 },
  reset: { outcome: { class: 'connect' }, takes: 100 },
  redirect: { outcome: { class: 'status', status: 302 }, takes: 100 },
  dns: { outcome: { class: 'dns' }, takes: 100 },
  tls: { outcome: { class: 'tls' }, takes: 100 },
  garbage: { outcome: { class: 'protocol' }, takes: 100 },
  blocked: { outcome: { class: 'blocked' }, takes: 1 },
  own_fault: { outcome: { class: 'internal' }, takes: 100 },
};
const STATUS_TAKES = 100;
const FORMATS = ['form', 'standard'] as const;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DAY = 86_400_000;
const LATEST = 3_650 * DAY;
const UNTIL = '400d';
const BURST_MAX = 10_000;
const TIMES_MAX = 1_000_000;

/**
 * Reads a script. Times are a number with a unit (`90s`, `12h`, `3d`):
 *
 *     { "events":  [{ "at": "0h", "event": "ItemSold" }, { "at": "3d", "burst": 5 }, { "at": "9d", "test": true }],
 *       "answers": [200, "hang", { "status": 500, "times": 99 }, { "fault": "dns", "times": 2 }, 200],
 *       "subscribe": 200, "format": "form", "until": "400d" }
 *
 * Only `events` and `answers` are required; by default an event is the first one of the service, published once at 0h.
 * @param events names that may be subscribed to
 * Throws ScriptError for the first mistake.
 */
export function parseScript(text: string, events: readonly string[]): Script {
  const script = record(parsed(text), 'script', ['events', 'answers', 'subscribe', 'format', 'until']);
  const answers = list(script.answers, 'answers').map((each, index) => answer(each, `answers[${index}]`));
  if (answers.at(-1)?.outcome.class === 'internal') {
    throw wrong(
      `answers[${answers.length - 1}]`,
      'an answer other than own_fault, for the last one repeats',
      'own_fault',
    );
  }
  return {
    events: list(script.events, 'events')
      .map((each, index) => scriptedEvent(each, `events[${index}]`, events))
      .sort((one, other) => one.at - other.at),
    answers,
    subscribe: answer(script.subscribe ?? 200, 'subscribe'),
    format: formatOf(script.format ?? 'form'),
    until: time(script.until ?? UNTIL, 'until'),
  };
}

function formatOf(value: unknown): Script['format'] {
  const known = FORMATS.find((one) => one === value);
  if (known === undefined) throw wrong('format', `one of ${FORMATS.join(', ')}`, value);
  return known;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ScriptError(`script: not JSON: ${(error as Error).message}`);
  }
}

function scriptedEvent(value: unknown, place: string, names: readonly string[]): ScriptedEvent {
  const entry = record(value, place, ['at', 'event', 'burst', 'test']);
  const { event = names[0], test = false } = entry;
  if (typeof event !== 'string' || !names.includes(event)) {
    throw wrong(`${place}.event`, `one of ${names.join(', ')}`, event);
  }
  if (typeof test !== 'boolean') throw wrong(`${place}.test`, 'true or false', test);
  if (test && entry.burst !== undefined) throw wrong(`${place}.burst`, 'no burst beside a test', entry.burst);
  return {
    at: time(entry.at ?? '0h', `${place}.at`),
    event,
    burst: whole(entry.burst ?? 1, `${place}.burst`, BURST_MAX),
    test,
  };
}

function answer(value: unknown, place: string): ScriptedAnswer {
  if (typeof value === 'number') return { ...status(value, place), times: 1 };
  if (typeof value === 'string') return { ...fault(value, place), times: 1 };
  const entry = record(value, place, ['status', 'fault', 'times']);
  if ((entry.status === undefined) === (entry.fault === undefined)) {
    throw wrong(place, 'either status or fault', value);
  }
  const times = whole(entry.times ?? 1, `${place}.times`, TIMES_MAX);
  const scripted =
    entry.fault === undefined ? status(entry.status, `${place}.status`) : fault(entry.fault, `${place}.fault`);
  return { ...scripted, times };
}

function status(value: unknown, place: string): Omit<ScriptedAnswer, 'times'> {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 200 || value > 599) {
    throw wrong(place, 'a status from 200 to 599', value);
  }
  const outcome: Outcome = value === 200 ? { class: 'success' } : { class: 'status', status: value };
  return { outcome, takes: STATUS_TAKES };
}

function fault(value: unknown, place: string): Omit<ScriptedAnswer, 'times'> {
  const known = typeof value === 'string' && Object.hasOwn(FAULTS, value) ? FAULTS[value] : undefined;
  if (known === undefined) throw wrong(place, `a status or one of ${Object.keys(FAULTS).join(', ')}`, value);
  return known;
}

function time(value: unknown, place: string): number {
  const [, count, unit] = /^([0-9]{1,9}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)$/.exec(String(value)) ?? [];
  const milliseconds = Math.round(Number(count) * (UNITS[unit ?? ''] ?? Number.NaN));
  if (typeof value !== 'string' || !(milliseconds <= LATEST)) {
    throw wrong(place, 'a time such as "90s", "12h" or "3d", up to 3650d', value);
  }
  return milliseconds;
}

function whole(value: unknown, place: string, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw wrong(place, `a whole number from 1 to ${most}`, value);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw wrong(place, 'a list with at least one entry', value);
}

function record(value: unknown, place: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object', value);
  const [unknown] = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown !== undefined) throw new ScriptError(`${place}: unknown key ${unknown}: it can have ${keys.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

function wrong(place: string, expected: string, value: unknown): ScriptError {
  const actual = value === undefined ? 'nothing' : shortened(JSON.stringify(value));
  return new ScriptError(`${place}: expected ${expected}, found ${actual}`);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
