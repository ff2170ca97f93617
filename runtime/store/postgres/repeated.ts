// Repeats a transaction that PostgreSQL ended for the sake of another one.

import { isTransient } from './engine-error.js';

/** How often a transaction is tried; each time it was in the way of one that was committed meanwhile, so this is plenty. */
const TRIES = 10;

/** @param work a whole transaction: nothing of it remains when it rejects */
export async function repeated<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !isTransient(error)) throw error;
    return repeated(work, tries - 1);
  }
}
