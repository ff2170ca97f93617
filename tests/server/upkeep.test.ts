// When the service runs its jobs, by a clock that the test moves.

import type { Job } from '../../runtime/contract/job.js';
import { createUpkeep } from '../../runtime/server/upkeep.js';

function createCountedJob(name: string, every: number, steps = 1): Job & { readonly runs: number[] } {
  const runs: number[] = [];
  let left = 0;
  return {
    ...{ name, every, runs },
    async step(now) {
      if (left === 0) {
        left = steps;
        runs.push(now);
      }
      left -= 1;
      return left > 0;
    },
  };
}

test('each job runs at its time, to its end, and also after the clock was set back', async () => {
  const [often, seldom] = [createCountedJob('often', 10), createCountedJob('seldom', 100, 3)];
  const upkeep = createUpkeep([often, seldom], () => undefined);
  for (const now of [0, 5, 10, 99, 100, 3]) await upkeep.runOnce(now);
  expect([often.runs, seldom.runs]).toEqual([
    [0, 10, 99, 3],
    [0, 100, 3],
  ]);
});

test('a job that fails does not stop the others', async () => {
  const other = createCountedJob('other', 10);
  const reported: string[] = [];
  const broken: Job = { name: 'broken', every: 10, step: () => Promise.reject(new Error('disk')) };
  const upkeep = createUpkeep([broken, other], (job, error) => reported.push(`${job}: ${(error as Error).message}`));
  await upkeep.runOnce(0);
  await upkeep.runOnce(10);
  expect([reported, other.runs]).toEqual([
    ['broken: disk', 'broken: disk'],
    [0, 10],
  ]);
});

test('a stop waits for the step under way', async () => {
  let steps = 0;
  const endless: Job = {
    name: 'endless',
    every: 10,
    step: async () => {
      steps += 1;
      return true;
    },
  };
  const upkeep = createUpkeep([endless], () => undefined);
  const running = upkeep.runOnce(0);
  await upkeep.stop();
  await running;
  expect(steps).toBe(1);
});
