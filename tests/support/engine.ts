// The engine under the services of tests: SQLite, unless a suite chooses another.

type OpenDatabase = () => Promise<string>;
let open: OpenDatabase | null = null;
const databases = new Map<string, Promise<string>>();

/** Makes later services of this test file use databases from `create`. @param create resolves with a URL; null for files */
export function openOn(create: OpenDatabase | null): void {
  open = create;
}

/** The database of a service whose file would be at `path`; the same path gives the same database. */
export async function databaseAt(path: string): Promise<string> {
  if (open === null) return path;
  const database = databases.get(path) ?? open();
  databases.set(path, database);
  return database;
}
