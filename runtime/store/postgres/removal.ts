// Deletes records and whatever goes with them (D33). Foreign keys delete what has the same placement and needs nothing else;
// the rest is found and deleted here: across placements, with claimed values, or with bytes that are released.
import type { AnyDefinition, Row } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import type { Schema } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { madeBack } from '../sql/made.js';
import { isInside } from '../sql/references.js';
import { clearing, type Referring, referringTo, stillReferred } from '../sql/referring.js';
import { stillInUse } from '../sql/write-steps.js';
import { byPlacement } from './by-placement.js';
import type { Row as Selected } from './connections.js';
import { isForeignKey } from './engine-error.js';
import { releaseCall } from './file-index.js';
import { prepareNamed, type Query, run } from './named.js';
import { idOf } from './record-statements.js';
import type { Reading } from './record-text.js';
import { tableOf } from './table-of.js';
import { createUniqueClaims, type UniqueClaims } from './unique-claims.js';

/** Deletes the record, which the transaction has locked. Throws conflict if a record that must stay refers to it. */
export type Remove = (query: Query, definition: AnyDefinition, id: string) => Promise<void>;

interface Work {
  readonly query: Query;
  /** Whose record is deleted, and others with it. */
  readonly root: AnyDefinition;
}

interface OfReferring {
  readonly referring: Referring;
  readonly sql: string;
}

/** The statements, over `@ids` of one `@placement`. */
interface Plan {
  /**
   * Locks records of one placement. They are found unlocked; without it, a change that is about to refer to one of them would
   * not be seen when references are cleared. A statement of its own, since Citus locks rows of one shard only.
   */
  readonly lock: string;
  readonly claims: UniqueClaims;
  /** Each counts the records that prevent a deletion. */
  readonly restricting: readonly OfReferring[];
  /** The statements that clear references. */
  readonly cleared: readonly string[];
  /** Each finds the records that are deleted here; foreign keys delete the others. */
  readonly deleted: readonly OfReferring[];
  /** The statement that deletes records of one placement, and returns what has to be released. */
  readonly deletion: string;
}

export function createRemove(reading: Reading, schema: Schema): Remove {
  const prepare = memoize((sql: string) => prepareNamed(reading.connections, sql));
  const plans = memoize((resource: string) => planOf(reading, schema, definitionOf(reading.definitions, resource)));
  const rows = (query: Query, sql: string, placement: string, ids: readonly string[]) =>
    run(query, prepare(sql)({ placement, ids }));

  /** The first of those that prevent a deletion. */
  const findRestricting = async (
    query: Query,
    restricting: Plan['restricting'],
    placement: string,
    ids: readonly string[],
  ) => {
    const counts = restricting.map(async ({ referring, sql }) => {
      const [row] = await rows(query, sql, placement, ids);
      return { referring, count: Number(row?.count) };
    });
    return (await Promise.all(counts)).find(({ count }) => count > 0);
  };
  const removeAll = async (work: Work, plan: Plan, placement: string, ids: readonly string[]): Promise<void> => {
    const { query } = work;
    await Promise.all(plan.cleared.map((sql) => rows(query, sql, placement, ids)));
    for (const { referring, sql } of plan.deleted) {
      await removeNested(work, plans(referring.child.name), idsOf(await rows(query, sql, placement, ids)));
    }
    for (const row of (await rows(query, plan.deletion, placement, ids)) as readonly Row[]) {
      await plan.claims.release(query, row);
      if (typeof row.content_hash === 'string') await run(query, releaseCall(reading.connections, row.content_hash));
    }
  };
  /** What was made with one that is deleted goes too. */
  const removeNested = async (work: Work, plan: Plan, all: readonly string[]): Promise<void> => {
    for (const { shard: placement, ids } of byPlacement(all)) {
      await rows(work.query, plan.lock, placement, ids);
      const others = plan.restricting.filter(({ referring }) => referring.reference.makes === undefined);
      if ((await findRestricting(work.query, others, placement, ids)) !== undefined) throw stillInUse(work.root);
      await removeAll(work, plan, placement, ids);
    }
  };

  return async (query, definition, id) => {
    const plan = plans(definition.name);
    const { placement, id: one } = idOf(id);
    const restricting = await findRestricting(query, plan.restricting, placement, [one]);
    if (restricting !== undefined) throw stillReferred(definition, restricting.referring, restricting.count);
    try {
      await removeAll({ query, root: definition }, plan, placement, [one]);
    } catch (error) {
      throw isForeignKey(error) ? stillInUse(definition) : error;
    }
  };
}

function idsOf(rows: readonly Selected[]): readonly string[] {
  return rows.map(({ id }) => String(id));
}

function planOf(reading: Reading, schema: Schema, definition: AnyDefinition): Plan {
  const referring = referringTo(reading.definitions, definition);
  const of = (onDelete: Referring['reference']['onDelete']) =>
    referring.filter(({ reference }) => reference.onDelete === onDelete);
  const claims = createUniqueClaims(reading.connections, tableOf(schema, definition));
  const returned = ['id', ...claims.columns, ...(definition.upload ? ['content_hash'] : [])];
  const these = `t WHERE t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids)`;
  return {
    lock: `SELECT t."id" FROM ${quoted(definition.name)} ${these} ORDER BY t."id" FOR UPDATE`,
    claims,
    restricting: of('restrict').map((one) =>
      ofReferring('count(*) AS "count"', one, andNot(madeBack(reading, definition, one))),
    ),
    cleared: of('set_null').map(
      (one) => `UPDATE ${quoted(one.child.name)} t SET ${clearing(one.reference)} WHERE ${refersTo(one)}`,
    ),
    deleted: [
      ...of('cascade')
        .filter((one) => !isLeftToForeignKeys(reading, schema, one, []))
        .map((one) => ofReferring('t."id"', one)),
      ...of('restrict').flatMap((one) => {
        const made = madeBack(reading, definition, one);
        return made === null ? [] : [ofReferring('t."id"', one, ` AND ${made}`)];
      }),
    ],
    deletion:
      `DELETE FROM ${quoted(definition.name)} ${these} ` +
      `RETURNING ${returned.map((column) => `t.${quoted(column)}`).join(', ')}`,
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
    if (onDelete === 'restrict') return isInside(one.child, column) && madeBack(reading, child, one) === null;
    return onDelete === 'cascade' && isLeftToForeignKeys(reading, schema, one, [...above, child]);
  });
}

function ofReferring(selected: string, referring: Referring, also = ''): OfReferring {
  const sql = `SELECT ${selected} FROM ${quoted(referring.child.name)} t WHERE ${refersTo(referring)}${also}`;
  return { referring, sql };
}

function andNot(condition: string | null): string {
  return condition === null ? '' : ` AND NOT ${condition}`;
}

/** The row `t` refers to one of `@ids`; across placements, rows of any shard may. */
function refersTo({ child, reference: { column } }: Referring): string {
  const refers = `t.${quoted(column)} = ANY(@ids)`;
  return isInside(child, column) ? `t.${quoted(SHARD)} = @placement AND ${refers}` : refers;
}
