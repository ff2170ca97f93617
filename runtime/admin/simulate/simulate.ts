// Turns a receiver's script into the timeline of its callbacks, which shows a maintainer what a change of policy does.

import { HOLD_AT, RETRY_UNIT } from '../../rules/delivery.js';
import { loadGenerated } from '../../server/load-generated.js';
import { type Format, formatOutput } from '../commands/command.js';
import { table } from '../commands/table.js';
import { playScript, type SimulatedAttempt, type SimulationEnd } from './run.js';
import { parseScript } from './script.js';
import { START } from './world.js';

/**
 * Plays the script (see parseScript) in virtual time and returns the timeline, as a table with a line for each attempt or
 * as JSON. Throws ScriptError, and StartError if there is no generated output.
 * @param generated output folder of the generator; null: the project's own
 */
export async function simulate(
  text: string,
  generated: string | null = null,
  format: Format = 'text',
): Promise<string> {
  const loaded = loadGenerated(generated);
  const script = parseScript(text, Object.keys(loaded.generated.events));
  const attempts: AttemptJson[] = [];
  const end = await playScript(script, { loaded, unit: RETRY_UNIT }, (step) => attempts.push(attemptJson(step)));
  return formatOutput(format, { attempts, end }, timeline);
}

/** As a JSON value: `at` and `due` are milliseconds since the start, `failures` the hook's count after it. */
function attemptJson(step: SimulatedAttempt) {
  const { at, event, type, delivery, attempt, outcome, before, decision } = step;
  const retry = decision.delivery.next === 'retry' ? decision.delivery : null;
  const held = retry !== null && (decision.failures ?? before) >= HOLD_AT;
  return {
    ...{ at, event, type, delivery, attempt },
    outcome: outcome.class,
    status: outcome.class === 'success' ? 200 : outcome.class === 'status' ? outcome.status : null,
    failures: decision.failures,
    next: held ? 'held' : decision.delivery.next,
    due: retry === null || held ? null : retry.due - START,
    consequences: consequences(step),
  };
}

type AttemptJson = ReturnType<typeof attemptJson>;

function consequences({ before, decision }: SimulatedAttempt): readonly string[] {
  const { failures, shorten, notice, remove } = decision;
  const count = failures ?? before;
  const all: readonly [boolean, string][] = [
    [notice, 'mail to the creator'],
    [before < HOLD_AT && count >= HOLD_AT, 'retries held'],
    [before >= HOLD_AT && count < HOLD_AT, 'held retries released'],
    [shorten, 'waiting retries shortened'],
    [remove, 'the hook deletes itself'],
  ];
  return all.flatMap(([applies, text]) => (applies ? [text] : []));
}

const HEADINGS = ['TIME', 'EVENT', 'TYPE', 'DELIVERY', 'ATTEMPT', 'OUTCOME', 'COUNT', 'NEXT', 'CONSEQUENCE'];

function timeline({
  attempts,
  end,
}: {
  readonly attempts: readonly AttemptJson[];
  readonly end: SimulationEnd;
}): string {
  return `${table([HEADINGS, ...attempts.map(row)])}${summary(end)}`;
}

function row({
  at,
  event,
  type,
  delivery,
  attempt,
  outcome,
  status,
  failures,
  next,
  due,
  consequences,
}: AttemptJson): string[] {
  return [
    ...[span(at), event, type, `#${delivery}`, String(attempt), String(status ?? outcome), String(failures ?? '-')],
    ...[due === null ? next : span(due), consequences.join('; ')],
  ];
}

function summary({ at, hooks, waiting }: SimulationEnd): string {
  const left = hooks.map(({ event, failures, held }) => `hook of ${event}: count ${failures}, ${held} held`);
  return `${[`end at ${span(at)}`, ...(left.length === 0 ? ['no hook left'] : left), `${waiting} waiting`].join('; ')}\n`;
}

/** Days and hours, followed by the rest, such as `206d 06h 00m 12.5s`. */
function span(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(Math.floor);
  const two = (number = 0) => String(number).padStart(2, '0');
  return `${days}d ${two(hours)}h ${two(minutes)}m ${(seconds % 60).toFixed(1).padStart(4, '0')}s`;
}
