// What a case of the table of edits says, and how it becomes two states of a spec. Holds no case.

import type { ChangeClass } from '../../runtime/schema/plan.js';
import { BASE, type Edit, edited, type State, state } from './texts.js';

/**
 * breaking: a caller whose code was right may have to change it. safe: callers can tell, nobody has to do anything.
 * none: no caller can tell but by reading the documentation.
 */
export type Verdict = 'breaking' | 'exposing' | 'safe' | 'none';

export interface Pair {
  readonly name: string;
  /** Done to the base before: the old spec. Its ledger is the base's, extended; so what it removes is retired there. */
  readonly before?: Edit;
  readonly edit: Edit;
  readonly api: Verdict;
  /** What receivers of web hooks make of it; none unless given. */
  readonly hooks?: Verdict;
  /**
   * The classes of the changes of the tables, each once, from mild to hard; they say what is asked of stored rows:
   * online: nothing is written (a new column that may be empty or has a default; an index; another default, which only
   * serves rows from before a column; another JSON Schema, which rows are held against).
   * backfill: rows without a value get the default.
   * rebuild: what the table's own text says changes (limit, type, NOT NULL, foreign key, unique, and with a name the
   * names of its constraints).
   * destructive: values have no place any more.
   */
  readonly data: readonly ChangeClass[];
  /** Where redocly's verdict (breaking or not) is another: why. */
  readonly differs?: string;
}

export interface States {
  readonly old: State;
  readonly new: State;
}

/** Both sides of a pair, worked out once: the new side is numbered with the ledger that the old one left. */
export function states(pair: Pair): States {
  const known = KNOWN.get(pair) ?? worked(pair);
  KNOWN.set(pair, known);
  return known;
}

const KNOWN = new WeakMap<Pair, States>();

function worked({ before, edit }: Pair): States {
  const base = baseState();
  const old = before === undefined ? base : state(edited(BASE, before), base.ledger);
  return { old, new: state(edited(old.texts, edit), old.ledger) };
}

let first: State | null = null;
function baseState(): State {
  first ??= state(BASE, null);
  return first;
}

/** A line before the field `pin` of the board: a further field. */
export function boardField(line: string): Edit {
  return inBoard(['  pin:', `  ${line}\n  pin:`]);
}

export function inBoard(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'resources/board.yaml': replacements };
}

export function inCard(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'resources/card.yaml': replacements };
}

export function inGame(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'resources/game.yaml': replacements };
}

export function inSale(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'resources/sale.yaml': replacements };
}

export function inFile(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'resources/file.yaml': replacements };
}

export function inEvents(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'events.yaml': replacements };
}

export function inConventions(...replacements: readonly (readonly [string, string])[]): Edit {
  return { 'conventions.yaml': replacements };
}

/** Why redocly cannot know, for the commonest reasons. */
export const UNSEEN = 'who may do what, and which records may stand beside each other, is prose in OpenAPI';
export const IGNORED =
  'redocly lets a property of a request go where unknown ones are taken; here what the caller meant no longer happens';
export const FILES = 'which files are taken is prose in OpenAPI';
export const DEFAULTS = 'redocly has no rule on defaults; the same request now stores something else';
