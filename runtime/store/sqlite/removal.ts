// Handles records that refer to a deleted record (D33): they prevent the deletion, their references are cleared first, or they
// are deleted first if no foreign key does so, such as records that were made with a deleted record (D40).
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { clearAssignments, type IncomingReference, incomingReferences, stillReferred } from '../sql/referring.js';
import { createdWithTargetSql } from '../sql/required-targets.js';
import { rowsOf, tableFor, updateOf } from '../sql/rows.js';
import { stillInUse } from '../sql/write-plan.js';
import { isForeignKey } from './engine-error.js';

/** Deletes a record. Throws conflict if a record that must stay refers to it. */
export type Remove = (id: string) => void;

/** Foreign keys delete everything else that is deleted with a record of `definition`. */
export function createRemove(db: Database.Database, composer: Composer, definition: AnyDefinition): Remove {
  const prepare = memoize((sql: string) => db.prepare<[string], string>(sql));
  const plans = memoize((name: string) => planOf(composer, definitionOf(composer.definitions, name)));
  const findRestricting = ({ restricting }: Plan, id: string) =>
    restricting
      .map(({ sql, referring }) => ({ referring, count: Number(prepare(sql).pluck().get(id)) }))
      .find(({ count }) => count > 0);
  /** Clears optional references and their proof flags (D26), and deletes the records that foreign keys leave. */
  const removeOne = (plan: Plan, id: string): void => {
    for (const sql of plan.cleared) prepare(sql).run(id);
    for (const { sql, referring } of plan.deleted) {
      for (const nested of prepare(sql).pluck().all(id)) removeNested(plans(referring.child.name), nested);
    }
    prepare(plan.deletion).run(id);
  };
  /** Records that were made with a deleted record are deleted too. */
  const removeNested = (plan: Plan, id: string): void => {
    const restricting = plan.restricting.filter(({ referring }) => referring.reference.makes === undefined);
    if (findRestricting({ ...plan, restricting }, id) !== undefined) throw stillInUse(definition);
    removeOne(plan, id);
  };
  return (id) => {
    const plan = plans(definition.name);
    const restricting = findRestricting(plan, id);
    if (restricting !== undefined) throw stillReferred(definition, restricting.referring, restricting.count);
    try {
      removeOne(plan, id);
    } catch (error) {
      throw isForeignKey(error) ? stillInUse(definition) : error;
    }
  };
}

/** Statements over the id of a record. */
interface Plan {
  /** Statements that count records that prevent a deletion. */
  readonly restricting: readonly ReferringStatement[];
  readonly cleared: readonly string[];
  /** Statements that find records to delete here; foreign keys delete the others. */
  readonly deleted: readonly ReferringStatement[];
  readonly deletion: string;
}

interface ReferringStatement {
  readonly referring: IncomingReference;
  readonly sql: string;
}

function planOf(composer: Composer, definition: AnyDefinition): Plan {
  const referring = incomingReferences(composer.definitions, definition);
  const select = (selected: string, one: IncomingReference, also: string): ReferringStatement => {
    const { child, reference } = one;
    const sql = `SELECT ${selected} FROM ${rowsOf(child)} WHERE t.${quoted(reference.column)} = ?${also}`;
    return { referring: one, sql };
  };
  const restricting = referring.filter(({ reference }) => reference.onDelete === 'restrict');
  const back = (one: IncomingReference) => createdWithTargetSql(composer, definition, one);
  return {
    restricting: restricting.map((one) => select('count(*)', one, back(one) === null ? '' : ` AND NOT ${back(one)}`)),
    cleared: referring.flatMap(({ child, reference }) => {
      const sql = `${updateOf(child, clearAssignments(reference))} WHERE t.${quoted(reference.column)} = ?`;
      return reference.onDelete === 'set_null' ? [sql] : [];
    }),
    deleted: [
      ...restricting.flatMap((one) => (back(one) === null ? [] : [select('t."id"', one, ` AND ${back(one)}`)])),
      ...referring
        .filter(({ child, reference }) => reference.onDelete === 'cascade' && !isLeftToForeignKeys(composer, child, []))
        .map((one) => select('t."id"', one, '')),
    ],
    deletion: `DELETE FROM ${tableFor(definition)} WHERE "id" = ?`,
  };
}

/**
 * False if a record was made with a record to be deleted, whose deletion its reference back would prevent; and if a reference
 * would be cleared, since foreign keys do that without its proof flag and the version.
 */
function isLeftToForeignKeys(composer: Composer, child: AnyDefinition, above: readonly AnyDefinition[]): boolean {
  if (above.includes(child)) return true;
  return incomingReferences(composer.definitions, child).every((one) => {
    const { onDelete } = one.reference;
    if (onDelete === 'restrict') return createdWithTargetSql(composer, child, one) === null;
    return onDelete === 'cascade' && isLeftToForeignKeys(composer, one.child, [...above, child]);
  });
}
