// The permanent numbers of tables, columns and values. The first ones were counted; now a number is drawn from a hash of what
// the name identifies, so that two branches never give the same number to two things.

/** Drawn numbers begin here, above every counted number. */
export const FIRST_DRAWN = 2 ** 20;

/** Numbers are below this limit, so that they fit into 31 bits. */
export const NUMBER_LIMIT = 2 ** 31;

/** Drawn numbers, unlike counted numbers, do not show which came first. */
export function isDrawn(number: number): boolean {
  return number >= FIRST_DRAWN;
}
