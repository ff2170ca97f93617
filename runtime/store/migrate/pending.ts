// Obstacles to a migration, found and described alike on every engine.
import type { Risk } from '../../schema/plan.js';
import type { CountedRisk, PendingMigration } from '../schema-migrator.js';
import { StartError } from '../start-error.js';
import type { Pending, Queries } from '../unit.js';
import { countRows } from './dropped.js';

/** The plan of a database that has the schema already. */
export const NO_STEPS = { changes: [], risks: [], steps: [], drops: [] };

/** The most rows of a risk that are named. */
export const MAX_NAMED_ROWS = 10;

/** @param rows SQL of the rows that a plan cannot keep as they are */
export function* countRisk<R extends Risk>(queries: Queries, risk: R, rows: string): Pending<CountedRisk & R> {
  const count = yield* countRows(queries, rows);
  const named = count === 0 ? [] : yield* queries.rows(`${rows} ORDER BY "id" LIMIT ${MAX_NAMED_ROWS}`, {});
  return { ...risk, count, ids: named.map(({ id }) => String(id)) };
}

/** The reasons to refuse steps that would lose columns added by hand, `box.extra`. */
export function lostColumns(columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return [];
  const many = columns.length > 1 ? 'columns' : 'the column';
  return [
    `${many} ${columns.join(', ')}, added by hand, would be lost with their values: copy them elsewhere and drop the old ones first`,
  ];
}

export interface MigrationPermit {
  /** Throws if the plan must not be applied. Called before anything changes. */
  readonly permit: (pending: PendingMigration) => void;
}

/** Also throws StartError if something added by hand prevents the plan. */
export function assertPermitted({ permit }: MigrationPermit, pending: PendingMigration): void {
  permit(pending);
  if (pending.manualConflicts.length > 0)
    throw new StartError(`nothing was changed: ${pending.manualConflicts.join('; ')}`);
}

/** Counts the steps. @param onStep called with the number of each step, for tests that kill the process there */
export function stepCounter(onStep: (step: number) => void = () => undefined): () => void {
  let step = 0;
  return () => onStep(step++);
}
