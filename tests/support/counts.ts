// The number of tries of a random or hostile test: few in CI, many in `npm run test:long`.

/** @returns `short`, or `long` if PUNCHBOARD_LONG is set */
export function count(short: number, long: number): number {
  return process.env.PUNCHBOARD_LONG === '1' ? long : short;
}
