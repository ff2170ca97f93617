// Chooses the connection of a pool for the next piece of work: never behind work that waits, and never all connections for one
// table, so that work that waits for a lock holds up no other work (N23). The table is read from the text of the statement.

import { memoize } from '../../contract/memoize.js';

/** How the connections of a pool are used. */
export interface PoolUse {
  /**
   * Statements in flight on a connection before another connection is used too. A connection whose backend is already at work
   * is by far the cheapest: the kernel need not wake a process, and several answers arrive in one read. A fetch with a session
   * takes 143 instead of 229 microseconds of processor time (32 clients, in turns in one run).
   */
  readonly depth: number;
  /** The same limit if there is no other connection. */
  readonly most: number;
  /** Whether a connection that waits for an answer may get work about another table: only if that can be repeated elsewhere. */
  readonly mixes: boolean;
  /** The pool has this many times `size` connections. */
  readonly share: number;
}

export const USES = {
  read: { depth: 4, most: 16, mixes: true, share: 1 },
  write: { depth: 4, most: 16, mixes: false, share: 1 },
  transaction: { depth: 1, most: 1, mixes: false, share: 2 },
} as const satisfies Readonly<Record<string, PoolUse>>;

/** Milliseconds without an answer after which a connection gets no more work: it may wait for a lock. */
export const STALL = 40;

/** What a choice depends on: the jobs that a connection has not answered yet, and when the first of them got under way. */
interface ConnectionState {
  readonly jobs: readonly { readonly table: string }[];
  readonly since: number;
}

/** The inputs of a choice besides the connections. */
export interface DispatchRequest {
  readonly table: string;
  readonly now: number;
  /** When work about each table was last answered. */
  readonly answered: ReadonlyMap<string, number>;
  /** Work about another table has waited long without any connection: busy connections should become free for it. */
  readonly yields: boolean;
}

export function isStalled({ jobs, since }: ConnectionState, now: number): boolean {
  return jobs.length > 0 && now - since > STALL;
}

/**
 * The connection for work about a table; null: the work has to wait. The choice takes one pass, as it is made for every
 * statement.
 *
 * While a connection is stalled, work about a table without an answer since then may wait for the same lock: it may try one
 * connection, but not the last free ones. Any other table gets half of the connections, or two thirds for writes, which wait for
 * the disk, so that more connections mean more commits at a time. Work about no table waits for no lock.
 */
export function chooseConnection<C extends ConnectionState>(
  connections: readonly C[],
  use: PoolUse,
  asking: DispatchRequest,
): C | null {
  const { table, now, answered, yields } = asking;
  let [own, other, least]: (C | null)[] = [null, null, null];
  let [taken, others, stall] = [0, 0, Number.POSITIVE_INFINITY];
  for (const connection of connections) {
    const { jobs, since } = connection;
    if (isStalled(connection, now)) {
      stall = Math.min(stall, since);
      // Only the first job of a stalled connection can be the one that waits.
      if (jobs[0]?.table === table) taken += 1;
      continue;
    }
    if (hasWorkOn(connection, table)) {
      if (!yields && jobs.length < use.depth) return connection;
      taken += 1;
      if (!yields) own = shallower(own, connection);
    } else if (jobs.length < (use.mixes ? use.depth : 1)) {
      others += 1;
      other ??= connection;
    }
    least = shallower(least, connection);
  }
  const isDoubtful = table !== '' && (answered.get(table) ?? 0) <= stall && stall !== Number.POSITIVE_INFINITY;
  const mayTake = isDoubtful ? taken === 0 : taken < (use.mixes ? others : 2 * others - 1) || table === '';
  if (mayTake && others > (isDoubtful ? Math.floor(connections.length / 4) : 0)) return other ?? null;
  const last = use.mixes && taken === 0 && !isDoubtful ? least : own;
  return last && last.jobs.length < use.most ? last : null;
}

/** Whether a connection has work about the table. */
export function hasWorkOn({ jobs }: ConnectionState, table: string): boolean {
  return jobs.some((job) => job.table === table);
}

function shallower<C extends ConnectionState>(least: C | null | undefined, connection: C): C {
  return least && least.jobs.length <= connection.jobs.length ? least : connection;
}

/** What the text of a statement says about where to send it. */
interface StatementClass {
  /** The table of the statement, which another transaction may have locked; empty: none. */
  readonly table: string;
  /** The statement only reads and does not lock, so that it may be sent twice. */
  readonly isRead: boolean;
}

/** @returns a function that remembers its answer for each text */
export function createStatementClassifier(): (text: string) => StatementClass {
  return memoize((text) => ({ table: lockedTable(text), isRead: isPlainRead(text) }));
}

function isPlainRead(text: string): boolean {
  return /^SELECT\b/.test(text) && !/\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(text);
}

/** The first table outside of parentheses, or else the first of all. */
function lockedTable(text: string): string {
  return /^WITH\b/.test(text) ? firstTable(text) : firstTable(withoutParentheses(text)) || firstTable(text);
}

/** A function after FROM is not a table. */
function firstTable(text: string): string {
  const [, written, read] = /\b(?:(?:INTO|UPDATE)\s+"?(\w+)|(?:FROM|JOIN)\s+"?(\w+)\b(?!"?\s*[(…]))/.exec(text) ?? [];
  return written ?? read ?? '';
}

/** Literals are not treated specially: at worst, the result is another table of the statement. */
function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, '…');
  return less === text ? text : withoutParentheses(less);
}
