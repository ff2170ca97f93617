// The parameters that filter a list: a value of a column, or the bounds of a range of its values, `quantity[gte]=2` (D62).

/** How SQL spells each bound. */
export const BOUNDS = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

export type RangeBound = keyof typeof BOUNDS;

export const BOUND_NAMES = Object.keys(BOUNDS) as readonly RangeBound[];

export interface FilterParameter {
  readonly name: string;
  readonly column: string;
  /** Null: the column has this value. */
  readonly bound: RangeBound | null;
}

interface FilterableFields {
  readonly filters: readonly string[];
  /** The filters that take bounds. */
  readonly ranges: readonly string[];
}

/** Every parameter by which a list of these records can be filtered. */
export function filterParameters({ filters, ranges }: FilterableFields): readonly FilterParameter[] {
  return filters.flatMap((column): readonly FilterParameter[] => [
    { name: column, column, bound: null },
    ...(ranges.includes(column) ? BOUND_NAMES : []).map((bound) => ({ name: boundName(column, bound), column, bound })),
  ]);
}

/** Their names. */
export function filterNames(filtered: FilterableFields): readonly string[] {
  return filterParameters(filtered).map(({ name }) => name);
}

/** The name of the parameter for a bound. */
export function boundName(column: string, bound: RangeBound): string {
  return `${column}[${bound}]`;
}
