// The permanent numbers of tables, columns and values. The first ones were counted; now they are drawn: a hash of what a name
// stands for, so that two branches never give one number to two things.

/** Drawn numbers begin here, above any that was counted. */
export const FIRST_DRAWN = 2 ** 20;

/** Numbers are below this, so that they fit 31 bits. */
export const NUMBER_LIMIT = 2 ** 31;

/** Only the order of counted numbers says which came first. */
export function isDrawn(number: number): boolean {
  return number >= FIRST_DRAWN;
}
