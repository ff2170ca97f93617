// The index on the table of uploads with which each engine finds the records that hold the same bytes.

/** The column of the table of uploads. */
export const CONTENT_HASH = 'content_hash';

/** The name of the index follows the table's, so that a migration of the table does not take it for an operator's index. */
export function contentIndexName(table: string): string {
  return `${table}_${CONTENT_HASH}_idx`;
}
