// Triggers that replace a former name that a server of the previous version still writes, so that no row has a former name once
// all rows are converted. Pure.
import { formerNames } from '../choices.js';
import type { Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';

export interface FormerName {
  readonly column: string;
  readonly from: string;
  readonly to: string;
  /** The quoted name of the trigger. */
  readonly name: string;
  /** The statement that creates the trigger; `WRITE_NAME` precedes the first. */
  readonly sql: string;
}

/** The name of the trigger function, and the prefix of the names of the triggers. */
export const FORMER_NAME = '_punchboard_former';

/** Creates the function of all triggers, which writes its second argument to the column that its first argument names. */
export const WRITE_NAME = `CREATE OR REPLACE FUNCTION ${quoted(FORMER_NAME)}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
NEW := jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], TG_ARGV[1]));
RETURN NEW;
END $$`;

/** The former names of all columns of a table. */
export function formerNamesOf(table: Table): readonly FormerName[] {
  return table.columns.flatMap(({ number, name: column, check }) =>
    formerNames(check).map(({ from, to }, at): FormerName => {
      const name = quoted(`${FORMER_NAME}_${number}_${at}`);
      const sql = `CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE OF ${quoted(column)} ON ${quoted(table.name)}
FOR EACH ROW WHEN (NEW.${quoted(column)} = ${literal(from)})
EXECUTE FUNCTION ${quoted(FORMER_NAME)}(${literal(column)}, ${literal(to)})`;
      return { column, from, to, name, sql };
    }),
  );
}
