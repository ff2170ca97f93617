// Creates the records that existing rows lack (D40), at a start.

import type { AnyDefinition } from '../../contract/definition.js';
import { groupsOf, idOf, placementOf } from '../../contract/ids.js';
import { quoted } from '../../schema/sql-text.js';
import { allOf } from '../sql/conditions.js';
import { type CreatingReference, creatingReferences, planRequiredTargets } from '../sql/required-targets.js';
import { oneRow, rowsOf, updateOf } from '../sql/rows.js';
import type { Pending, Unit } from '../unit.js';
import { insertRows } from './carry-out.js';
import type { Resource, Resources } from './resource.js';

/** The number of rows that one query looks for. */
const BATCH = 1000;

export interface MissingTargetsContext {
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
  context: MissingTargetsContext,
): Pending<void> {
  for (const definition of definitions) {
    for (const reference of creatingReferences(definition))
      yield* createMissingTargetsOf(at(definition.name), reference, context);
  }
}

function* createMissingTargetsOf(
  resource: Resource,
  reference: CreatingReference,
  context: MissingTargetsContext,
): Pending<void> {
  const { missing } = statements(resource, reference);
  for (let count = BATCH; count === BATCH; ) {
    const ids = (yield* context.rows(missing, {})).map(({ id }) => String(id));
    for (const group of groupsOf(resource.composer.dialect, ids)) {
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
    const to = { id: String(id), now, random: resource.newSecret };
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
