/**
 * The versions of Node that the project supports besides 20. From 24.19 on, a locally compiled better-sqlite3 12 aborts the
 * process when a statement is garbage-collected, and better-sqlite3 13 does not run on Node 20.
 */
export const PROMISED: readonly string[] = ['22', '24.18'];
