// Drives a `runOnce` with real time: at once when woken, when it asked to be called, and at least every second. Its timers
// are never longer, so that neither a sleeping machine nor a changed clock makes it miss a time (S31, S32).

export interface LoopParts {
  /** Resolves to when to come again, epoch milliseconds; null: when woken. */
  readonly runOnce: (now: number) => Promise<number | null>;
  readonly clock: LoopClock;
  /** Called when a run rejects; the next is a second later. */
  readonly failed: (error: unknown) => void;
  /** Told by how many milliseconds the wall clock went ahead of, or behind, the time that passed. */
  readonly jumped?: (milliseconds: number) => void;
}

export interface LoopClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since any fixed moment, which nobody sets. */
  tick(): number;
}

export interface Loop {
  /** Runs at the end of this turn of the event loop, or as soon as the run under way has ended. */
  wake(): void;
  /** No further runs; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** Longest sleep, milliseconds: what another process publishes is picked up within it. */
const LONGEST = 1_000;
/** Wall clock and passed time may differ by so many milliseconds a run before it is called a jump. */
const JUMP = 5_000;

/** Starts at once. */
export function startLoop(parts: LoopParts): Loop {
  const { clock, failed } = parts;
  const jumps = createJumps(parts);
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const run = async (): Promise<void> => {
    let next: number | null = null;
    try {
      jumps();
      next = await parts.runOnce(clock.now());
    } catch (error) {
      failed(error);
    }
    running = null;
    if (stopped) return;
    const wait = next === null ? LONGEST : Math.min(LONGEST, next - clock.now());
    if (again || wait <= 0) return wake();
    timer = setTimeout(begin, Math.ceil(wait));
  };
  const begin = (): void => {
    soon = null;
    again = false;
    running = run();
  };
  const wake = (): void => {
    if (stopped || soon !== null) return;
    if (running !== null) {
      again = true;
      return;
    }
    if (timer !== null) clearTimeout(timer);
    timer = null;
    soon = setImmediate(begin);
  };
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      if (soon !== null) clearImmediate(soon);
      await running;
    },
  };
}

function createJumps({ clock, jumped = () => undefined }: LoopParts): () => void {
  let wall = clock.now();
  let passed = clock.tick();
  return () => {
    const [now, tick] = [clock.now(), clock.tick()];
    const jump = Math.round(now - wall - (tick - passed));
    if (Math.abs(jump) > JUMP) jumped(jump);
    wall = now;
    passed = tick;
  };
}
