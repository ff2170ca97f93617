// Which connection of a pool gets the next piece of work: none behind one that waits, and never all of them for one table,
// so that what waits for a lock holds up nobody else (N23). Pure: it looks at lines, and changes nothing.
import type { Line } from './line.js';

/** How the connections of a pool are used. */
export interface PoolUse {
  /**
   * Statements in flight on a connection before the next one is used, too. A connection whose backend is at work already is
   * by far the cheapest: the kernel need not wake up anybody, and several answers come in one read. A fetch with a session
   * takes 143 instead of 229 microseconds of processor time (32 clients, in turns in one run).
   */
  readonly depth: number;
  /** The same where there is no next one. */
  readonly most: number;
  /** Whether one that waits for an answer may get work about another table: only if that can be sent again elsewhere. */
  readonly mixes: boolean;
  /** How many times `size` connections there are. */
  readonly share: number;
}

export const USES = {
  read: { depth: 4, most: 16, mixes: true, share: 1 },
  write: { depth: 4, most: 16, mixes: false, share: 1 },
  transaction: { depth: 1, most: 1, mixes: false, share: 2 },
} as const satisfies Readonly<Record<string, PoolUse>>;

/** Milliseconds without an answer after which a connection gets nothing more: it may wait for a lock. */
export const STALL = 40;

type LineState = Pick<Line, 'jobs' | 'since'>;

/** What a choice depends on besides the lines. */
export interface DispatchRequest {
  readonly subject: string;
  readonly now: number;
  /** When work about each subject was last answered. */
  readonly answered: ReadonlyMap<string, number>;
  /** Work about another table has waited long, and no connection has any: what is in use is to become free for it. */
  readonly yields: boolean;
}

export function isStalled({ jobs, since }: LineState, now: number): boolean {
  return jobs.length > 0 && now - since > STALL;
}

/**
 * The line for work about a subject; null: it has to wait for one. In one pass: this is done for every statement.
 *
 * While something waits for an answer, work about a table of which nothing has been answered since may wait for the same lock:
 * it may try one line, but not the last ones. Any other table gets half of the lines, or two thirds where what is under way
 * waits for the disk and more lines mean more commits at a time; what is about no table waits for no lock.
 */
export function choose<L extends LineState>(lines: readonly L[], use: PoolUse, asking: DispatchRequest): L | null {
  const { subject, now, answered, yields } = asking;
  let [own, other, least]: (L | null)[] = [null, null, null];
  let [taken, others, stall] = [0, 0, Number.POSITIVE_INFINITY];
  for (const line of lines) {
    const { jobs, since } = line;
    if (isStalled(line, now)) {
      stall = Math.min(stall, since);
      // What is behind another's work there has nothing to do with that.
      if (jobs[0]?.subject === subject) taken += 1;
      continue;
    }
    if (holds(line, subject)) {
      if (!yields && jobs.length < use.depth) return line;
      taken += 1;
      if (!yields) own = shallower(own, line);
    } else if (jobs.length < (use.mixes ? use.depth : 1)) {
      others += 1;
      other ??= line;
    }
    least = shallower(least, line);
  }
  const isDoubtful = subject !== '' && (answered.get(subject) ?? 0) <= stall && stall !== Number.POSITIVE_INFINITY;
  const mayTake = isDoubtful ? taken === 0 : taken < (use.mixes ? others : 2 * others - 1) || subject === '';
  if (mayTake && others > (isDoubtful ? Math.floor(lines.length / 4) : 0)) return other ?? null;
  const last = use.mixes && taken === 0 && !isDoubtful ? least : own;
  return last && last.jobs.length < use.most ? last : null;
}

/** Whether it has work about that subject. */
export function holds({ jobs }: LineState, subject: string): boolean {
  return jobs.some((job) => job.subject === subject);
}

function shallower<L extends LineState>(least: L | null | undefined, line: L): L {
  return least && least.jobs.length <= line.jobs.length ? least : line;
}
