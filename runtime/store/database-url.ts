// The location of a database: the path of a SQLite file, or the URL of a PostgreSQL server.

/** True for the URL of a server, false for the path of a file. */
export function isServerUrl(database: string): boolean {
  return /^postgres(ql)?:\/\//.test(database);
}

/** Whether the text of a URL holds a password, which only its user may see. */
export function hasPassword(database: string): boolean {
  return isServerUrl(database) && withoutPassword(database) !== database;
}

/** The password in a URL, even one whose /, ? or # makes the URL invalid; not a port. */
const PASSWORD = /^([a-z]+:\/\/[^@/?#:]*):(?:[^@/?#]*|(?!\d+(?:[,/?]|$)).*)@/;

/** The location without the password, for messages. */
export function withoutPassword(database: string): string {
  if (!isServerUrl(database)) return database;
  return database.replace(PASSWORD, '$1@').replace(/([?&]password=)[^&]*/, '$1***');
}

/** The location as an operator writes it, where a prefix may mark a file: `sqlite:data/punchboard.db`. */
export function placeOf(text: string): string {
  return text.replace(/^sqlite:/, '');
}
