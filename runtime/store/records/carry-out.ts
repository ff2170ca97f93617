// How writes begin and end: the record is loaded and locked for a caller who holds the right to the write, whose effects follow,
// always in this order: the row, the records made with it, the audit log, the events.

import { type Conditions, checkConditions } from '../../contract/conditions.js';
import type { AnyDefinition, Row } from '../../contract/definition.js';
import { refusal } from '../../contract/errors.js';
import { idOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { auditOf, type RowChange } from '../audit.js';
import type { Caller } from '../records.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { referenceIn } from '../sql/references.js';
import type { NewRow } from '../sql/required-targets.js';
import { oneRow, rowsOf } from '../sql/rows.js';
import { versionOf, type WritePlan } from '../sql/write-plan.js';
import { type LockFor, NOTHING, type Pending, type Unit } from '../unit.js';
import { isDemotion, keepAdministrator } from './administrators.js';
import type { Resource } from './resource.js';

interface PermissionRequest {
  readonly id: string;
  readonly right: string;
  readonly caller: Caller;
  readonly conditions?: Conditions | undefined;
  /** Whether the write must name the versions that it changes. */
  readonly needsMatch?: boolean;
}

/**
 * Locks the row and checks the right in one round trip. Throws not_found, the refusal of a caller without the right, or the
 * refusal by the conditions.
 */
export function* lockPermitted(
  unit: Unit,
  definition: AnyDefinition,
  { id, right, caller, conditions, needsMatch }: PermissionRequest,
  to: LockFor,
): Pending<Row> {
  const locking = unit.lock(definition.name, id, to);
  const asking = unit.permission(definition.name, right, id, caller);
  const row = yield* locking;
  const permission = yield* asking;
  if (row === undefined) throw refusal(definition, 'not_found');
  if (!permission.allowed) throw refusal(definition, permission.code);
  if (conditions !== undefined || needsMatch) checkConditions(versionOf(row), conditions, needsMatch);
  return row;
}

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
  targets?: readonly NewRow[],
): Pending<void> {
  const { definition } = resource;
  const { row, guard: old, events, neighbours } = plan;
  for (const { definition: of, old: before, row: after, changed } of neighbours) {
    unit.update(of.name, before, after, changed);
    yield* report(unit, of, { old: before, row: after, events: [] }, by);
  }
  if (definition.principal)
    yield* keepAdministrator(unit, resource, isDemotion({ old, row }), () => store(unit, definition, plan));
  else store(unit, definition, plan);
  if (targets !== undefined && targets.length > 0) yield* insertRows(unit, resource, targets);
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
export function* insertRows(unit: Unit, { at }: Resource, rows: readonly NewRow[]): Pending<void> {
  for (const { definition, row } of rows)
    unit.insert(definition.name, yield* withCopiedColumns(unit, at(definition.name), row));
}

/** A column that takes its value from the record to which another column refers, unless the request gives it. */
export interface CopiedColumn {
  readonly name: string;
  readonly through: string;
  readonly sql: string;
}

export function copiedColumns({ dialect, definitions }: Composer, definition: AnyDefinition): readonly CopiedColumn[] {
  return Object.entries(definition.columns).flatMap(([name, { copies: from }]) => {
    if (from === undefined) return [];
    const { to } = referenceIn(definition, from.through);
    const sql = `SELECT t.${quoted(from.column)} AS "value" FROM ${rowsOf(definitionOf(definitions, to))} WHERE ${oneRow(dialect)}${dialect.lock('share')}`;
    return [{ name, through: from.through, sql }];
  });
}

/** The new row with its copies. Their sources are locked, so that they do not change before the row is committed. */
export function* withCopiedColumns(unit: Unit, { copies }: Resource, row: Row): Pending<Row> {
  if (copies.length === 0) return row;
  const complete: Row = { ...row };
  for (const { name, through, sql } of copies) {
    const source = row[through];
    if (row[name] !== null || typeof source !== 'string') continue;
    const sourceRow = yield* unit.row(sql, idOf(source));
    complete[name] = sourceRow?.value ?? null;
  }
  return complete;
}
