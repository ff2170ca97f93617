// Names and texts in SQL, quoted where the language needs it.

/** Words SQLite takes for its own, or for a value, wherever a column name could stand. */
const RESERVED = new Set(
  `add all alter and as autoincrement between case cast check collate commit constraint create current_date
  current_time current_timestamp default deferrable delete
  distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join
  limit not nothing notnull null on or order primary raise references returning select set table then to transaction union
  unique update using values when where`.split(/\s+/),
);

/** A table or column name as SQL; double-quoted when it is a reserved word. */
export function sqlName(name: string): string {
  return RESERVED.has(name) ? `"${name}"` : name;
}

/** A text literal of SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
