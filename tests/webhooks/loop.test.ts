// The loop in real time, with a run that a test controls: woken, timed, after faults, and stopped.

import { type LoopClock, startLoop } from '../../runtime/webhooks/loop.js';

const CLOCK: LoopClock = { now: () => Date.now(), tick: () => performance.now() };

/** A run that counts itself; `next` says when to come again. */
function counted(next: (run: number, now: number) => Promise<number | null>) {
  const state = { runs: 0, at: [] as number[] };
  let told: () => void = () => undefined;
  return {
    state,
    runOnce: (now: number) => {
      state.runs += 1;
      state.at.push(now);
      told();
      return next(state.runs, now);
    },
    reached: (runs: number) =>
      new Promise<void>((resolve) => {
        told = () => state.runs >= runs && resolve();
        told();
      }),
  };
}

test('RunsAtOnceAndWithinASecondThoughNothingIsDue', async () => {
  const run = counted(async () => null);
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(2);
  await loop.stop();
  const [first = 0, second = 0] = run.state.at;
  expect(second - first).toBeLessThan(1_500);
});

test('AWakeDuringARunMeansAnother', async () => {
  let finish: (next: null) => void = () => undefined;
  const run = counted(() => new Promise((resolve) => (finish = resolve)));
  const started = Date.now();
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(1);
  loop.wake();
  loop.wake();
  expect(run.state.runs).toBe(1);
  finish(null);
  await run.reached(2);
  expect(Date.now() - started).toBeLessThan(900);
  finish(null);
  await loop.stop();
  expect(run.state.runs).toBe(2);
});

test('ComesWhenItWasTold', async () => {
  const run = counted(async (runs, now) => (runs === 1 ? now + 60 : null));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(2);
  await loop.stop();
  const [first = 0, second = 0] = run.state.at;
  expect(second - first).toBeGreaterThanOrEqual(60);
  expect(second - first).toBeLessThan(900);
});

test('AFailedRunIsToldAndFollowedByAnother', async () => {
  const errors: unknown[] = [];
  const run = counted((runs) => (runs === 1 ? Promise.reject(new Error('locked')) : Promise.resolve(null)));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: (error) => errors.push(error) });
  await run.reached(2);
  await loop.stop();
  expect(errors).toEqual([new Error('locked')]);
});

test('StopWaitsForTheRunAndNoOtherFollows', async () => {
  let finish: (next: number) => void = () => undefined;
  const run = counted(() => new Promise((resolve) => (finish = resolve)));
  const loop = startLoop({ runOnce: run.runOnce, clock: CLOCK, failed: fail });
  await run.reached(1);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  finish(0);
  await stopping;
  loop.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(run.state.runs).toBe(1);
});

test('S31/AJumpOfTheWallClockIsTold', async () => {
  const wall = { now: 1_000_000 };
  const jumps: number[] = [];
  const run = counted(async (runs, now) => {
    wall.now += [0, 3_600_000, 0, -7_200_000, 0][runs] ?? 0;
    return runs < 5 ? now : null;
  });
  const clock: LoopClock = { now: () => wall.now, tick: () => 5 };
  const loop = startLoop({ runOnce: run.runOnce, clock, failed: fail, jumped: (by) => jumps.push(by) });
  await run.reached(5);
  await loop.stop();
  expect(jumps).toEqual([3_600_000, -7_200_000]);
});

function fail(error: unknown): void {
  throw error;
}
