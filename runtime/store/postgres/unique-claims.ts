// Claims values that no two records of any placement may share (see unique-values): a constraint of the database only sees the
// rows of one shard.
import type { Row } from '../../contract/definition.js';
import type { Table } from '../../schema/schema.js';
import type { Connections } from './connections.js';
import type { Query } from './database.js';
import { notUnique, uniqueViolation } from './engine-error.js';
import { CLAIM_UNIQUE, RELEASE_UNIQUE, type UniqueKey, uniqueKeysOf, uniqueParameters } from './unique-values.js';

export interface UniqueClaims {
  /** The columns on which the claims depend. */
  readonly columns: readonly string[];
  /**
   * Claims the values of a row in place of those of the old row, with statements that are all sent before it returns.
   * Rejects with not_unique if another record has claimed them.
   */
  change(query: Query, old: Row | null, row: Row): Promise<void>;
  /** Releases the values of a deleted row. */
  release(query: Query, row: Row): Promise<void>;
}

/** Null: rows of the table claim nothing. */
export function createUniqueClaims(connections: Connections, table: Table): UniqueClaims | null {
  const keys = uniqueKeysOf(table);
  if (keys.length === 0) return null;
  const [claim, release] = [connections.prepare(CLAIM_UNIQUE), connections.prepare(RELEASE_UNIQUE)];
  const releaseOne = async (query: Query, key: UniqueKey, row: Row): Promise<void> => {
    const parameters = uniqueParameters(key, row);
    if (parameters !== null) await query(release, [...parameters, String(row.id)]);
  };
  const claimOne = async (query: Query, key: UniqueKey, row: Row): Promise<void> => {
    const parameters = uniqueParameters(key, row);
    if (parameters === null) return;
    try {
      await query(claim, [...parameters, String(row.id)]);
    } catch (error) {
      throw uniqueViolation(error) === null ? error : notUnique(key.columns);
    }
  };
  return {
    columns: [...new Set(keys.flatMap(columnsOf))],
    async change(query, old, row) {
      const changed = keys.filter((key) => old === null || !sameValues(key, old, row));
      const released = old === null ? [] : changed.map((key) => releaseOne(query, key, old));
      await Promise.all([...released, ...changed.map((key) => claimOne(query, key, row))]);
    },
    async release(query, row) {
      for (const key of keys) await releaseOne(query, key, row);
    },
  };
}

function sameValues(key: UniqueKey, one: Row, other: Row): boolean {
  return columnsOf(key).every((column) => (one[column] ?? null) === (other[column] ?? null));
}

function columnsOf({ columns, where }: UniqueKey): readonly string[] {
  return [...columns, ...Object.keys(where ?? {})];
}
