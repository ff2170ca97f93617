// Deletes records and whatever goes with them (D33). Foreign keys delete what has the same placement and needs nothing else;
// the rest is found and deleted here: across placements, with claimed values, or with bytes that are released.
import type { AnyDefinition, Row } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import type { Schema } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { isInside } from '../sql/references.js';
import { clearing, type Referring, referringTo, stillReferred } from '../sql/referring.js';
import { stillInUse } from '../sql/write-steps.js';
import { isForeignKey } from './engine-error.js';
import { releaseCall } from './file-index.js';
import { prepareNamed, type Query, run } from './named.js';
import { byPlacement, type Reading } from './record-text.js';
import { tableOf } from './table-of.js';
import { createUniqueClaims, type UniqueClaims } from './unique-claims.js';

/** Deletes the record, which the transaction has locked. Throws conflict if a record that must stay refers to it. */
export type Remove = (query: Query, definition: AnyDefinition, id: string) => Promise<void>;

interface Plan {
  readonly definition: AnyDefinition;
  readonly claims: UniqueClaims;
  readonly restricting: readonly Referring[];
  readonly cleared: readonly Referring[];
  /** Whose records are deleted here; foreign keys delete the others. */
  readonly deleted: readonly Referring[];
}

export function createRemove(reading: Reading, schema: Schema): Remove {
  const prepare = memoize((sql: string) => prepareNamed(reading.connections, sql));
  const plans = memoize((resource: string) => planOf(reading, schema, definitionOf(reading.definitions, resource)));
  const rows = (query: Query, sql: string, placement: string, ids: readonly string[]) =>
    run(query, prepare(sql)({ placement, ids }));

  const countReferring = async (
    query: Query,
    { child, reference }: Referring,
    placement: string,
    ids: readonly string[],
  ) => {
    const sql = `SELECT count(*) AS "count" FROM ${referringRows({ child, reference })}`;
    const [counted] = await rows(query, sql, placement, ids);
    return Number(counted?.count);
  };
  const removeAll = async (query: Query, plan: Plan, placement: string, ids: readonly string[]): Promise<void> => {
    for (const one of plan.cleared) {
      const { child, reference } = one;
      const sql = `UPDATE ${quoted(child.name)} t SET ${clearing(reference)} WHERE ${refersTo(one)}`;
      await rows(query, sql, placement, ids);
    }
    for (const one of plan.deleted) {
      const found = await rows(query, `SELECT t."id" FROM ${referringRows(one)}`, placement, ids);
      await removeNested(
        query,
        plans(one.child.name),
        found.map(({ id }) => String(id)),
      );
    }
    const returned = ['id', ...plan.claims.columns, ...(plan.definition.upload ? ['content_hash'] : [])];
    const sql =
      `DELETE FROM ${quoted(plan.definition.name)} t WHERE t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids) ` +
      `RETURNING ${returned.map((column) => `t.${quoted(column)}`).join(', ')}`;
    for (const row of (await rows(query, sql, placement, ids)) as readonly Row[]) {
      await plan.claims.release(query, row);
      if (typeof row.content_hash === 'string') await run(query, releaseCall(reading.connections, row.content_hash));
    }
  };
  const removeNested = async (query: Query, plan: Plan, all: readonly string[]): Promise<void> => {
    for (const [placement, ids] of byPlacement(all)) {
      for (const one of plan.restricting) {
        if ((await countReferring(query, one, placement, ids)) > 0) throw stillInUse(plan.definition);
      }
      await removeAll(query, plan, placement, ids);
    }
  };

  return async (query, definition, id) => {
    const plan = plans(definition.name);
    for (const [placement, ids] of byPlacement([id])) {
      for (const one of plan.restricting) {
        const count = await countReferring(query, one, placement, ids);
        if (count > 0) throw stillReferred(definition, one.child, count);
      }
      try {
        await removeAll(query, plan, placement, ids);
      } catch (error) {
        throw isForeignKey(error) ? stillInUse(definition) : error;
      }
    }
  };
}

function planOf(reading: Reading, schema: Schema, definition: AnyDefinition): Plan {
  const referring = referringTo(reading.definitions, definition);
  const of = (onDelete: Referring['reference']['onDelete']) =>
    referring.filter(({ reference }) => reference.onDelete === onDelete);
  return {
    definition,
    claims: createUniqueClaims(reading.connections, tableOf(schema, definition)),
    restricting: of('restrict'),
    cleared: of('set_null'),
    deleted: of('cascade').filter((one) => !isLeftToForeignKeys(reading, schema, one, [])),
  };
}

/** True where a foreign key deletes the record, and nothing else has to be done about it or about what goes with it. */
function isLeftToForeignKeys(
  reading: Reading,
  schema: Schema,
  { child, reference }: Referring,
  above: readonly AnyDefinition[],
): boolean {
  if (!isInside(child, reference.column) || child.upload !== null || above.includes(child)) return false;
  if (createUniqueClaims(reading.connections, tableOf(schema, child)).columns.length > 0) return false;
  return referringTo(reading.definitions, child).every((one) => {
    const { onDelete, column } = one.reference;
    if (onDelete === 'restrict') return isInside(one.child, column);
    return onDelete === 'cascade' && isLeftToForeignKeys(reading, schema, one, [...above, child]);
  });
}

/** The rows as `t` that refer to one of `@ids`: those of their shard, or of any. */
function referringRows(referring: Referring): string {
  return `${quoted(referring.child.name)} t WHERE ${refersTo(referring)}`;
}

function refersTo({ child, reference: { column } }: Referring): string {
  const refers = `t.${quoted(column)} = ANY(@ids)`;
  return isInside(child, column) ? `t.${quoted(SHARD)} = @placement AND ${refers}` : refers;
}
