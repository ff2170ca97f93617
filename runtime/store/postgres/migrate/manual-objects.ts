// Finds objects that an operator added by hand and a migration would remove: columns, indexes, views, triggers. Renames do no
// harm, since PostgreSQL keeps track of names by itself.

import { contentIndexName } from '../../../schema/content-index.js';
import { type Match, matchSchemas } from '../../../schema/match.js';
import { constraintNames } from '../../../schema/postgres/constraints.js';
import { FORMER_NAME } from '../../../schema/postgres/former-names.js';
import { VERSION_TRIGGER } from '../../../schema/postgres/version-trigger.js';
import type { Schema } from '../../../schema/schema.js';
import { literal } from '../../../schema/sql-text.js';
import { lostColumns } from '../../migrate/pending.js';
import type { Query } from '../connections.js';

/** The reasons to refuse the steps from one schema to another because of objects added by hand; only reads. */
export async function findManualConflicts(query: Query, from: Schema, to: Schema): Promise<readonly string[]> {
  const match = matchSchemas(from, to);
  const columns = await conflictingColumns(query, match);
  const dependents = await conflictingDependents(query, match);
  return [
    ...lostColumns(columns),
    ...dependents.map(
      ({ description, on }) =>
        `${description}, added by hand, needs ${on}, which goes: drop it first, and create it again afterwards`,
    ),
  ];
}

/** Columns added by hand whose table is dropped or whose name is needed. */
async function conflictingColumns(query: Query, { dropped, kept }: Match): Promise<readonly string[]> {
  const rows = await query(
    `SELECT c."relname" AS "table", a."attname" AS "column" FROM pg_attribute a JOIN pg_class c ON c."oid" = a."attrelid"
WHERE c."relnamespace" = current_schema()::regnamespace AND c."relkind" IN ('r', 'p')
AND a."attnum" > 0 AND NOT a."attisdropped" AND NOT starts_with(a."attname", '_') ORDER BY 1, a."attnum"`,
  );
  const tables = new Map(dropped.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
  const taken = new Map(
    kept.map(({ from, to }) => {
      const current = new Set(from.columns.map(({ name }) => name));
      return [from.name, new Set(to.columns.map(({ name }) => name).filter((name) => !current.has(name)))];
    }),
  );
  const conflicting = rows.filter(({ table, column }) => {
    const lost = tables.get(String(table))?.has(String(column)) === false;
    return lost || taken.get(String(table))?.has(String(column)) === true;
  });
  return conflicting.map(({ table, column }) => `${table}.${column}`);
}

interface DependentObject {
  /** `index box_extra`, `rule _RETURN on view boxes`. */
  readonly description: string;
  readonly on: string;
}

/** Objects that PostgreSQL would drop together with a column or a table, or that would make it refuse the drop. */
async function conflictingDependents(
  query: Query,
  { from, dropped, kept }: Match,
): Promise<readonly DependentObject[]> {
  const columns = kept.flatMap((pair) => [
    ...pair.dropped.map(({ name }) => [pair.from.name, name]),
    ...pair.kept.filter((one) => one.from.type !== one.to.type).map((one) => [pair.from.name, one.from.name]),
  ]);
  const going = [...dropped.map(({ name }) => [name, null]), ...columns];
  if (going.length === 0) return [];
  const ownNames = from.tables.flatMap((table) => [contentIndexName(table.name), ...constraintNames(table)]);
  const rows = await query(
    `WITH going AS (SELECT g->>0 AS "table", g->>1 AS "column" FROM jsonb_array_elements(${literal(JSON.stringify(going))}::jsonb) g),
own AS (SELECT jsonb_array_elements_text(${literal(JSON.stringify(ownNames))}::jsonb) AS "name")
SELECT DISTINCT pg_describe_object(d."classid", d."objid", 0) AS "what", concat_ws('.', going."table", going."column") AS "on"
FROM going JOIN pg_class t ON t."relname" = going."table" AND t."relnamespace" = current_schema()::regnamespace
JOIN pg_depend d ON d."refclassid" = 'pg_class'::regclass AND d."refobjid" = t."oid"
LEFT JOIN pg_attribute a ON a."attrelid" = t."oid" AND a."attname" = going."column"
LEFT JOIN pg_class c ON d."classid" = 'pg_class'::regclass AND c."oid" = d."objid"
LEFT JOIN pg_constraint k ON d."classid" = 'pg_constraint'::regclass AND k."oid" = d."objid"
LEFT JOIN pg_trigger r ON d."classid" = 'pg_trigger'::regclass AND r."oid" = d."objid"
LEFT JOIN pg_proc p ON p."oid" = r."tgfoid"
WHERE (going."column" IS NULL OR d."refobjsubid" = a."attnum") AND d."deptype" IN ('n', 'a')
AND d."classid" IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_rewrite'::regclass, 'pg_trigger'::regclass)
AND coalesce(c."relkind", 'i') <> 't' AND coalesce(k."contype", 'c') <> 'n'
AND coalesce(p."proname", '') NOT IN ('citus_truncate_trigger', ${literal(FORMER_NAME)}, ${literal(VERSION_TRIGGER)})
AND coalesce(c."relname", k."conname", '') NOT IN (SELECT "name" FROM own)
ORDER BY 1, 2`,
  );
  return rows.map(({ what, on }) => ({ description: `the ${what}`, on: String(on) }));
}
