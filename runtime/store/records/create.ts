// Creates a record, or, if the definition says so, updates the existing record that it matches.

import type { AnyDefinition, Row, WriteContext } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { FIRST_VERSION } from '../../schema/version.js';
import type { Change, Created } from '../records.js';
import type { Composer } from '../sql/access.js';
import { allOf } from '../sql/conditions.js';
import { type NewRow, NO_REQUIRED_TARGETS, planRequiredTargets } from '../sql/required-targets.js';
import { rowsOf } from '../sql/rows.js';
import { newId, planWrite, requireText, type WritePlan, writeContext, writtenRow } from '../sql/write-plan.js';
import type { Pending, Unit } from '../unit.js';
import { carryOut, withCopiedColumns } from './carry-out.js';
import { readNeighbours } from './neighbours.js';
import { referenceFailures } from './reference-failures.js';
import type { Resource } from './resource.js';
import { carryOutUpdate, planUpdate } from './update.js';

/** @returns the record as its creator sees it */
export function* create(unit: Unit, resource: Resource, change: Change): Pending<Created> {
  return yield* carryOutCreate(unit, resource, yield* planCreate(unit, resource, change));
}

/** The writes of a create: a new record and the records made with it (D40), or a change of the existing record. */
export interface PlannedCreate {
  readonly change: Change;
  readonly plan: WritePlan;
  readonly targets: readonly NewRow[];
}

/** Throws everything that is wrong with the change. */
export function* planCreate(unit: Unit, resource: Resource, change: Change): Pending<PlannedCreate> {
  const existingId = resource.existing && (yield* findExisting(unit, resource, resource.existing, change));
  if (existingId !== null) return { change, plan: yield* planUpdate(unit, resource, existingId, change), targets: [] };
  const { definition, behaviour, composer, ids, place, creatingReferences } = resource;
  const context = writeContext(resource, change, newId(ids, place, change));
  const failures = yield* referenceFailures(unit, resource, change, null);
  const required =
    creatingReferences.length === 0
      ? NO_REQUIRED_TARGETS
      : planRequiredTargets(composer.definitions, ids, creatingReferences, context);
  const row = writtenRow({ old: null, failures }, { definition, change, context, targetColumns: required.columns });
  const read = definition.reads && (yield* readNeighbours(unit, resource, definition.reads, row));
  const plan = planWrite(null, row, { definition, behaviour, now: change.now, read });
  return { change, plan: { ...plan, row: yield* withCopiedColumns(unit, resource, plan.row) }, targets: required.rows };
}

export function* carryOutCreate(
  unit: Unit,
  resource: Resource,
  { change, plan, targets }: PlannedCreate,
): Pending<Created> {
  const { caller, now } = change;
  const id = String(plan.row.id);
  if (plan.guard !== null) return { id, ...(yield* carryOutUpdate(unit, resource, plan, change)), existed: true };
  yield* carryOut(unit, resource, plan, { caller, action: 'create', now }, targets);
  const viewer = caller.admin ? 'adminCreator' : 'creator';
  const text = requireText(yield* unit.textOf(resource.definition.name, viewer, plan.row, caller.user));
  return { id, text, version: FIRST_VERSION };
}

/** The statement that finds an existing record for a create, over `@placement` and the columns; null: there never is one. */
export function existingStatement({ dialect }: Composer, definition: AnyDefinition): string | null {
  const { existing } = definition;
  if (existing === undefined) return null;
  const equal = existing.map((column) => `t.${quoted(column)} = @${column}`);
  const where = dialect.where(allOf([dialect.placed('t', '@placement'), ...equal]));
  return `SELECT t."id" AS "id" FROM ${rowsOf(definition)} WHERE ${where}`;
}

/** The id of the record that a create updates instead; null: there is none. */
function* findExisting(unit: Unit, resource: Resource, sql: string, change: Change): Pending<string | null> {
  if (change.failures.length > 0) return null;
  const row = yield* unit.row(sql, existingValues(resource, change, writeContext(resource, change, '')));
  return row === undefined ? null : String(row.id);
}

/** The values that identify the existing record: those of the row that the create would store. */
function existingValues({ definition, place }: Resource, { input }: Change, context: WriteContext): Row {
  const row = definition.handlers.create(input, context);
  const values = (definition.existing ?? []).map((column) => [column, row[column] ?? null] as const);
  return { ...Object.fromEntries(values), placement: placementOf(String(row[place?.column ?? ''] ?? '')) };
}
