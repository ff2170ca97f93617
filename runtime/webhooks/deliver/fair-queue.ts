// Decides which hook is attempted next: round-robin, one attempt of a hook at a time, a bounded number per receiving host,
// and a share of the capacity for each health of receivers, so that receivers that hang cost the others nothing (S29, I12).

import type { MaybePromise } from '../../contract/maybe-promise.js';

/** What is known about a hook's receiver since the start: nothing yet, its last attempt succeeded, or it failed. */
export type ReceiverHealth = 'untried' | 'good' | 'failing';

export interface FairQueue {
  /** Queues those hooks that are neither queued nor busy yet. */
  add(hooks: Iterable<string>): void;
  /** The next hooks for which there is room; each is busy until `end`. Must not be called again before it has resolved. */
  take(): Promise<readonly string[]>;
  /** The hook's attempt has ended; null: it shows nothing about the receiver. */
  end(hook: string, health: ReceiverHealth | null): void;
  /** True when `take` may return something. */
  ready(): boolean;
}

export interface FairQueueOptions {
  /** Maximum number of attempts under way; every health has room for at least one. */
  readonly capacity: number;
  /** Host and port that each hook's next attempt goes to; null: unknown and not limited. */
  readonly hostsOf?: (hooks: readonly string[]) => MaybePromise<readonly (string | null)[]>;
  /** Maximum number of attempts under way to one host. */
  readonly perHost?: number;
  /** Hooks whose health is remembered; the hook attempted longest ago is forgotten and counts as untried again. */
  readonly memory?: number;
}

/** Shares of the capacity: none takes room from another. */
const SHARES: Readonly<Record<ReceiverHealth, number>> = { good: 0.5, untried: 0.25, failing: 0.25 };
const PER_HOST = 32;
const MEMORY = 100_000;
/** Hosts that are looked up together for one share. */
const LOOKUPS = 256;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, hostsOf = unlimited, perHost = PER_HOST, memory = MEMORY } = options;
  const known = createHealthMemory(memory);
  const hosts = createHosts(perHost);
  const shares = createShares(capacity);
  const allShares = Object.values(shares);
  /** A hook keeps its place, waiting and then busy, even if its health is learned or forgotten meanwhile. */
  const queued = new Map<string, QueuedHook>();
  const busy = new Map<string, QueuedHook>();

  const takeFrom = (share: OwnerShare, taken: string[]): void => {
    for (const hook of share.waiting) {
      const place = queued.get(hook) as QueuedHook;
      if (share.room === 0 || place.host === undefined) return;
      share.waiting.delete(hook);
      if (!hosts.enter(place.host, hook)) continue;
      queued.delete(hook);
      share.room -= 1;
      busy.set(hook, place);
      taken.push(hook);
    }
  };
  return {
    add(hooks) {
      for (const hook of hooks) {
        if (busy.has(hook) || queued.has(hook)) continue;
        const share = shares[known.of(hook)];
        queued.set(hook, { share, host: undefined });
        share.waiting.add(hook);
      }
    },
    async take() {
      const taken: string[] = [];
      for (;;) {
        for (const share of allShares) takeFrom(share, taken);
        const hooks = allShares.flatMap((share) => unplaced(share, queued));
        if (hooks.length === 0) return taken;
        try {
          place(queued, hooks, await hostsOf(hooks));
        } catch (error) {
          // Deliveries that are already taken continue; the lookup is tried again with the next.
          if (taken.length === 0) throw error;
          return taken;
        }
      }
    },
    end(hook, health) {
      const ended = busy.get(hook);
      if (ended === undefined) return;
      busy.delete(hook);
      ended.share.room += 1;
      const next = hosts.leave(ended.host ?? null);
      if (next !== null) queued.get(next)?.share.waiting.add(next);
      if (health !== null) known.learn(hook, health);
    },
    ready: () => allShares.some(({ room, waiting }) => room > 0 && waiting.size > 0),
  };
}

interface OwnerShare {
  /** In the order they came. */
  readonly waiting: Set<string>;
  room: number;
}

interface QueuedHook {
  readonly share: OwnerShare;
  /** Looked up once, when the hook's turn comes for the first time; undefined until then, null: unknown. */
  host: string | null | undefined;
}

/** Hooks of a share whose turn comes next and whose hosts are not known yet. */
function unplaced({ room, waiting }: OwnerShare, queued: ReadonlyMap<string, QueuedHook>): readonly string[] {
  const next: string[] = [];
  if (room === 0) return next;
  for (const hook of waiting) {
    if (next.length === LOOKUPS || queued.get(hook)?.host !== undefined) break;
    next.push(hook);
  }
  return next;
}

function place(
  queued: ReadonlyMap<string, QueuedHook>,
  hooks: readonly string[],
  hosts: readonly (string | null)[],
): void {
  for (const [at, hook] of hooks.entries()) {
    const queuedHook = queued.get(hook);
    if (queuedHook !== undefined) queuedHook.host = hosts[at] ?? null;
  }
}

function unlimited(hooks: readonly string[]): readonly null[] {
  return hooks.map(() => null);
}

function createShares(capacity: number): Readonly<Record<ReceiverHealth, OwnerShare>> {
  const share = (part: number): OwnerShare => ({ waiting: new Set(), room: Math.max(1, Math.floor(capacity * part)) });
  return { good: share(SHARES.good), untried: share(SHARES.untried), failing: share(SHARES.failing) };
}

function createHealthMemory(memory: number) {
  const known = new Map<string, ReceiverHealth>();
  return {
    of: (hook: string): ReceiverHealth => known.get(hook) ?? 'untried',
    learn(hook: string, health: ReceiverHealth): void {
      // Deleted first, so that the map is in the order of the last attempts.
      known.delete(hook);
      known.set(hook, health);
      if (known.size <= memory) return;
      for (const oldest of known.keys()) {
        known.delete(oldest);
        return;
      }
    },
  };
}

interface Host {
  attempts: number;
  /** Hooks it had no room for, in the order they came. */
  readonly parked: Set<string>;
}

/** A hook whose host is full is parked with that host rather than in its share, where each `take` would meet it again. */
function createHosts(perHost: number) {
  const hosts = new Map<string, Host>();
  return {
    /** False: the host is full and the hook is parked there. */
    enter(name: string | null, hook: string): boolean {
      if (name === null) return true;
      const host = hosts.get(name) ?? { attempts: 0, parked: new Set<string>() };
      hosts.set(name, host);
      if (host.attempts >= perHost) {
        host.parked.add(hook);
        return false;
      }
      host.attempts += 1;
      return true;
    },
    /** @returns the parked hook that may go back to its share */
    leave(name: string | null): string | null {
      const host = name === null ? undefined : hosts.get(name);
      if (host === undefined || name === null) return null;
      host.attempts -= 1;
      for (const hook of host.parked) {
        host.parked.delete(hook);
        return hook;
      }
      if (host.attempts === 0) hosts.delete(name);
      return null;
    },
  };
}
