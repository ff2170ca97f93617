// Names and texts in SQL, quoted where the language needs it.

/** Every keyword of SQLite: which of them it also takes for a name hangs on the place. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
  case cast check collate column commit conflict constraint create cross current current_date current_time
  current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape
  except exclude exclusive exists explain fail false filter first following for foreign from full generated glob
  group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull
  join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order
  others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex
  release rename replace restrict returning right rollback row rowid rows savepoint select set table temp
  temporary then ties to transaction trigger true unbounded union unique update using vacuum values view virtual
  when where window with without`.split(/\s+/),
);

/** A table or column name as SQL; double-quoted when it is a keyword. */
export function sqlName(name: string): string {
  return KEYWORDS.has(name) ? `"${name}"` : name;
}

/** A text literal of SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
