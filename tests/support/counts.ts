// How often a random or hostile test tries: short in CI, long in `npm run test:long`.

/** @returns `short`, or `long` when PUNCHBOARD_LONG is set */
export function count(short: number, long: number): number {
  return process.env.PUNCHBOARD_LONG === '1' ? long : short;
}
