// What the measurement at a held rate shows when the load or the server stalls. Both run on one clock that only their work moves.

import { type Clock, type HeldLoad, holdRate } from './hold-rate.js';
import type { Connection } from './load-connection.js';

/** Milliseconds that the server takes for an answer, that the answer travels, and that the load takes for each of its actions. */
const [ANSWER, TRAVEL, STEP] = [0.03, 0.2, 0.005];
/** The most milliseconds that an answer takes when nothing stalls. */
const USUAL = 0.35;
const CONNECTIONS = 32;
const STALL = 5;

interface Stalls {
  /** When the stall begins, and how long it takes. */
  readonly load?: readonly [from: number, milliseconds: number];
  readonly server?: readonly [from: number, milliseconds: number];
}

/** How long and how often requests are sent, and whether the load has a processor of its own. */
const PACE = { perSecond: 12_000, milliseconds: 200, isAlone: true };

interface Due {
  readonly at: number;
  readonly call: () => void;
}

class World implements Clock {
  #now = 0;
  #isServerFree = 0;
  #hasStalled = false;
  #soon: (() => void)[] = [];
  #later: Due[] = [];
  readonly connection: Connection = { ask: (_request, answered) => this.#ask(answered), end: () => undefined };

  constructor(private readonly stalls: Stalls) {}

  readonly now = (): number => this.#now;
  readonly soon: Clock['soon'] = (then) => void this.#soon.push(then);
  readonly later: Clock['later'] = (call, milliseconds) =>
    void this.#later.push({ at: this.#now + milliseconds, call });
  #answers: Due[] = [];

  /** Turns of the event loop until there is nothing to wait for: first answers, then callbacks of timers. */
  run(): void {
    while (this.#soon.length + this.#later.length + this.#answers.length > 0) {
      this.#work();
      const now = this.#now;
      if (now > 10 * PACE.milliseconds) throw new Error('it does not end');
      const [arrived, ended] = [this.#answers, this.#later].map((list) => list.filter(({ at }) => at <= now));
      this.#answers = this.#answers.filter(({ at }) => at > now);
      this.#later = this.#later.filter(({ at }) => at > now);
      for (const { call } of arrived ?? []) {
        this.#work();
        call();
      }
      for (const { call } of ended ?? []) call();
      for (const call of this.#soon.splice(0)) call();
    }
  }

  #ask(answered: (isFailure: boolean) => void): void {
    this.#work();
    const [from, milliseconds] = this.stalls.server ?? [Number.POSITIVE_INFINITY, 0];
    const begins = Math.max(this.#now, this.#isServerFree);
    this.#isServerFree = (begins >= from ? Math.max(begins, from + milliseconds) : begins) + ANSWER;
    this.#answers.push({ at: this.#isServerFree + TRAVEL, call: () => answered(false) });
  }

  /** The load does something, and may stall while it does. */
  #work(): void {
    this.#now += STEP;
    const [from, milliseconds] = this.stalls.load ?? [Number.POSITIVE_INFINITY, 0];
    if (this.#hasStalled || this.#now < from) return;
    this.#hasStalled = true;
    this.#now += milliseconds;
  }
}

async function held(
  stalls: Stalls,
  pace = PACE,
): Promise<HeldLoad & { readonly longest: number; readonly slow: number }> {
  const world = new World(stalls);
  const connections = Array.from({ length: CONNECTIONS }, () => world.connection);
  const done = holdRate(connections, [Buffer.from('GET')], pace, world);
  world.run();
  const result = await done;
  expect(result.times.length + result.leftOut.length).toBe((pace.perSecond * pace.milliseconds) / 1000);
  return { ...result, longest: Math.max(...result.times), slow: result.times.filter((time) => time > 1).length };
}

test('without a stall nothing is left out', async () => {
  const { longest, leftOut, stalled } = await held({});
  expect([leftOut, stalled]).toEqual([[], 0]);
  expect(longest).toBeLessThan(USUAL);
});

test('whenever the load stalls, no counted answer is slower because of it', async () => {
  let leftOut = 0;
  for (let at = 0; at < 100; at += 1) {
    const result = await held({ load: [100 + at / 1000, STALL] });
    expect(result.longest).toBeLessThan(USUAL);
    expect(result.stalled).toBeCloseTo(STALL, 1);
    expect(result.leftOut.length).toBeLessThan(10);
    leftOut += result.leftOut.length;
  }
  expect(leftOut).toBeGreaterThan(25);
});

test('when the server stalls for as long, every request that waits for it counts from when it was due', async () => {
  const { longest, slow, leftOut, stalled } = await held({ server: [100, STALL] });
  expect([leftOut, stalled]).toEqual([[], 0]);
  expect(longest).toBeGreaterThan(STALL);
  // The requests that were due in the first 4 of the 5 milliseconds, and those that then wait behind them.
  expect(slow).toBeGreaterThan(4 * 12);
});

test('a stall of the load hides no stall of the server, except in the answers that come during it', async () => {
  const alone = await held({ server: [100, STALL] });
  for (let from = 99; from < 106; from += 0.1) {
    const both = await held({ server: [100, STALL], load: [from, 0.5] });
    expect(both.longest).toBeGreaterThan(STALL - 1);
    // Requests that would be due in the stall of the load become due after it, and do not keep others waiting.
    expect(both.slow + both.leftOut.length).toBeGreaterThanOrEqual(alone.slow - 2 * 0.5 * 12);
    expect(both.leftOut.length).toBeLessThanOrEqual(CONNECTIONS);
  }
});

test('requests that wait for a connection go on waiting while the load stalls', async () => {
  const { times, leftOut } = await held({ server: [100, 20], load: [110, STALL] });
  expect(leftOut).toEqual([]);
  // The requests that were due before the load stalled.
  expect(times.filter((time) => time > 10).length).toBeGreaterThan(9 * 12);
});

test('on a processor that it shares, stalls of the load count', async () => {
  const { longest, slow, leftOut } = await held({ load: [100, STALL] }, { ...PACE, isAlone: false });
  expect(leftOut).toEqual([]);
  expect(longest).toBeGreaterThan(STALL);
  expect(slow).toBeGreaterThan(4 * 12);
});

test('sleep between few requests is not a stall', async () => {
  const { longest, leftOut, stalled } = await held({}, { ...PACE, perSecond: 100 });
  expect([leftOut, stalled]).toEqual([[], 0]);
  expect(longest).toBeLessThan(USUAL);
});
