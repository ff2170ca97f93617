/** The major versions of Node that are promised beside the one that runs everything else. */
export const PROMISED: readonly number[] = [22, 24];
