// Reads which records use another (D56): their ids in the order of an index, and which of them the caller may read.
import type Database from 'better-sqlite3';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Composer } from '../sql/access.js';
import { type ReadUses, type Using, usingStatement } from '../sql/uses.js';
import { VIEWERS, viewerOf, viewerRight } from '../sql/viewers.js';
import type { RecordStatements } from './record-statements.js';

export function createReadUses(
  db: Database.Database,
  composer: Composer,
  statementsOf: (resource: string) => RecordStatements,
): ReadUses {
  const using = memoize((sql: string) => db.prepare<Using, string>(sql).pluck());
  const among = memoize((sql: string) => db.prepare<{ ids: string; user: string | null }, string>(sql).pluck());
  return {
    using: (definition, column, bound) => using(usingStatement(composer, definition, column)).all(bound),
    readable(definition, ids, caller) {
      const right = viewerRight(composer, definition, VIEWERS[viewerOf(caller)], { right: 'read', alias: 't' });
      if (right === '1') return ids;
      const these = 't."id" IN (SELECT value FROM json_each(@ids))';
      const sql = `SELECT t."id" FROM ${quoted(definition.name)} t WHERE ${these} AND ${right}`;
      return among(sql).all({ ids: JSON.stringify(ids), user: caller.user });
    },
    text: ({ name }, id, caller) => statementsOf(name).text(viewerOf(caller), id, caller.user) ?? null,
  };
}
