// Copies a record and the records that belong to it (D55), all on the shard of the record.

import type { AnyDefinition, Reference, Row } from '../../contract/definition.js';
import { ServiceError, throwAll } from '../../contract/errors.js';
import { idOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Action, Created } from '../records.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { allOf } from '../sql/conditions.js';
import { type CopiedPart, copiedParts, copiesLeft, type Original, planCopy } from '../sql/copy-plan.js';
import { isInside } from '../sql/references.js';
import { rowsOf } from '../sql/rows.js';
import { findAction, requireText } from '../sql/write-plan.js';
import { type Pending, rowsAmong, type Unit } from '../unit.js';
import { carryOut, lockPermitted, withCopiedColumns } from './carry-out.js';
import type { Resource } from './resource.js';

/** The caller needs the right that the action declares, which includes the right to the copy. */
export function* copy(unit: Unit, resource: Resource, id: string, action: Action): Pending<Created> {
  const { definition, at, ids, newSecret } = resource;
  const { name, caller, now, conditions } = action;
  const { declared } = findAction(definition, {}, name);
  const row = yield* lockPermitted(unit, definition, { id, right: declared.by, caller, conditions }, 'change');
  // The failures are thrown only now: callers without the right must not learn what is wrong with the parameters.
  throwAll(action.failures);
  const originals = yield* lockTargets(unit, resource, yield* readOriginals(unit, resource, { definition, row }));
  const behaviourOf = (one: AnyDefinition) => at(one.name).behaviour;
  const planned = planCopy(originals, { action, behaviourOf, ids, random: newSecret });
  for (const { definition: of, plan } of planned.writes) {
    const other = at(of.name);
    const complete = plan.guard === null ? yield* withCopiedColumns(unit, other, plan.row) : plan.row;
    yield* carryOut(unit, other, { ...plan, row: complete }, { caller, action: name, now });
  }
  const viewer = caller.admin ? 'adminCreator' : 'creator';
  const text = requireText(yield* unit.text(definition.name, viewer, planned.id, caller.user));
  // A record that could not be stored with all of its references is written a second time.
  const writes = planned.writes.filter(({ plan }) => plan.row.id === planned.id);
  return { id: planned.id, text, version: writes.length, records: originals.length };
}

/** The statements of one definition, composed at first use. */
export interface CopyStatements {
  /** The resources copied with a record, parents first, with the statements that find their rows: `@ids` of one `@placement`. */
  parts(): readonly (CopiedPart & { readonly sql: string })[];
  /** Locks records to which others refer across placements; null: foreign keys prevent their deletion. */
  lock(resource: string): string | null;
}

export function copyStatements(composer: Composer, root: AnyDefinition): CopyStatements {
  const { definitions, dialect } = composer;
  const parts = memoize((_: '') =>
    copiedParts(definitions, root).map((part) => ({ ...part, sql: partStatement(composer, part) })),
  );
  const locks = memoize((resource: string) => {
    const among = allOf([dialect.placed('t', '@placement'), dialect.isOneOf('t."id"', '@ids')]);
    return `SELECT t."id" FROM ${rowsOf(definitionOf(definitions, resource))} WHERE ${among} ORDER BY t."id"${dialect.lock('reference')}`;
  });
  return { parts: () => parts(''), lock: (resource) => (dialect.isPlaced ? locks(resource) : null) };
}

function partStatement({ dialect }: Composer, { definition, by }: CopiedPart): string {
  const selected = Object.keys(definition.columns).map((column) => `t.${quoted(column)}`);
  const among = allOf([dialect.placed('t', '@placement'), dialect.isOneOf(`t.${quoted(by)}`, '@ids')]);
  return `SELECT ${selected.join(', ')} FROM ${rowsOf(definition)} WHERE ${among} ORDER BY t."id" LIMIT @limit`;
}

/** The record, followed by everything that is copied with it. */
function* readOriginals(unit: Unit, { copying }: Resource, root: Original): Pending<readonly Original[]> {
  const originals = [root];
  const { placement } = idOf(String(root.row.id));
  for (const { definition, of, sql } of copying.parts()) {
    const ids = originals.flatMap((one) => (one.definition.name === of ? [String(one.row.id)] : []));
    if (ids.length === 0) continue;
    const rows = yield* unit.rows(sql, { placement, ids, limit: copiesLeft(originals) });
    originals.push(...rows.map((row) => ({ definition, row })));
  }
  copiesLeft(originals);
  return originals;
}

/**
 * Locks the targets of references across placements, since no foreign key prevents their deletion before the copy is committed.
 * @returns the records, without references to targets that have just been deleted
 */
function* lockTargets(unit: Unit, resource: Resource, originals: readonly Original[]): Pending<readonly Original[]> {
  const { copying, composer } = resource;
  const targets = new Map<string, Set<string>>();
  for (const { to, id } of originals.flatMap(targetsAcross)) targets.set(to, (targets.get(to) ?? new Set()).add(id));
  for (const [to, ids] of targets) {
    const sql = copying.lock(to);
    if (sql === null) return originals;
    const locked = yield* rowsAmong<{ readonly id: string }>(unit, composer.dialect, ids, [sql, {}]);
    targets.set(to, new Set(locked.map(({ id }) => id)));
  }
  return originals.map((original) => withoutDeleted(original, targets));
}

interface TargetAcross {
  readonly reference: Reference;
  readonly to: string;
  readonly id: string;
}

function targetsAcross({ definition, row }: Original): readonly TargetAcross[] {
  return definition.references.flatMap((reference) => {
    const id = row[reference.column];
    if (typeof id !== 'string' || isInside(definition, reference.column)) return [];
    return [{ reference, to: reference.to, id }];
  });
}

function withoutDeleted(original: Original, existing: ReadonlyMap<string, ReadonlySet<string>>): Original {
  const deleted = targetsAcross(original).filter(({ to, id }) => !existing.get(to)?.has(id));
  if (deleted.length === 0) return original;
  const { definition, row } = original;
  const cleared: Row = {};
  for (const { reference } of deleted) {
    const { column, proof, required } = reference;
    if (required) throw new ServiceError('conflict', `The ${column} of a ${definition.name} has just been deleted.`);
    cleared[column] = null;
    if (proof !== undefined) cleared[proof] = 0;
  }
  return { definition, row: { ...row, ...cleared } };
}
