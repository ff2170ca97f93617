// The effects of a write, always in this order: the row, the records made with it, the audit log, the events.

import type { AnyDefinition } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { auditOf, type RowChange } from '../audit.js';
import type { Caller } from '../records.js';
import { byPlacement } from '../sql/by-placement.js';
import { allOf } from '../sql/conditions.js';
import { idOf } from '../sql/ids.js';
import {
  type CreatingReference,
  creatingReferences,
  type NewRow,
  planRequiredTargets,
} from '../sql/required-targets.js';
import { oneRow, rowsOf, updateOf } from '../sql/rows.js';
import { secretGenerator, type WritePlan } from '../sql/write-plan.js';
import { NOTHING, type Pending, type Unit } from '../unit.js';
import { isDemotion, keepAdministrator } from './administrators.js';
import { withCopiedColumns } from './copied-columns.js';
import type { Resource, Resources } from './resource.js';

/** The caller, the name and the time of a change. */
export interface WriteOrigin {
  readonly caller: Caller;
  readonly action: string;
  readonly now: number;
}

/** @param targets records that are made with a new one */
export function* carryOut(
  unit: Unit,
  resource: Resource,
  plan: WritePlan,
  by: WriteOrigin,
  targets: readonly NewRow[] = [],
): Pending<void> {
  const { definition } = resource;
  const { row, guard: old, events, neighbours } = plan;
  for (const { definition: of, old: before, row: after, changed } of neighbours) {
    unit.update(of.name, before, after, changed);
    yield* report(unit, of, { old: before, row: after, events: [] }, by);
  }
  yield* keepAdministrator(unit, resource, isDemotion(definition, { old, row }), () => store(unit, definition, plan));
  yield* insertRows(unit, resource, targets);
  yield* report(unit, definition, { old, row, events }, by);
}

function store(unit: Unit, { name }: AnyDefinition, { row, guard: old, changed }: WritePlan): Pending<void> {
  if (old === null) unit.insert(name, row);
  else unit.update(name, old, row, changed);
  return NOTHING;
}

interface StoredChange extends RowChange {
  readonly events: readonly unknown[];
}

/** Reports a stored change to the audit log and to the hooks that are subscribed to its events. */
export function* report(
  unit: Unit,
  definition: AnyDefinition,
  { events, ...change }: StoredChange,
  { caller, action, now }: WriteOrigin,
): Pending<void> {
  const { author, trace } = caller;
  if (author !== undefined) unit.audit(auditOf(definition, { author, action, now }, change));
  if (events.length > 0) yield* unit.publish(events, now, trace);
}

/** Inserts rows, each after the rows to which it refers. */
function* insertRows(unit: Unit, { at }: Resource, rows: readonly NewRow[]): Pending<void> {
  for (const { definition, row } of rows)
    unit.insert(definition.name, yield* withCopiedColumns(unit, at(definition.name), row));
}

/** The number of rows that one query looks for. */
const BATCH = 1000;

export interface CarryOutContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Runs a statement outside of a transaction, since most starts find nothing to do. */
  readonly rows: Unit['rows'];
  transact<T>(work: (unit: Unit) => Pending<T>): Pending<T>;
}

/** Creates missing records, some at a time: after an interruption, the next start continues. Several servers may do so. */
export function* createAllMissingTargets(
  at: Resources,
  definitions: readonly AnyDefinition[],
  context: CarryOutContext,
): Pending<void> {
  for (const definition of definitions) {
    for (const reference of creatingReferences(definition))
      yield* createMissingTargetsOf(at(definition.name), reference, context);
  }
}

function* createMissingTargetsOf(
  resource: Resource,
  reference: CreatingReference,
  context: CarryOutContext,
): Pending<void> {
  const { missing } = statements(resource, reference);
  for (let count = BATCH; count === BATCH; ) {
    const ids = (yield* context.rows(missing, {})).map(({ id }) => String(id));
    const groups = resource.composer.dialect.isPlaced ? byPlacement(ids) : ids.length > 0 ? [{ ids }] : [];
    for (const group of groups) {
      yield* context.transact((unit) =>
        createSomeTargets(unit, resource, reference, { ids: group.ids, now: context.now }),
      );
    }
    count = ids.length;
  }
}

/** Creates the missing records for rows of one placement, except for rows that have them by now. */
function* createSomeTargets(
  unit: Unit,
  resource: Resource,
  reference: CreatingReference,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Pending<void> {
  const { composer } = resource;
  const { free, refer } = statements(resource, reference);
  const rows = yield* unit.rows(free, { placement: placementOf(ids[0] ?? ''), ids });
  for (const { id } of rows) {
    const to = { id: String(id), now, random: secretGenerator(resource) };
    const { columns, rows: targets } = planRequiredTargets(composer.definitions, resource.ids, [reference], to);
    unit.hold(refer, { ...idOf(to.id), made: columns[reference.column] ?? null });
    yield* insertRows(unit, resource, targets);
  }
}

function statements({ definition, composer: { dialect } }: Resource, { column }: CreatingReference) {
  const maker = quoted(column);
  const placed = dialect.placed('t', '@placement');
  const free = allOf([placed, dialect.isOneOf('t."id"', '@ids'), `t.${maker} IS NULL`]);
  const one = allOf([oneRow(dialect), `t.${maker} IS NULL`]);
  return {
    missing: `SELECT t."id" AS "id" FROM ${rowsOf(definition)} WHERE t.${maker} IS NULL ORDER BY t."id" LIMIT ${BATCH}`,
    free: `SELECT t."id" AS "id" FROM ${rowsOf(definition)} WHERE ${free} ORDER BY t."id"${dialect.lock('change')}`,
    refer: `${updateOf(definition, `${maker} = @made`)} WHERE ${one}`,
  };
}
