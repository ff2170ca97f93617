// The loop on a clock that the test moves: woken, timed, after faults, and stopped.

import {
  createLoop,
  type LoopClock,
  type LoopOptions,
  type RunOnce,
} from '../../../runtime/webhooks/deliver/schedule.js';

const CLOCK: LoopClock = { now: () => Date.now(), tick: () => performance.now() };

beforeEach(() => jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** Counts its runs; `next` says when another is due. */
function counted(next: (run: number, now: number) => Promise<number | null>) {
  const state = { runs: 0, at: [] as number[] };
  return {
    state,
    runOnce: (now: number) => {
      state.runs += 1;
      state.at.push(now);
      return next(state.runs, now);
    },
    reached: async (runs: number) => {
      while (state.runs < runs) await jest.advanceTimersToNextTimerAsync();
    },
  };
}

function startLoop({ runOnce, ...options }: LoopOptions & { readonly runOnce: RunOnce }) {
  const loop = createLoop(options);
  loop.start(runOnce);
  return loop;
}

test('does not run before it starts, even if it is woken', async () => {
  const run = counted(async () => null);
  const loop = createLoop({ clock: CLOCK, failed: fail });
  loop.wake();
  expect(jest.getTimerCount()).toBe(0);
  loop.start(run.runOnce);
  await run.reached(1);
  await loop.stop();
  expect(run.state.at).toEqual([1_000_000]);
});

test('runs when it starts, and a second later even though nothing is due', async () => {
  const run = counted(async () => null);
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(2);
  await loop.stop();
  expect(run.state.at).toEqual([1_000_000, 1_001_000]);
});

test('a wake during a run causes another run after it', async () => {
  let finish: (next: null) => void = () => undefined;
  const run = counted(() => new Promise((resolve) => (finish = resolve)));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(1);
  loop.wake();
  loop.wake();
  expect(run.state.runs).toBe(1);
  finish(null);
  await run.reached(2);
  finish(null);
  await loop.stop();
  expect(run.state.at).toEqual([1_000_000, 1_000_000]);
});

test('runs again at the time that the run returned', async () => {
  const run = counted(async (runs, now) => (runs === 1 ? now + 60 : null));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(2);
  await loop.stop();
  expect(run.state.at).toEqual([1_000_000, 1_000_060]);
});

test('a failed run is reported and followed by another', async () => {
  const errors: unknown[] = [];
  const run = counted((runs) => (runs === 1 ? Promise.reject(new Error('locked')) : Promise.resolve(null)));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: (error) => errors.push(error) });
  await run.reached(2);
  await loop.stop();
  expect(errors).toEqual([new Error('locked')]);
});

test('stop waits for the run and no other follows', async () => {
  let finish: (next: number) => void = () => undefined;
  const run = counted(() => new Promise((resolve) => (finish = resolve)));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(1);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(stopped).toBe(false);
  finish(0);
  await stopping;
  loop.wake();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(run.state.runs).toBe(1);
});

test('S31: a jump of the wall clock is reported', async () => {
  const wall = { now: 1_000_000 };
  const jumps: number[] = [];
  const run = counted(async (runs, now) => {
    wall.now += [0, 3_600_000, 0, -7_200_000, 0][runs] ?? 0;
    return runs < 5 ? now : null;
  });
  const clock: LoopClock = { now: () => wall.now, tick: () => 5 };
  const loop = startLoop({ runOnce: run.runOnce, clock, failed: fail, clockChanged: (by) => void jumps.push(by) });
  await run.reached(5);
  await loop.stop();
  expect(jumps).toEqual([3_600_000, -7_200_000]);
});

test('N09: a run waits for the handling of a change of the clock, which is tried again if it fails', async () => {
  const wall = { now: 1_000_000 };
  const happened: string[] = [];
  const run = counted(async (runs, now) => {
    happened.push('run');
    if (runs === 1) wall.now += 3_600_000;
    return runs < 2 ? now : null;
  });
  const clock: LoopClock = { now: () => wall.now, tick: () => 5 };
  const clockChanged = async (by: number): Promise<void> => {
    await Promise.resolve();
    happened.push(`changed by ${by}`);
    if (!happened.includes('failed')) throw new Error('the database is away');
  };
  const failed = (): void => void happened.push('failed');
  const loop = startLoop({ runOnce: run.runOnce, clock, failed, clockChanged });
  await run.reached(2);
  await loop.stop();
  expect(happened).toEqual(['run', 'changed by 3600000', 'failed', 'changed by 3600000', 'run']);
});

function fail(error: unknown): void {
  throw error;
}
