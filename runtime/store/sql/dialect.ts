// What the statements composed from definitions need to know about an engine: the few expressions in which SQL differs.

export interface Dialect {
  /** Whether rows are placed on shards: foreign keys and unique constraints then hold only within one. */
  readonly isPlaced: boolean;
  /** The columns of the primary key of a table of records, or of values kept aside. */
  readonly keyColumns: readonly string[];
  /** Expression: the placement of the row of `alias`; '' where rows are not placed. */
  placement(alias: string): string;
  /** Expression: the placement that an id carries (D37). */
  placementOf(id: string): string;
  /** Condition: the row of `alias` has that placement; '1' where rows are not placed. */
  placed(alias: string, placement: string): string;
  /** Condition: the id of the row of `alias` is in a JSON list. */
  among(alias: string, ids: string): string;
  /** Condition: a column is one of the list that is bound to a parameter. */
  isOneOf(column: string, parameter: string): string;
  /** Condition: a column is one of those that a statement selects, which is carried out once. */
  isSelected(column: string, select: string): string;
  /** What a statement reads after FROM: the list that is bound to a parameter, as `id` of `alias`. */
  listed(parameter: string, alias: string): string;
  /** Expression: the greater of two. */
  greatest(left: string, right: string): string;
  /** Expression: the smaller of two. */
  least(left: string, right: string): string;
  /** Expression: a parameter that is a text, where its type cannot be told from what it is used for. */
  text(parameter: string): string;
  /** The end of a SELECT from `t` that locks its rows; '' where one transaction writes at a time. */
  lock(strength: Lock): string;
  /** A statement that lets one transaction at a time go on from there; null where one writes at a time anyway. */
  lockOut(subject: string): string | null;
  /** A statement that inserts a row into one of the engine's own tables: the named parameters, and the `@placement`. */
  insertInto(table: string, columns: readonly string[]): string;
  /** The beginning of a statement that does so from rows of `alias`, up to FROM. @param columns their expressions, by name */
  insertFrom(table: string, columns: Readonly<Record<string, string>>, alias: string): string;
  /** The columns of a key of such a table: one, and the placement. */
  key(column: string): string;
  /** Condition: the key of the row of `alias`, which is its id, compares so with that of an id. */
  compareKey(alias: string, operator: '>' | '<=', id: string): string;
  /** Terms of ORDER BY in the order of that key. */
  keyOrder(alias: string): string;
  /** A statement that deletes some rows of an engine's table, on every shard: the first up to `@before` by a column. */
  deleteUpTo(table: string, column: string, deleting: DeleteOptions): string;
  /** Expression: the last characters of a text that has as many. */
  ending(text: string, length: number): string;
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

export interface DeleteOptions {
  /** How many rows are deleted at most: a number, or a parameter. */
  readonly limit: number | string;
  /** The column that no two rows of a shard share; `id` if left out. */
  readonly key?: string;
}

/**
 * What is locked: for a change or deletion as by an UPDATE or DELETE; as the target of a reference, which must stay; as a
 * source of values, which must not change.
 */
export type Lock = 'change' | 'delete' | 'reference' | 'share';
