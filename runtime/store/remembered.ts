// Counts the sessions, API keys and web hooks that remember each version of the API (D68), so that no version in use is dropped.

import type { AnyDefinition } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import { API_KEYS } from '../contract/needs.js';
import { MODULE } from '../rules/hooks.js';
import { fieldFor } from '../schema/check-needs.js';
import { rowsOf } from './sql/rows.js';
import { awaitAll, type Database } from './unit.js';

export interface RememberedVersion {
  readonly version: string;
  /** `session`, or a resource. */
  readonly by: string;
  readonly count: number;
}

/** Reads all shards. */
export type CountRemembered = (now: number) => MaybePromise<readonly RememberedVersion[]>;

export function createCountRemembered({ read }: Database, definitions: readonly AnyDefinition[]): CountRemembered {
  const statements = rememberedStatements(definitions);
  return (now) =>
    read(function* (queries) {
      const counts = yield* awaitAll(statements.map((sql) => queries.rows<RememberedVersion>(sql, { now })));
      return counts.flat().map((one) => ({ ...one, count: Number(one.count) }));
    });
}

export function rememberedStatements(definitions: readonly AnyDefinition[]): readonly string[] {
  const remembering = definitions.filter(
    (one) => (one.name === API_KEYS || one.servedBy === MODULE) && fieldFor(one, 'api_version') !== null,
  );
  const tables = [
    ['session', 'session t', ' AND t.expires > @now'],
    ...remembering.map((one) => [one.name, rowsOf(one), '']),
  ];
  return tables.map(
    ([by, from, live]) =>
      `SELECT t.api_version AS version, '${by}' AS "by", count(*) AS "count" FROM ${from} ` +
      `WHERE t.api_version <> 'default'${live} GROUP BY t.api_version`,
  );
}
