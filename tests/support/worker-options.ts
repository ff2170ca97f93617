// Options of Node for the processes that run tests.

/**
 * The options save a worker a tenth of its CPU, and a process that a test starts up to a third: the objects of a test are garbage
 * before the young generation is full, threads that collect it would take turns with the other workers, and most functions do not
 * run often enough to be worth optimizing.
 */
export const WORKER_OPTIONS: readonly string[] = [
  ...['--max-semi-space-size=32', '--single-threaded-gc'],
  // Later versions of Node refuse to start with this option.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : []),
];
