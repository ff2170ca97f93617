// The index that each engine keeps on the table of uploads, by which it finds who holds the same bytes.

/** The column of the table of uploads. */
export const CONTENT_HASH = 'content_hash';

/** Its name, which follows the table's: a migration that renames or drops the table must not take it for an operator's. */
export function contentIndexName(table: string): string {
  return `${table}_${CONTENT_HASH}_idx`;
}
