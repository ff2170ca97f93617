// The form of a case in the table of edits, and how it becomes two states of a spec. Holds no case.

import type { ChangeClass } from '../../runtime/schema/plan.js';
import { BASE, type Edit, edited, type State, state } from './texts.js';

/**
 * breaking: a caller whose code was correct may have to change it. safe: callers can notice it, but need not do anything. none:
 * callers cannot notice it without reading the documentation.
 */
export type Verdict = 'breaking' | 'exposing' | 'safe' | 'none';

export interface Pair {
  readonly name: string;
  /** An edit of the base that gives the old spec. Its ledger extends that of the base, so removals are retired there. */
  readonly before?: Edit;
  readonly edit: Edit;
  readonly api: Verdict;
  /** The verdict for receivers of web hooks; none by default. */
  readonly hooks?: Verdict;
  /**
   * The classes of the changes of the tables, each once, from mild to hard, by what they do to stored rows:
   * online: nothing is written (a new column that is optional or has a default; an index; another default, which only applies
   * to rows older than a column; another JSON Schema, which rows are validated against).
   * backfill: rows without a value get the default.
   * rebuild: the SQL of the table changes (limit, type, NOT NULL, foreign key, unique, and for a renamed column the names of
   * its constraints).
   * destructive: values are dropped.
   */
  readonly data: readonly ChangeClass[];
  /** Why the verdict of redocly (breaking or not) differs, if it does. */
  readonly differs?: string;
}

/** A case in one row: its edit, and the verdict for callers, followed by the classes of the table changes. */
export function pair(
  name: string,
  edit: Edit,
  [api, ...data]: readonly [Verdict, ...ChangeClass[]],
  more: Pick<Pair, 'before' | 'hooks' | 'differs'> = {},
): Pair {
  return { name, edit, api, data, ...more };
}

export interface States {
  readonly old: State;
  readonly new: State;
}

/** Both sides of a pair, computed once: the new side is numbered with the ledger of the old one. */
export function states(pair: Pair): States {
  const cached = KNOWN.get(pair) ?? compute(pair);
  KNOWN.set(pair, cached);
  return cached;
}

const KNOWN = new WeakMap<Pair, States>();

function compute({ before, edit }: Pair): States {
  const base = state(BASE, null);
  const old = before === undefined ? base : state(edited(BASE, before), base.ledger);
  return { old, new: state(edited(old.texts, edit), old.ledger) };
}

/** Adds a field, given as a line, before the field `pin` of the board. */
export function boardField(line: string): Edit {
  return inBoard(['  pin:', `  ${line}\n  pin:`]);
}

/** Adds a field with these keys, described by its first letter. */
export function newField(name: string, keys: string): Edit {
  return boardField(`${name}: { ${keys}, description: ${name.charAt(0).toUpperCase()}. }`);
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

/** The most common reasons why redocly cannot detect an edit. */
export const UNSEEN = 'who may do what, and which records may stand beside each other, is prose in OpenAPI';
export const IGNORED =
  'redocly lets a property of a request go where unknown ones are taken; here what the caller meant no longer happens';
export const FILES = 'which files are taken is prose in OpenAPI';
export const DEFAULTS = 'redocly has no rule on defaults; the same request now stores something else';
