// Runs the tasks of one client one after another, so that those of other clients come in between.

import { ServiceError } from '../contract/errors.js';

/** Runs a task when the earlier tasks under the same key have ended. Throws `rate_limited` if too many wait already. */
export type RunInTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** @param most tasks of a client that may wait @param tasks what they are called, in the plural, for the refusal */
export function createTurnQueue(most: number, tasks: string): RunInTurn {
  /** The waiting tasks of every key that has a running task. */
  const waiting = new Map<string, (() => void)[]>();
  const turn = (key: string): Promise<void> | undefined => {
    const others = waiting.get(key);
    if (others === undefined) {
      waiting.set(key, []);
      return undefined;
    }
    if (others.length >= most) throw tooMany(most, tasks);
    return new Promise((resolve) => void others.push(resolve));
  };
  return async (key, work) => {
    await turn(key);
    try {
      return await work();
    } finally {
      const next = waiting.get(key)?.shift();
      if (next === undefined) waiting.delete(key);
      else next();
    }
  };
}

function tooMany(most: number, tasks: string): ServiceError {
  const message = `At most ${most} ${tasks} can wait; try again when they have finished.`;
  return new ServiceError('rate_limited', message, [], { 'Retry-After': '1' });
}
