// The bounds by which a list can be asked for a range of values: `quantity[gte]=2` (D62).

/** How SQL spells each bound. */
export const BOUNDS = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

export type Bound = keyof typeof BOUNDS;

export const BOUND_NAMES = Object.keys(BOUNDS) as readonly Bound[];

/** The name of the query parameter. */
export function boundName(column: string, bound: Bound): string {
  return `${column}[${bound}]`;
}

/** Every name by which a list can be filtered. */
export function filterNames({
  filters,
  ranges,
}: {
  readonly filters: readonly string[];
  readonly ranges: readonly string[];
}): readonly string[] {
  return [...filters, ...ranges.flatMap((column) => BOUND_NAMES.map((bound) => boundName(column, bound)))];
}
