// Distributes the tables of a database over the nodes of Citus: tables with a placement by their placement, equal placements on
// the same node; other tables as a copy on every node. Tables that are already distributed stay as they are.

import { CommandError } from '../../../contract/command-error.js';
import { ServiceError } from '../../../contract/errors.js';
import type { SchemaStep } from '../../../schema/plan.js';
import { SHARD } from '../../../schema/postgres/ddl.js';
import { FORMER_NAME } from '../../../schema/postgres/former-names.js';
import { VERSION_TRIGGER } from '../../../schema/postgres/version-trigger.js';
import { literal } from '../../../schema/sql-text.js';
import type { Query } from '../connections.js';
import { transaction } from './transaction.js';

/** Whether tables of a database are distributed. */
export async function isDistributed(query: Query): Promise<boolean> {
  return (await hasCitus(query)) && (await tablesIn(query)).some(({ distributed }) => distributed);
}

/** Whether a database with distributed tables has new tables to distribute. */
export async function hasAddedTables(query: Query): Promise<boolean> {
  if (!(await hasCitus(query))) return false;
  const tables = await tablesIn(query);
  return tables.some(({ distributed }) => distributed) && tables.some(({ distributed }) => !distributed);
}

/** Throws CommandError if the database does not have Citus. */
export async function refuseWithoutCitus(query: Query): Promise<void> {
  if (await hasCitus(query)) return;
  throw new CommandError(
    'the database has no Citus: run CREATE EXTENSION citus in it, on every node, or leave out --distribute',
  );
}

/**
 * Distributes every table that is not yet distributed. Throws CommandError without Citus, and for a table that Citus cannot
 * distribute; the tables before it then are.
 * @param between called after each group of tables
 */
export async function distribute(
  query: Query,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly SchemaStep[]> {
  await refuseWithoutCitus(query);
  const [tables, keys] = [await tablesIn(query), await keysIn(query)];
  const local = tables.filter(({ distributed }) => !distributed);
  let beside = tables.find(({ distributed, placed }) => distributed && placed)?.name ?? null;
  await changeShardsInTurn(query);
  await removeTriggers(query);
  for (const group of groupsOf(local, keys)) {
    await transaction(query, async () => {
      beside = await distributeGroup(query, group, beside);
    });
    await between();
  }
  await removeLocalRows(query);
  return local.map(stepOf);
}

/** A transaction that changes several distributed tables must change the shards one after the other. */
export async function changeShardsInTurn(query: Query): Promise<void> {
  // PostgreSQL without Citus accepts, and ignores, settings of extensions that it does not have.
  await query(`SET citus.multi_shard_modify_mode = 'sequential'`);
}

/**
 * The migrator's lease stays on the coordinator, where migrations run: on a node, CREATE INDEX CONCURRENTLY and the transaction
 * that extends the lease would wait for each other.
 */
const LEASE = '_punchboard_migrator';

/** A table whose name is quoted if SQL needs that. */
interface TablePlacement {
  readonly name: string;
  readonly placed: boolean;
  readonly distributed: boolean;
}

interface ForeignKey {
  readonly table: string;
  readonly target: string;
  readonly name: string;
  readonly definition: string;
}

async function hasCitus(query: Query): Promise<boolean> {
  return (await query(`SELECT 1 AS "one" FROM pg_extension WHERE extname = 'citus'`)).length > 0;
}

/** The program's tables, known by a placement column or by their names. Tables added by hand stay on the coordinator. */
async function tablesIn(query: Query): Promise<readonly TablePlacement[]> {
  const placed = `(SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = ${literal(SHARD)})`;
  const rows = await query(`SELECT c.oid::regclass::text AS name, ${placed} AS placed,
(SELECT count(*) FROM pg_dist_partition p WHERE p.logicalrelid = c.oid) AS distributed
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
AND (${placed} > 0 OR c.relname LIKE '\\_punchboard%')
AND c.relname <> ${literal(LEASE)}
ORDER BY c.relname`);
  return rows.map(({ name, placed, distributed }) => ({
    name: String(name),
    placed: placed === 1,
    distributed: distributed === 1,
  }));
}

async function keysIn(query: Query): Promise<readonly ForeignKey[]> {
  const rows = await query(`SELECT conrelid::regclass::text AS "table", confrelid::regclass::text AS target,
quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = current_schema()::regnamespace`);
  return rows as unknown as readonly ForeignKey[];
}

interface Group {
  readonly tables: readonly TablePlacement[];
  /** The foreign keys between its tables. */
  readonly keys: readonly ForeignKey[];
}

/** A table comes after the tables to which it refers, as Citus requires; tables that refer to each other are the last group. */
function groupsOf(local: readonly TablePlacement[], keys: readonly ForeignKey[]): readonly Group[] {
  const groups: Group[] = [];
  let rest = local;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const within = keys.filter(({ table, target }) => waiting.has(table) && waiting.has(target));
    const ready = rest.filter(({ name }) => within.every(({ table }) => table !== name));
    if (ready.length === 0) return [...groups, { tables: rest, keys: within }];
    groups.push(...ready.map((table) => ({ tables: [table], keys: [] })));
    rest = rest.filter((table) => !ready.includes(table));
  }
  return groups;
}

/** @param beside a distributed table with a placement, for colocation; null: none yet @returns such a table for the next group */
async function distributeGroup(query: Query, { tables, keys }: Group, beside: string | null): Promise<string | null> {
  let other = beside;
  for (const { table, name } of keys) await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name, placed } of tables) {
    await distributeTable(query, name, placed ? `, '${SHARD}', colocate_with => ${literal(other ?? 'none')}` : null);
    if (placed) other = name;
  }
  for (const { table, name, definition } of keys)
    await query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  return other;
}

async function distributeTable(query: Query, name: string, by: string | null): Promise<void> {
  const call = by === null ? 'create_reference_table' : 'create_distributed_table';
  try {
    await query(`SELECT ${call}(${literal(name)}${by ?? ''})`);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // The cause is an object added by hand, such as a trigger or a unique index.
    throw new CommandError(`Citus cannot distribute ${name}: ${(error as Error).message}`);
  }
}

/** Removes the triggers for servers of the previous version, which have stopped: Citus distributes no table with triggers. */
async function removeTriggers(query: Query): Promise<void> {
  const triggers = await query(`SELECT quote_ident(tgname) AS name, tgrelid::regclass::text AS "table" FROM pg_trigger
WHERE NOT tgisinternal AND (starts_with(tgname, ${literal(FORMER_NAME)}) OR tgname = ${literal(VERSION_TRIGGER)})`);
  for (const { name, table } of triggers) await query(`DROP TRIGGER ${name} ON ${table}`);
}

/** Citus copies the rows to the nodes, and leaves hidden copies on the coordinator. */
async function removeLocalRows(query: Query): Promise<void> {
  for (;;) {
    const [left] = await query(
      'SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE pg_relation_size(logicalrelid) > 0 LIMIT 1',
    );
    if (left === undefined) return;
    await query(`SELECT truncate_local_data_after_distributing_table(${literal(String(left.name))})`);
  }
}

function stepOf({ name, placed }: TablePlacement): SchemaStep {
  return { class: 'rebuild', says: `${name}: ${placed ? 'distributed by its placement' : 'copied to every node'}` };
}
