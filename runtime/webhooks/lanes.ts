// Decides which hook is attempted next: round-robin, one attempt of a hook at a time, a bounded number per receiving host,
// and capacity of its own for each standing, so that receivers that hang cost the others nothing (S29, I12).

/** What is known of a hook's receiver since the start: nothing yet, its last attempt succeeded, or it failed. */
export type Standing = 'untried' | 'good' | 'failing';

export interface Lanes {
  /** Queues those hooks that are neither queued nor busy. */
  add(hooks: Iterable<string>): void;
  /** The next hooks for which there is room; each is busy until `end`. */
  take(): readonly string[];
  /** The hook's attempt is over; null: nothing was learned of its receiver. */
  end(hook: string, standing: Standing | null): void;
  /** True when `take` may give something. */
  ready(): boolean;
}

export interface LanesParts {
  /** Attempts under way at most; every standing gets room for at least one. */
  readonly capacity: number;
  /** Host and port that the hook's next attempt goes to; null: not known, and not bounded. */
  readonly hostOf?: (hook: string) => string | null;
  /** Attempts under way to one host at most. */
  readonly perHost?: number;
  /** Hooks whose standing is remembered; the one attempted longest ago is forgotten, and counts as untried again. */
  readonly memory?: number;
}

/** Parts of the capacity: no standing takes another's. */
const SHARES: Readonly<Record<Standing, number>> = { good: 0.5, untried: 0.25, failing: 0.25 };
const STANDINGS: readonly Standing[] = ['good', 'untried', 'failing'];
const PER_HOST = 32;
const MEMORY = 100_000;

export function createLanes({ capacity, hostOf = () => null, perHost = PER_HOST, memory }: LanesParts): Lanes {
  const standings = createStandings(memory ?? MEMORY);
  const hosts = createHosts(perHost);
  const lanes = new Map(STANDINGS.map((standing) => [standing, createLane(capacity * SHARES[standing])]));
  /** A hook keeps its place, waiting and then busy, whatever is learned or forgotten of it meanwhile. */
  const queued = new Map<string, Place>();
  const busy = new Map<string, Place>();

  const takeFrom = (lane: Lane, taken: string[]): void => {
    for (const hook of lane.waiting) {
      if (lane.room === 0) return;
      const place = queued.get(hook) as Place;
      lane.waiting.delete(hook);
      place.host ??= hostOf(hook);
      if (!hosts.enter(place.host, hook)) continue;
      queued.delete(hook);
      lane.room -= 1;
      busy.set(hook, place);
      taken.push(hook);
    }
  };
  return {
    add(hooks) {
      for (const hook of hooks) {
        if (busy.has(hook) || queued.has(hook)) continue;
        const lane = lanes.get(standings.of(hook)) as Lane;
        queued.set(hook, { lane, host: null });
        lane.waiting.add(hook);
      }
    },
    take() {
      const taken: string[] = [];
      for (const lane of lanes.values()) takeFrom(lane, taken);
      return taken;
    },
    end(hook, standing) {
      const ended = busy.get(hook);
      if (ended === undefined) return;
      busy.delete(hook);
      ended.lane.room += 1;
      const next = hosts.leave(ended.host);
      if (next !== null) queued.get(next)?.lane.waiting.add(next);
      if (standing !== null) standings.learn(hook, standing);
    },
    ready: () => [...lanes.values()].some(({ room, waiting }) => room > 0 && waiting.size > 0),
  };
}

interface Lane {
  /** In the order they came. */
  readonly waiting: Set<string>;
  room: number;
}

interface Place {
  readonly lane: Lane;
  /** Asked for once, when it is first its turn. */
  host: string | null;
}

function createLane(room: number): Lane {
  return { waiting: new Set(), room: Math.max(1, Math.floor(room)) };
}

function createStandings(memory: number) {
  const known = new Map<string, Standing>();
  return {
    of: (hook: string): Standing => known.get(hook) ?? 'untried',
    learn(hook: string, standing: Standing): void {
      // Deleted first, so that the map's order is that of the last attempts.
      known.delete(hook);
      known.set(hook, standing);
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
  /** Hooks for which it had no room, in the order they came. */
  readonly parked: Set<string>;
}

/** A hook whose host is full is parked with that host rather than in its lane, where each `take` would meet it again. */
function createHosts(perHost: number) {
  const hosts = new Map<string, Host>();
  return {
    /** False: the host is full, and the hook is parked there. */
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
    /** @returns the parked hook that may go back to its lane */
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
