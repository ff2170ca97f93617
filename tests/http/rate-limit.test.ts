import { createRateLimit, type RateLimit } from '../../runtime/http/rate-limit.js';

const START = 1_700_000_000_000;
const refusal = (seconds: string) =>
  expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': seconds } });

function limitOf(perMinute: number): RateLimit {
  const limit = createRateLimit(perMinute, 'Only so many');
  if (limit === null) throw new Error('there is no limit');
  return limit;
}

/** The error with which the work is refused, or null. */
function refused(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

test('the minute of a key begins with the first request that is counted', () => {
  const limit = limitOf(2);
  const count = (key: string, seconds: number) => refused(() => limit.count(key, START + seconds * 1000));
  expect([count('a', 0), count('b', 30), count('a', 59), count('a', 59.5)]).toEqual([null, null, null, refusal('1')]);
  expect([count('a', 60), count('b', 60), count('b', 60)]).toEqual([null, null, refusal('30')]);
  expect([count('b', 90), count('a', 119), count('a', 119)]).toEqual([null, null, refusal('1')]);
});

test('a check counts nothing, and a request that is taken back is free again', () => {
  const limit = limitOf(1);
  const check = () => refused(() => limit.check('a', START));
  expect([check(), check()]).toEqual([null, null]);
  limit.count('a', START);
  expect(check()).toEqual(refusal('60'));
  limit.add('a', -1, START);
  expect(check()).toBeNull();
});

test('a request that is counted late does not begin a new minute', () => {
  const limit = limitOf(2);
  limit.count('a', START + 500);
  limit.count('a', START);
  expect(refused(() => limit.count('a', START + 600))).toEqual(refusal('60'));
});

test('keys of earlier minutes are not kept', () => {
  const limit = limitOf(1);
  const before = process.memoryUsage().heapUsed;
  for (let minute = 0; minute < 20; minute += 1) {
    for (let at = 0; at < 5_000; at += 1) limit.count(`${minute} ${'x'.repeat(1000)}${at}`, START + minute * 60_000);
  }
  // They would take 100 MB if they were kept.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60e6);
});
