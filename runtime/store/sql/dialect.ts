// The dialect of an engine for statements composed from definitions: the few expressions in which SQL differs.

export interface Dialect {
  /** Whether rows are placed on shards: foreign keys and unique constraints then hold only within one. */
  readonly isPlaced: boolean;
  /** The columns of the primary key of a table of records, or of a side table. */
  readonly keyColumns: readonly string[];
  /** Expression: the placement of the row of `alias`; '' where rows are not placed. */
  placement(alias: string): string;
  /** Expression: the placement that an id carries (D37). */
  placementOf(id: string): string;
  /** Condition: the row of `alias` has that placement; '1' where rows are not placed. */
  placed(alias: string, placement: string): string;
  /** Condition: the id of the row of `alias` is in a JSON list. */
  among(alias: string, ids: string): string;
  /** Condition: the value of a column is in the list that is bound to a parameter. */
  isOneOf(column: string, parameter: string): string;
  /** Condition: the value of a column is among those that a statement, which runs once, selects. */
  isSelected(column: string, select: string): string;
  /** The item of FROM that reads the list bound to a parameter, as `id` of `alias`. */
  listed(parameter: string, alias: string): string;
  /** Expression: the greater of two values. */
  greatest(left: string, right: string): string;
  /** Expression: the smaller of two values. */
  least(left: string, right: string): string;
  /** Expression: a text parameter whose type cannot be inferred from its use. */
  text(parameter: string): string;
  /** The end of a SELECT from `t` that locks its rows; '' where one transaction writes at a time. */
  lock(strength: Lock): string;
  /** A statement from which only one transaction at a time continues; null where one writes at a time anyway. */
  lockOut(subject: string): string | null;
  /** A statement that inserts a row into a table, with a parameter named after each column, and the `@placement`. */
  insertInto(table: string, columns: readonly string[]): string;
  /** The beginning, up to FROM, of a statement that inserts from rows of `alias`. @param columns their expressions, by name */
  insertFrom(table: string, columns: Readonly<Record<string, string>>, alias: string): string;
  /** The columns of a key of such a table: a column and the placement. */
  key(column: string): string;
  /** Condition: compares the key of the row of `alias`, which is its id, with the key of an id. */
  compareKey(alias: string, operator: '>' | '<=', id: string): string;
  /** The terms of ORDER BY for that key. */
  keyOrder(alias: string): string;
  /** A statement that deletes the first rows of an engine's table whose column is at most `@before`, on every shard. */
  deleteUpTo(table: string, column: string, deleting: DeleteOptions): string;
  /** Expression: the last characters of a text, which has at least that many. */
  ending(text: string, length: number): string;
  /** Condition: the two are equal, or both are NULL. */
  same(left: string, right: string): string;
  /** Condition: an item of the JSON list in `list` has `value` under `key`. */
  someItem(list: string, key: string, value: string): string;
  /** A condition in the form that WHERE accepts; composed conditions may be '1' and '0'. */
  where(condition: string): string;
  /** Expression: 1, 0 or NULL for a condition. */
  flag(condition: string): string;
  /** Term of ORDER BY that has NULL first where it ascends, and last where it descends. */
  ordered(column: string, descending: boolean): string;
}

export interface DeleteOptions {
  /** The most rows to delete: a number, or a parameter. */
  readonly limit: number | string;
  /** The column that identifies a row within a shard; `id` by default. */
  readonly key?: string;
}

/**
 * The purpose of a lock: a change or a deletion, as by UPDATE or DELETE; the target of a reference, which must stay; or a source
 * of values, which must not change.
 */
export type Lock = 'change' | 'delete' | 'reference' | 'share';
