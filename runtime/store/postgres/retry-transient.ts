// Repeats a transaction that PostgreSQL ended in favour of another one.

import { isTransient } from './engine-error.js';

/** How often a transaction is tried. Each failure means that another transaction was committed, so this is plenty. */
const TRIES = 10;

/** @param work a whole transaction, which leaves nothing behind when it rejects */
export async function retryTransient<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !isTransient(error)) throw error;
    return retryTransient(work, tries - 1);
  }
}
