// The interface to the schema of a database: how it differs from the server's schema, and its migration.

import type { OperatorChange } from '../contract/audit.js';
import type { AnyDefinition } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { ChangeClass, Plan, Risk, SchemaStep } from '../schema/plan.js';
import type { Schema } from '../schema/schema.js';
import type { Progress } from './progress.js';

/** Times are epoch milliseconds. */
export interface SchemaMigrator {
  /** The steps that led to the database's schema, oldest first, and the values kept aside. */
  current(): MaybePromise<CurrentSchema>;
  /**
   * Null if the database is empty. Throws StartError if it belongs to another program or to a newer schema.
   * @param adopt as for `apply`
   */
  plan(next: Schema, adopt?: boolean): MaybePromise<PendingMigration | null>;
  /**
   * Migrates the database to the schema, creating all tables of an empty one: on SQLite in one transaction, on PostgreSQL step
   * by step, continuing where an earlier call was interrupted.
   * @param allow drops and filled nulls, `drop:boxtop.top_id`, `fill:boxtop.quantity`; throws CommandError without them
   * @param change the author, for the audit log
   */
  apply(
    next: Schema,
    allow: readonly string[],
    change: OperatorChange,
    how?: ApplyMode,
  ): MaybePromise<readonly SchemaStep[]>;
  /** Applies the plan to a copy, drops included, and compares; the database itself is only read. */
  rehearse(next: Schema, now: number): MaybePromise<Rehearsal>;
  /**
   * Restores the values dropped under a name, the newest drop first. Throws CommandError if none are kept aside.
   * @param name `<resource>.<field>`, or `<resource>` for its rows
   */
  restore(name: string): MaybePromise<readonly RestoredDrop[]>;
  /** Permanently removes values dropped before that time. */
  purge(before: number): MaybePromise<readonly KeptDrop[]>;
}

export interface ApplyMode {
  /** Also distributes the tables over the nodes of Citus; throws CommandError if there is no Citus. */
  readonly distribute?: boolean;
  /** Matches the database by names, since another branch has migrated it; the revision does not matter. */
  readonly adopt?: boolean;
}

export interface MigratorAccess {
  /** `alone` locks out servers of a database in a file. */
  readonly access: 'read' | 'alone';
  /** All generated definitions; none if only values kept aside are needed. */
  readonly definitions: readonly AnyDefinition[];
  /** Shows the progress of `apply` and `rehearse`. */
  readonly progress?: Progress | undefined;
}

export interface CurrentSchema {
  readonly applied: readonly AppliedStep[];
  readonly kept: readonly KeptDrop[];
}

export interface AppliedStep {
  readonly applied: number;
  readonly class: ChangeClass;
  readonly says: string;
}

/** Values of one drop that are kept aside. */
export interface KeptDrop {
  /** The name that allowed the drop: `boxtop`, or `boxtop.top_id` for a column. */
  readonly name: string;
  readonly rows: number;
  readonly dropped: number;
}

export interface CountedRisk extends Risk {
  readonly count: number;
  /** At most ten ids. */
  readonly ids: readonly string[];
}

export interface PendingMigration {
  /** The schema to which the database was last migrated. */
  readonly from: Schema;
  readonly plan: Plan;
  readonly risks: readonly CountedRisk[];
  /** The risks that rows of this database break. */
  readonly broken: readonly CountedRisk[];
  /** The reasons to refuse the steps because of objects that an operator added by hand. */
  readonly manualConflicts: readonly string[];
  /** The tables and columns whose numbers mean something else in the schema, `box.size`: the database ran another branch. */
  readonly foreign: readonly string[];
  /** Steps that would break servers of the previous version, so that no start applies them; none on SQLite. */
  readonly offline: readonly SchemaStep[];
}

export interface Rehearsal {
  readonly rows: number;
  readonly tables: number;
  /** Milliseconds that the plan took. */
  readonly duration: number;
  /** Unexpected differences, one line each. */
  readonly findings: readonly string[];
}

export interface RestoredDrop {
  readonly drop: KeptDrop;
  readonly restored: number;
  /** References of restored rows that stay empty because their target does not exist. */
  readonly unlinked: number;
}

/** True if rows prevent the plan. */
export function isBlocking({ count, harmless }: CountedRisk): boolean {
  return count > 0 && harmless !== true;
}

/** True if nothing is lost, and neither a row nor an object added by hand prevents the plan. */
export function isSafe({ plan, broken, manualConflicts, foreign }: PendingMigration): boolean {
  return broken.length === 0 && plan.drops.length === 0 && manualConflicts.length === 0 && foreign.length === 0;
}

/** True if the next start applies the plan by itself. */
export function isAppliedAtStart(pending: PendingMigration): boolean {
  return isSafe(pending) && pending.offline.length === 0;
}

/** True if no permission would make the plan apply. */
export function isRefused({ broken, manualConflicts, foreign }: PendingMigration): boolean {
  return manualConflicts.length > 0 || foreign.length > 0 || broken.some(({ allow }) => allow === null);
}

/** Explains the refusal of a plan because of another branch's numbers, and what to do. */
export function foreignText(foreign: readonly string[]): string {
  return `the database ran another branch, which gave the numbers of ${foreign.join(', ')} to something else: run \`punchboard migrate adopt\`, which matches it by names`;
}

/** `box.name does not fit the limit 1 to 8 characters in 2 rows (a, b)`. */
export function brokenText({ table, column, says, count, ids }: CountedRisk): string {
  const subject = `${column === null ? table : `${table}.${column}`} ${says}`;
  const more = count > ids.length ? ', …' : '';
  const rows = `${count} ${count === 1 ? 'row' : 'rows'} (${ids.join(', ')}${more})`;
  return `${subject} in ${rows}`;
}
