// The trigger that raises the version of a row (D57) when a server older than row versions, which may still be running, changes
// the row. Current servers raise the version themselves, and their statements do not fire the trigger. Pure.
import type { Table } from '../schema.js';
import { quoted } from '../sql-text.js';
import { VERSION } from '../version.js';

/** The name of each such trigger, and of the function that they share. */
export const VERSION_TRIGGER = '_punchboard_version';

const [name, column] = [quoted(VERSION_TRIGGER), quoted(VERSION)];

export const RAISE_VERSION = `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
NEW.${column} := OLD.${column} + 1;
RETURN NEW;
END $$`;

export function versionTrigger(table: Table): string {
  return `CREATE TRIGGER ${name} BEFORE UPDATE ON ${quoted(table.name)}
FOR EACH ROW WHEN (NEW.${column} = OLD.${column}) EXECUTE FUNCTION ${name}()`;
}
