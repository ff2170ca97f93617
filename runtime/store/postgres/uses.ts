// Reads which records use another (D56): their ids in the order of an index, and which of them the caller may read. Records of
// any placement may use it, so that on Citus the first asks every shard.
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import { type ReadUses, usingStatement } from '../sql/uses.js';
import { VIEWERS, viewerOf, viewerRight } from '../sql/viewers.js';
import { byPlacement } from './by-placement.js';
import { prepareNamed, run } from './named.js';
import type { StatementsOf } from './record-statements.js';
import type { Reading } from './record-text.js';

export function createReadUses(reading: Reading, statementsOf: StatementsOf): ReadUses {
  const { connections, dialect } = reading;
  const { query } = connections;
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  return {
    async using(definition, column, bound) {
      const rows = await run(query, prepare(usingStatement(reading, definition, column))({ ...bound }));
      return rows.map(({ id }) => String(id));
    },
    async readable(definition, ids, caller) {
      const access = { right: 'read', alias: 't', placement: '@placement' };
      const right = viewerRight(reading, definition, VIEWERS[viewerOf(caller)], access);
      if (right === '1') return ids;
      const these = `t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids)`;
      const sql = `SELECT t."id" AS "id" FROM ${quoted(definition.name)} t WHERE ${these} AND ${dialect.where(right)}`;
      const reads = byPlacement(ids).map(({ shard, ids: those }) =>
        reading.run(query, prepare(sql), { placement: shard, ids: those, user: caller.user }),
      );
      return (await Promise.all(reads)).flat().map(({ id }) => String(id));
    },
    async text({ name }, id, caller) {
      return (await statementsOf(name).text(query, viewerOf(caller), id, caller.user)) ?? null;
    },
  };
}
