// Reads which records use another (D56): their ids in the order of an index, and which of them the caller may read.
import type Database from 'better-sqlite3';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, definitionOf } from '../sql/access.js';
import type { ReadUses, Using } from '../sql/uses.js';
import { VIEWERS, viewerOf, viewerRight } from '../sql/viewers.js';
import type { RecordStatements } from './record-statements.js';

export function createReadUses(
  db: Database.Database,
  composer: Composer,
  statementsOf: (resource: string) => RecordStatements,
): ReadUses {
  const using = memoize((sql: string) => db.prepare<Using, string>(sql).pluck());
  const readable = memoize((resource: string) =>
    memoize((viewer: ReturnType<typeof viewerOf>) => {
      const definition = definitionOf(composer.definitions, resource);
      const right = viewerRight(composer, definition, VIEWERS[viewer], { right: 'read', alias: 't' });
      if (right === '1') return null;
      const these = 't."id" IN (SELECT value FROM json_each(@ids))';
      const sql = `SELECT t."id" FROM ${quoted(resource)} t WHERE ${these} AND ${right}`;
      return db.prepare<{ ids: string; user: string | null }, string>(sql).pluck();
    }),
  );
  return {
    using: (statement, bound) => using(statement).all(bound),
    readable({ name }, ids, caller) {
      const statement = readable(name)(viewerOf(caller));
      return statement === null ? ids : statement.all({ ids: JSON.stringify(ids), user: caller.user });
    },
    text: ({ name }, id, caller) => statementsOf(name).text(viewerOf(caller), id, caller.user) ?? null,
  };
}
