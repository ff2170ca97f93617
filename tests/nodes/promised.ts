/** The major versions of Node that the project supports besides 20. */
export const PROMISED: readonly number[] = [22, 24];
