// Reads which records use another (D56): their ids in the order of an index, and which of them the caller may read. Records of
// any placement may use it, so that on Citus the first asks every shard.
import { memoize } from '../../contract/memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { byPlacement } from '../sql/by-placement.js';
import type { ReadUses } from '../sql/uses.js';
import { VIEWERS, viewerOf, viewerRight } from '../sql/viewers.js';
import { prepareNamed, run } from './named.js';
import type { StatementsOf } from './record-statements.js';
import type { Reading } from './record-text.js';

export function createReadUses(reading: Reading, statementsOf: StatementsOf): ReadUses {
  const { connections, definitions, dialect } = reading;
  const { query } = connections;
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  const readable = memoize((resource: string) =>
    memoize((viewer: ReturnType<typeof viewerOf>) => {
      const access = { right: 'read', alias: 't', placement: '@placement' };
      const right = viewerRight(reading, definitionOf(definitions, resource), VIEWERS[viewer], access);
      if (right === '1') return null;
      const these = `t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids)`;
      const sql = `SELECT t."id" AS "id" FROM ${quoted(resource)} t WHERE ${these} AND ${dialect.where(right)}`;
      return prepareNamed(connections, sql);
    }),
  );
  return {
    async using(statement, bound) {
      const rows = await run(query, prepare(statement)({ ...bound }));
      return rows.map(({ id }) => String(id));
    },
    async readable({ name }, ids, caller) {
      const statement = readable(name)(viewerOf(caller));
      if (statement === null) return ids;
      const reads = byPlacement(ids).map(({ shard, ids: those }) =>
        reading.run(query, statement, { placement: shard, ids: those, user: caller.user }),
      );
      return (await Promise.all(reads)).flat().map(({ id }) => String(id));
    },
    async text({ name }, id, caller) {
      return (await statementsOf(name).text(query, viewerOf(caller), id, caller.user)) ?? null;
    },
  };
}
