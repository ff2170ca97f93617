// Where counts are kept while they grow: in memory, or where they outlive the process.

/** How many numbers can be kept under one label. */
export const NUMBERS = 16;

/** @param labels what the numbers are about, as plain data; each is kept once */
export type Keep = (labels: object) => Kept;

export interface Kept {
  /** As many as `NUMBERS`, all 0 at first. */
  readonly numbers: Float64Array;
  /** To be called whenever they have changed. */
  save(): void;
}

export const keptHere: Keep = () => ({ numbers: new Float64Array(NUMBERS), save });

function save(): void {}
