// Deletes records and everything that is deleted with them (D33). Foreign keys delete records of the same placement that need
// nothing else; others are found and deleted here: across placements, with claimed values, or with bytes to be released.

import type { AnyDefinition, Row } from '../../contract/definition.js';
import { byPlacement, idOf, type PlacedIds } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import type { Schema } from '../../schema/schema.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { isInside } from '../sql/references.js';
import { clearAssignments, type IncomingReference, incomingReferences, stillReferred } from '../sql/referring.js';
import { createdWithTargetSql } from '../sql/required-targets.js';
import { rowsOf, tableFor, updateOf } from '../sql/rows.js';
import { stillInUse } from '../sql/write-plan.js';
import type { Row as Selected } from './connections.js';
import { type NamedValues, prepareNamed, type Query, run } from './database.js';
import { isForeignKey } from './engine-error.js';
import { releaseCall } from './file-index.js';
import type { ReadContext } from './record-text.js';
import { tableOf } from './table-of.js';
import { createUniqueClaims, type UniqueClaims } from './unique-claims.js';

/** Deletes a record that the transaction has locked. Throws conflict if a record that must stay refers to it. */
export type Remove = (query: Query, definition: AnyDefinition, id: string) => Promise<void>;

interface RemovalContext {
  readonly query: Query;
  /** The definition of the record that the caller deletes. */
  readonly root: AnyDefinition;
}

/** Runs a statement about a reference, only at placements where records hold it. */
type Uses = (one: ReferringStatement) => Promise<readonly Selected[]>;

interface ReferringStatement {
  readonly referring: IncomingReference;
  readonly sql: string;
}

/** Statements over `@ids` of one `@placement`; for references across placements, over the `@placements` of their uses. */
interface Plan {
  /** Finds the placements of records that refer across placements, and by which reference; null: there is no such reference. */
  readonly uses: string | null;
  /**
   * Locks records of one placement, which were found without a lock; otherwise clearing references would miss a change that is
   * about to refer to one of them. It is a separate statement, since Citus locks rows of one shard only.
   */
  readonly lock: string;
  /** Null: the record claims nothing. */
  readonly claims: UniqueClaims | null;
  /** Statements that count records that prevent a deletion. */
  readonly restricting: readonly ReferringStatement[];
  /** Statements that clear a reference. */
  readonly cleared: readonly ReferringStatement[];
  /** Statements that find records to delete here; foreign keys delete the others. */
  readonly deleted: readonly ReferringStatement[];
  /** The statement that deletes records of one placement, and returns the values and bytes to release. */
  readonly deletion: string;
}

export function createRemove(reading: ReadContext, schema: Schema): Remove {
  const prepare = memoize((sql: string) => prepareNamed(reading.connections, sql));
  const plans = memoize((resource: string) => planOf(reading, schema, definitionOf(reading.definitions, resource)));
  const rows = (query: Query, sql: string, bound: NamedValues) => run(query, prepare(sql)(bound));

  /** N27: one statement reads every shard; all others read shards that hold a use. */
  const findUses = async (query: Query, { uses }: Plan, placed: PlacedIds): Promise<Uses> => {
    const existing = uses === null ? [] : await rows(query, uses, { ids: placed.ids });
    return async (one) => {
      const { child, reference } = one.referring;
      const placements = existing.flatMap(({ use, shard }) => (use === useOf(one.referring) ? [String(shard)] : []));
      if (placements.length === 0 && !isInside(child, reference.column)) return [];
      return rows(query, one.sql, { ...placed, placements });
    };
  };
  /** The first reference that prevents a deletion. */
  const findRestricting = async (uses: Uses, restricting: Plan['restricting']) => {
    const counts = restricting.map(async (one) => {
      const [row] = await uses(one);
      return { referring: one.referring, count: Number(row?.count ?? 0) };
    });
    return (await Promise.all(counts)).find(({ count }) => count > 0);
  };
  const removeAll = async (work: RemovalContext, plan: Plan, uses: Uses, placed: PlacedIds): Promise<void> => {
    const { query } = work;
    await Promise.all(plan.cleared.map(uses));
    for (const one of plan.deleted) await removeNested(work, plans(one.referring.child.name), idsOf(await uses(one)));
    for (const row of (await rows(query, plan.deletion, placed)) as readonly Row[]) {
      await plan.claims?.release(query, row);
      if (typeof row.content_hash === 'string') await run(query, releaseCall(reading.connections, row.content_hash));
    }
  };
  /** Records that were made with a deleted record are deleted too. */
  const removeNested = async (work: RemovalContext, plan: Plan, all: readonly string[]): Promise<void> => {
    for (const placed of byPlacement(all)) {
      await rows(work.query, plan.lock, placed);
      const uses = await findUses(work.query, plan, placed);
      const others = plan.restricting.filter(({ referring }) => referring.reference.makes === undefined);
      if ((await findRestricting(uses, others)) !== undefined) throw stillInUse(work.root);
      await removeAll(work, plan, uses, placed);
    }
  };

  return async (query, definition, id) => {
    const plan = plans(definition.name);
    const { placement, id: one } = idOf(id);
    const placed = { placement, ids: [one] };
    const uses = await findUses(query, plan, placed);
    const restricting = await findRestricting(uses, plan.restricting);
    if (restricting !== undefined) throw stillReferred(definition, restricting.referring, restricting.count);
    try {
      await removeAll({ query, root: definition }, plan, uses, placed);
    } catch (error) {
      throw isForeignKey(error) ? stillInUse(definition) : error;
    }
  };
}

