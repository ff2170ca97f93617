// Which connection of a pool gets the next piece of work: none behind one that waits, and never all of them for one table,
// so that what waits for a lock holds up nobody else (N23). Pure: it looks at lines, and changes nothing.
import type { Line } from './line.js';

/** How the connections of a pool are used. */
export interface Use {
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
  read: { depth: 4, most: 8, mixes: true, share: 1 },
  write: { depth: 4, most: 8, mixes: false, share: 1 },
  transaction: { depth: 1, most: 1, mixes: false, share: 2 },
} as const satisfies Readonly<Record<string, Use>>;

/** Milliseconds without an answer after which a connection gets nothing more: it may wait for a lock. */
export const STALL = 40;

type Seen = Pick<Line, 'jobs' | 'since'>;

/** What a choice depends on besides the lines. */
export interface Asking {
  readonly subject: string;
  readonly now: number;
  /** When work about each subject was last answered. */
  readonly answered: ReadonlyMap<string, number>;
  /** Work about another table has waited long, and no connection has any: what is in use is to become free for it. */
  readonly yields: boolean;
}

export function isStalled({ jobs, since }: Seen, now: number): boolean {
  return jobs.length > 0 && now - since > STALL;
}

/** The line for work about a subject; null: it has to wait for one. */
export function choose<L extends Seen>(lines: readonly L[], use: Use, asking: Asking): L | null {
  const { subject, now } = asking;
  const live = lines.filter((line) => !isStalled(line, now));
  const mine = asking.yields ? [] : live.filter((line) => holds(line, subject));
  const others = live.filter((line) => !holds(line, subject) && line.jobs.length < (use.mixes ? use.depth : 1));
  const shallow = mine.find(({ jobs }) => jobs.length < use.depth);
  if (shallow !== undefined) return shallow;
  const taken = lines.filter((line) => isTaken(line, subject, now)).length;
  const isDoubtful = mayWaitToo(lines, asking);
  if (others.length > (isDoubtful ? Math.floor(lines.length / 4) : 0)) {
    const mayTake = isDoubtful ? taken === 0 : taken < others.length || subject === '';
    if (mayTake) return others[0] ?? null;
  }
  const last = use.mixes && taken === 0 && !isDoubtful ? live : mine;
  return shallowest(last.filter(({ jobs }) => jobs.length < use.most));
}

/**
 * While something waits, whether this might wait for the same lock: nothing about its table has been answered since. Such a
 * table may try one connection, but not the last ones; any other leaves more to the others than it takes.
 */
function mayWaitToo(lines: readonly Seen[], { subject, now, answered }: Asking): boolean {
  const stalls = lines.flatMap((line) => (isStalled(line, now) ? [line.since] : []));
  return subject !== '' && stalls.length > 0 && (answered.get(subject) ?? 0) <= Math.min(...stalls);
}

/** What is behind another's work on a connection that waits has nothing to do with that. */
function isTaken(line: Seen, subject: string, now: number): boolean {
  return isStalled(line, now) ? line.jobs[0]?.subject === subject : holds(line, subject);
}

/** Whether it has work about that subject. */
export function holds({ jobs }: Seen, subject: string): boolean {
  return jobs.some((job) => job.subject === subject);
}

function shallowest<L extends Seen>(lines: readonly L[]): L | null {
  return lines.reduce<L | null>(
    (least, line) => (least === null || line.jobs.length < least.jobs.length ? line : least),
    null,
  );
}
