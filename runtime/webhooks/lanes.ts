// Which hook is attempted next: round-robin, one attempt of a hook at a time, and room of its own for each standing,
// so that receivers that hang cost the others nothing (S29, I12). Knows hooks by id and nothing of deliveries.

/** What is known of a hook's receiver since the start: nothing yet, its last attempt succeeded, or it failed. */
export type Standing = 'untried' | 'good' | 'failing';

export interface Lanes {
  /** Queues those hooks that are neither waiting nor busy. */
  add(hooks: Iterable<string>): void;
  /** The next hooks for which there is room; each is busy until `end`. */
  take(): readonly string[];
  /** The hook's attempt is over; null: nothing was learned of its receiver. */
  end(hook: string, standing: Standing | null): void;
  /** True when `take` would give something. */
  ready(): boolean;
}

/** Parts of the capacity: no standing takes another's. */
const SHARES: Readonly<Record<Standing, number>> = { good: 0.5, untried: 0.25, failing: 0.25 };
const STANDINGS: readonly Standing[] = ['good', 'untried', 'failing'];
/** Hooks remembered; above it all are untried again, which costs one attempt each. */
const MEMORY = 100_000;

/** @param capacity attempts under way at most; every standing gets room for one at least */
export function createLanes(capacity: number): Lanes {
  const known = new Map<string, Standing>();
  const busy = new Map<string, Lane>();
  const lanes = new Map(STANDINGS.map((standing) => [standing, createLane(capacity * SHARES[standing])]));
  const laneOf = (hook: string): Lane => lanes.get(known.get(hook) ?? 'untried') as Lane;
  return {
    add(hooks) {
      for (const hook of hooks) if (!busy.has(hook)) laneOf(hook).waiting.add(hook);
    },
    take() {
      const taken: string[] = [];
      for (const lane of lanes.values()) {
        for (const hook of lane.waiting) {
          if (lane.room === 0) break;
          lane.room -= 1;
          lane.waiting.delete(hook);
          busy.set(hook, lane);
          taken.push(hook);
        }
      }
      return taken;
    },
    end(hook, standing) {
      const lane = busy.get(hook);
      if (lane !== undefined) lane.room += 1;
      busy.delete(hook);
      if (standing === null) return;
      if (known.size >= MEMORY) known.clear();
      known.set(hook, standing);
    },
    ready: () => [...lanes.values()].some(({ room, waiting }) => room > 0 && waiting.size > 0),
  };
}

interface Lane {
  /** In the order they came. */
  readonly waiting: Set<string>;
  room: number;
}

function createLane(room: number): Lane {
  return { waiting: new Set(), room: Math.max(1, Math.floor(room)) };
}
