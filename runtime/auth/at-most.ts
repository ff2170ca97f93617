// A door that lets a fixed number of jobs run at once and a bounded number wait; what the jobs do is their caller's.

import { ServiceError } from '../errors.js';

export type Door = <T>(job: () => Promise<T>) => Promise<T>;

/**
 * @param running jobs that run at the same time
 * @param waiting jobs that may wait; one more is refused with `unavailable`
 */
export function atMost(running: number, waiting: number): Door {
  const queue: (() => void)[] = [];
  let free = running;
  return async (job) => {
    if (free > 0) free -= 1;
    else {
      if (queue.length >= waiting) {
        throw new ServiceError('unavailable', 'Too many passwords are being checked.', [], { 'Retry-After': '1' });
      }
      await new Promise<void>((start) => queue.push(start));
    }
    try {
      return await job();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
