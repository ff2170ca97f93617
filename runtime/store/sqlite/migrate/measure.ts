// Measures the tables of a SQLite database.
import { quoted } from '../../../schema/sql-text.js';
import { newValueSql } from '../../../schema/sqlite/risks.js';
import { wordsTable } from '../../../schema/sqlite/words.js';
import type { MeasureDialect } from '../../migrate/measure.js';
import type { Session } from '../../migrate/session.js';
import type { Pending } from '../../unit.js';

export function createMeasureDialect(session: Session): MeasureDialect {
  function* columnsOf(table: string): Pending<readonly string[]> {
    const rows = yield* session.rows('SELECT name FROM pragma_table_info(@table)', { table });
    return rows.map(({ name }) => String(name));
  }
  return {
    columnsOf,
    newValueSql,
    *others({ tables }) {
      // Words change with the schema.
      const named = new Set([...tables.map(({ name }) => name), ...tables.map(wordsTable)]);
      const rows = yield* session.rows(OTHERS, {});
      const names = rows.map(({ name }) => String(name)).filter((name) => !named.has(name));
      const ordered: (readonly [string, string])[] = [];
      // Rows without an id are ordered by their first column.
      for (const name of names) ordered.push([name, `t.${quoted((yield* columnsOf(name))[0] ?? 'rowid')}`]);
      return ordered;
    },
  };
}

const OTHERS = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
     AND name NOT LIKE '!_punchboard%' ESCAPE '!'`;
