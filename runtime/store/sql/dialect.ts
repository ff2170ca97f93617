// What the statements composed from definitions need to know about an engine: the few expressions in which SQL differs.

export interface Dialect {
  /** Expression: the placement of the row of `alias`; '' where rows are not placed. */
  placement(alias: string): string;
  /** Expression: the placement that an id carries (D37). */
  placementOf(id: string): string;
  /** Condition: the row of `alias` has that placement; '1' where rows are not placed. */
  placed(alias: string, placement: string): string;
  /** Condition: the id of the row of `alias` is in a JSON list. */
  among(alias: string, ids: string): string;
  /** Condition: both are equal, or both are NULL. */
  same(left: string, right: string): string;
  /** Condition: an item of the JSON list in `list` has `value` under `key`. */
  someItem(list: string, key: string, value: string): string;
  /** A condition as WHERE takes it; composed ones may be '1' and '0'. */
  where(condition: string): string;
  /** Expression: 1, 0 or NULL for a condition. */
  flag(condition: string): string;
  /** Term of ORDER BY that has NULL first where it ascends, and last where it descends. */
  ordered(column: string, descending: boolean): string;
}
