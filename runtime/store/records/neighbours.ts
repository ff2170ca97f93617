// Other records that hand-written functions read with their own. They are locked until the write is stored: for a list, first the
// record that has it, so that nothing is added meanwhile, and then its rows.

import type { AnyDefinition, Neighbours, Row } from '../../contract/definition.js';
import { idOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { allOf } from '../sql/conditions.js';
import { oneRow, rowsOf } from '../sql/rows.js';
import type { Neighbourhood, NeighbourRows } from '../sql/write-plan.js';
import type { LockFor, Pending, Unit } from '../unit.js';
import type { Resource } from './resource.js';

export type Reads = Readonly<Record<string, Neighbours>>;

export interface NeighbourStatements {
  /** The rows of a read, over `@id` of the record that has them, `@placement` and `@limit`. */
  rows(read: Neighbours): string;
  /** The references of a record through which reads lead. */
  references(reads: Reads): string;
}

export function neighbourStatements(composer: Composer, definition: AnyDefinition): NeighbourStatements {
  const { definitions, dialect } = composer;
  return {
    rows: memoize(({ of, by, where = {} }: Neighbours) => {
      const other = definitionOf(definitions, of);
      const selected = Object.keys(other.columns).map((column) => `t.${quoted(column)}`);
      const condition = allOf([
        dialect.placed('t', '@placement'),
        `t.${quoted(by)} = @id`,
        ...Object.entries(where).map(([column, value]) => dialect.same(`t.${quoted(column)}`, literal(value))),
      ]);
      const from = `FROM ${rowsOf(other)} WHERE ${condition} ORDER BY t."id" LIMIT @limit`;
      return `SELECT ${selected.join(', ')} ${from}${dialect.lock('change')}`;
    }),
    references: memoize((reads: Reads) => {
      const columns = [...new Set(throughOf(reads))].map((column) => `t.${quoted(column)}`);
      return `SELECT ${columns.join(', ')} FROM ${rowsOf(definition)} WHERE ${oneRow(dialect)}`;
    }),
  };
}

function throughOf(reads: Reads): readonly string[] {
  return Object.values(reads).flatMap(({ through }) => (through === undefined ? [] : [through]));
}

/**
 * Locks the rows above a record before the record itself, always in this order, so that transactions do not deadlock.
 * @returns how to lock the record: if a list of the record is read, nothing may be added to it
 */
export function* lockAbove(unit: Unit, resource: Resource, reads: Reads, id: string): Pending<LockFor> {
  if (throughOf(reads).length > 0) {
    const row = yield* unit.row(resource.neighbours.references(reads), idOf(id));
    if (row !== undefined) yield* lockHolders(unit, resource, reads, row);
  }
  return Object.values(reads).some(({ through, limit }) => through === undefined && limit !== undefined)
    ? 'delete'
    : 'change';
}

function* lockHolders(unit: Unit, { definition }: Resource, reads: Reads, row: Row): Pending<void> {
  const holders = new Map<string, readonly [resource: string, to: LockFor]>();
  for (const { through, limit } of Object.values(reads)) {
    const id = through === undefined ? null : row[through];
    const reference = definition.references.find(({ column }) => column === through);
    if (typeof id !== 'string' || reference === undefined) continue;
    const to = limit === undefined ? (holders.get(id)?.[1] ?? 'change') : 'delete';
    holders.set(id, [reference.to, to]);
  }
  for (const [id, [resource, to]] of [...holders].sort()) yield* unit.lock(resource, id, to);
}

/** @param row the record as it will be stored */
export function* readNeighbours(unit: Unit, resource: Resource, reads: Reads, row: Row): Pending<Neighbourhood> {
  yield* lockHolders(unit, resource, reads, row);
  const neighbourhood = new Map<string, NeighbourRows>();
  for (const [name, read] of Object.entries(reads)) {
    const { through, of, limit = 1 } = read;
    const holder = through === undefined ? row.id : row[through];
    const rows =
      typeof holder === 'string' ? yield* unit.rows(resource.neighbours.rows(read), { ...idOf(holder), limit }) : [];
    neighbourhood.set(name, { definition: resource.at(of).definition, rows, isOne: read.limit === undefined });
  }
  return neighbourhood;
}
