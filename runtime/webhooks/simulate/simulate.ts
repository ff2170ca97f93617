// Turns a receiver's script into the timeline of its callbacks, which shows a maintainer what a change of policy does.

import { loadGenerated } from '../../server/load-generated.js';
import { HOLD_AT, type Outcome, RETRY_UNIT } from '../rules/delivery.js';
import { type End, playScript, type Step } from './run.js';
import { parseScript } from './script.js';
import { START } from './world.js';

/**
 * Plays the script (see parseScript) in virtual time and returns the timeline, one line for each attempt, with a line
 * end each. Throws ScriptError, and StartError if there is no generated output.
 * @param generated output folder of the generator; null: the project's own
 */
export async function simulate(text: string, generated: string | null = null): Promise<string> {
  const loaded = loadGenerated(generated);
  const script = parseScript(text, Object.keys(loaded.generated.events));
  const rows: string[][] = [HEADINGS];
  const end = await playScript(script, { loaded, unit: RETRY_UNIT }, (step) => rows.push(row(step)));
  return `${columns(rows)}${summary(end)}`;
}

const HEADINGS = ['TIME', 'EVENT', 'TYPE', 'DELIVERY', 'ATTEMPT', 'OUTCOME', 'COUNT', 'NEXT', 'CONSEQUENCE'];

function row(step: Step): string[] {
  const { at, event, type, delivery, attempt, outcome, decision } = step;
  return [
    span(at),
    event,
    type,
    `#${delivery}`,
    String(attempt),
    outcomeText(outcome),
    String(decision.failures ?? '-'),
    nextText(step),
    consequences(step).join('; '),
  ];
}

function outcomeText(outcome: Outcome): string {
  if (outcome.class === 'success') return '200';
  return outcome.class === 'status' ? String(outcome.status) : outcome.class;
}

/** When the delivery is attempted again. */
function nextText({ decision, before }: Step): string {
  const { delivery, failures } = decision;
  if (delivery.next !== 'retry') return delivery.next;
  return (failures ?? before) >= HOLD_AT ? 'held' : span(delivery.due - START);
}

function consequences({ before, decision }: Step): readonly string[] {
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

function summary({ at, hooks, waiting }: End): string {
  const left = hooks.map(({ event, failures, held }) => `hook of ${event}: count ${failures}, ${held} held`);
  return `${[`end at ${span(at)}`, ...(left.length === 0 ? ['no hook left'] : left), `${waiting} waiting`].join('; ')}\n`;
}

/** Days and hours with what is left below, such as `206d 06h 00m 12.5s`. */
function span(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(Math.floor);
  const two = (number = 0) => String(number).padStart(2, '0');
  return `${days}d ${two(hours)}h ${two(minutes)}m ${(seconds % 60).toFixed(1).padStart(4, '0')}s`;
}

/** Columns as wide as their widest cell, two spaces between. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) =>
    rows.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0),
  );
  return rows
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
