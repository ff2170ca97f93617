// What happens to records that refer to a deleted one (D33): they prevent the deletion, or are cleared before it.
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Definitions } from '../sql/access.js';
import { clearing, referringTo, stillReferred } from '../sql/referring.js';

export interface Removal {
  /** Throws conflict if a record that must stay refers to this one. */
  refuseWhileReferred(id: string): void;
  /** Clears references that may be empty, and the proof flags that belong to them (D26). */
  clearReferences(id: string): void;
}

/** The statements for deleting records of `definition`. Foreign keys delete whatever is deleted with a record. */
export function createRemoval(db: Database.Database, definitions: Definitions, definition: AnyDefinition): Removal {
  const statement = memoize((sql: string) => db.prepare<[string], number>(sql));
  const referring = referringTo(definitions, definition);
  const counts = referring.flatMap(({ child, reference: { column, onDelete } }) => {
    const sql = `SELECT count(*) FROM ${quoted(child.name)} WHERE ${quoted(column)} = ?`;
    return onDelete === 'restrict' ? [{ child, sql }] : [];
  });
  const clears = referring.flatMap(({ child, reference }) => {
    const sql = `UPDATE ${quoted(child.name)} SET ${clearing(reference)} WHERE ${quoted(reference.column)} = ?`;
    return reference.onDelete === 'set_null' ? [sql] : [];
  });
  return {
    refuseWhileReferred(id) {
      for (const { child, sql } of counts) {
        const count = statement(sql).pluck().get(id) ?? 0;
        if (count > 0) throw stillReferred(definition, child, count);
      }
    },
    clearReferences(id) {
      for (const sql of clears) statement(sql).run(id);
    },
  };
}
