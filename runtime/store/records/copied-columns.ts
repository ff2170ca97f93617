// Values that a new record takes from the records to which it refers, unless the request gives them.
import type { AnyDefinition, Row } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { idOf } from '../sql/placement.js';
import { referenceIn } from '../sql/references.js';
import { oneRow, rowsOf } from '../sql/rows.js';
import type { Pending, Unit } from '../unit.js';
import type { Resource } from './resource.js';

/** A column that takes its value from the record to which another column refers. */
export interface CopiedColumn {
  readonly name: string;
  readonly through: string;
  readonly sql: string;
}

export function copiedColumns({ dialect, definitions }: Composer, definition: AnyDefinition): readonly CopiedColumn[] {
  return Object.entries(definition.columns).flatMap(([name, { copies: from }]) => {
    if (from === undefined) return [];
    const { to } = referenceIn(definition, from.through);
    const sql = `SELECT t.${quoted(from.column)} AS "value" FROM ${rowsOf(definitionOf(definitions, to))} WHERE ${oneRow(dialect)}${dialect.lock('share')}`;
    return [{ name, through: from.through, sql }];
  });
}

/** The new row with its copies. Their sources are locked, so that they do not change before the row is committed. */
export function* withCopiedColumns(unit: Unit, { copies }: Resource, row: Row): Pending<Row> {
  if (copies.length === 0) return row;
  const complete: Row = { ...row };
  for (const { name, through, sql } of copies) {
    const source = row[through];
    if (row[name] !== null || typeof source !== 'string') continue;
    const sourceRow = yield* unit.row(sql, idOf(source));
    complete[name] = sourceRow?.value ?? null;
  }
  return complete;
}
