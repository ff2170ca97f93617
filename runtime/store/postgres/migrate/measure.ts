// Measures the tables of a PostgreSQL database.
import { UNIQUE_VALUES, wordsTable } from '../../../schema/postgres/ddl.js';
import { newValueSql } from '../../../schema/postgres/risks.js';
import { literal, quoted } from '../../../schema/sql-text.js';
import type { MeasureDialect } from '../../migrate/measure.js';
import type { Session } from '../../migrate/session.js';
import { TABLE_PREFIX } from './metadata.js';

export function createMeasureDialect(session: Session): MeasureDialect {
  return {
    newValueSql,
    *columnsOf(table) {
      const rows = yield* session.rows(
        `SELECT "attname" AS "name" FROM pg_attribute
WHERE "attrelid" = ${literal(quoted(table))}::regclass AND "attnum" > 0 AND NOT "attisdropped" ORDER BY "attnum"`,
        {},
      );
      return rows.map(({ name }) => String(name));
    },
    *others({ tables }) {
      // Words and claims of unique values change with the schema.
      const named = new Set(tables.flatMap((table) => [table.name, wordsTable(table).replaceAll('"', '')]));
      const rows = yield* session.rows(OTHERS, {});
      const names = rows.map(({ name }) => String(name)).filter((name) => !named.has(name));
      return names.map((name) => [name, 't::text COLLATE "C"'] as const);
    },
  };
}

const OTHERS = `SELECT "relname" AS "name" FROM pg_class WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" IN ('r', 'p')
AND NOT starts_with("relname", '${TABLE_PREFIX}') AND "relname" <> '${UNIQUE_VALUES}' ORDER BY 1`;