function idsOf(rows: readonly Selected[]): readonly string[] {
  return rows.map(({ id }) => String(id));
}

function planOf(reading: ReadContext, schema: Schema, definition: AnyDefinition): Plan {
  const referring = incomingReferences(reading.definitions, definition);
  const of = (onDelete: IncomingReference['reference']['onDelete']) =>
    referring.filter(({ reference }) => reference.onDelete === onDelete);
  const claims = createUniqueClaims(reading.connections, tableOf(schema, definition));
  const returned = ['id', ...(claims?.columns ?? []), ...(definition.upload ? ['content_hash'] : [])];
  const whereListed = `WHERE t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids)`;
  return {
    uses: usesStatement(referring),
    lock: `SELECT t."id" FROM ${rowsOf(definition)} ${whereListed} ORDER BY t."id" FOR UPDATE`,
    claims,
    restricting: of('restrict').map((one) =>
      ofReferring('count(*) AS "count"', one, andNot(createdWithTargetSql(reading, definition, one))),
    ),
    cleared: of('set_null').map((one) => ({
      referring: one,
      sql: `${updateOf(one.child, clearAssignments(one.reference))} WHERE ${refersTo(one)}`,
    })),
    deleted: [
      ...of('cascade')
        .filter((one) => !isLeftToForeignKeys(reading, schema, one, []))
        .map((one) => ofReferring('t."id"', one)),
      ...of('restrict').flatMap((one) => {
        const isMadeBack = createdWithTargetSql(reading, definition, one);
        return isMadeBack === null ? [] : [ofReferring('t."id"', one, ` AND ${isMadeBack}`)];
      }),
    ],
    deletion:
      `DELETE FROM ${tableFor(definition)} t ${whereListed} ` +
      `RETURNING ${returned.map((column) => `t.${quoted(column)}`).join(', ')}`,
  };
}

/** True if a foreign key deletes the record, and neither it nor the records deleted with it need anything else. */
function isLeftToForeignKeys(
  reading: ReadContext,
  schema: Schema,
  { child, reference }: IncomingReference,
  above: readonly AnyDefinition[],
): boolean {
  if (!isInside(child, reference.column) || child.upload !== null || above.includes(child)) return false;
  if (createUniqueClaims(reading.connections, tableOf(schema, child)) !== null) return false;
  return incomingReferences(reading.definitions, child).every((one) => {
    const { onDelete, column } = one.reference;
    if (onDelete === 'restrict')
      return isInside(one.child, column) && createdWithTargetSql(reading, child, one) === null;
    return onDelete === 'cascade' && isLeftToForeignKeys(reading, schema, one, [...above, child]);
  });
}

function ofReferring(selected: string, referring: IncomingReference, also = ''): ReferringStatement {
  const sql = `SELECT ${selected} FROM ${rowsOf(referring.child)} WHERE ${refersTo(referring)}${also}`;
  return { referring, sql };
}

function andNot(condition: string | null): string {
  return condition === null ? '' : ` AND NOT ${condition}`;
}

/** Condition: the row `t` refers to one of `@ids`, within `@placement` or from the placements that hold a use. */
function refersTo({ child, reference: { column } }: IncomingReference): string {
  const placed = isInside(child, column) ? '= @placement' : '= ANY(@placements)';
  return `t.${quoted(SHARD)} ${placed} AND t.${quoted(column)} = ANY(@ids)`;
}

/** Finds the uses of all references across placements. Grouped by placement, it runs as one statement on each shard of Citus. */
function usesStatement(referring: readonly IncomingReference[]): string | null {
  const across = referring.filter(({ child, reference }) => !isInside(child, reference.column));
  if (across.length === 0) return null;
  const parts = across.map((one) => {
    const [shard, use] = [`t.${quoted(SHARD)} AS "shard"`, `${literal(useOf(one))} AS "use"`];
    const { child, reference } = one;
    return `SELECT ${shard}, ${use} FROM ${rowsOf(child)} WHERE t.${quoted(reference.column)} = ANY(@ids)`;
  });
  return `SELECT u."shard", u."use" FROM (${parts.join(' UNION ALL ')}) u GROUP BY u."shard", u."use"`;
}

function useOf({ child, reference }: IncomingReference): string {
  return `${child.name}.${reference.column}`;
}
