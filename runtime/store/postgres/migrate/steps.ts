// Carries out one step of a migration, so that it is done completely or can be repeated.
import { POSTGRES_TIMES } from '../../../contract/defaults.js';
import { SHARD, UNIQUE_VALUES } from '../../../schema/postgres/ddl.js';
import {
  type Claims,
  type ComputedColumn,
  PAGE,
  type Pages,
  type PostgresStep,
  pageOf,
  type StandaloneStatement,
  type Transaction,
  type WordsRewrite,
} from '../../../schema/postgres/steps.js';
import type { Schema } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { migrationUpdateSql, VERSION } from '../../../schema/version.js';
import { watchedColumns } from '../../../schema/words.js';
import { computationOf } from '../../migrate/computed.js';
import { type Progress, withProgress } from '../../progress.js';
import { StartError } from '../../start-error.js';
import type { Query, Row } from '../connections.js';
import { POSTGRES } from '../dialect.js';
import { uniqueParameters } from '../unique-values.js';
import { entriesOf, insertEntries } from '../words.js';
import { keepDropped } from './dropped.js';
import type { Lease } from './lease.js';
import { retryConflicts, retryWithLockTimeout, transaction } from './transaction.js';

export interface StepContext {
  readonly query: Query;
  readonly lease: Lease;
  /** The program's schema, with its functions. */
  readonly schema: Schema;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Undefined: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Called before and after commits, for tests that kill the process there. */
  readonly onStep: () => void;
}

/** @param done records within a transaction that the step is done */
export async function runStep(step: PostgresStep, running: StepContext, done: () => Promise<void>): Promise<void> {
  // One function per kind of step; the type of the table ties each to its data.
  const run = RUNS[step.does] as (step: PostgresStep, running: StepContext, done: () => Promise<void>) => Promise<void>;
  await withProgress(running.progress, { label: step.says, total: await partsOf(step, running) }, async () => {
    await run(step, running, done);
    if (!('table' in step)) running.progress?.advance(1);
    running.onStep();
  });
}

/** The number of pages of a step that works page by page; rows are counted only if somebody watches. */
async function partsOf(step: PostgresStep, { query, progress }: StepContext): Promise<number> {
  if (progress === undefined || !('table' in step)) return 1;
  const [counted] = await query(`SELECT count(*) AS "rows" FROM ${quoted(step.table)}`);
  return Math.ceil(Number(counted?.rows) / ROWS_OF_A_PAGE);
}

type Does = PostgresStep['does'];
type Runs = {
  readonly [D in Does]: (
    step: Extract<PostgresStep, { does: D }>,
    running: StepContext,
    done: () => Promise<void>,
  ) => Promise<void>;
};

const RUNS: Runs = {
  transaction: (step, running, done) =>
    committed(running, async () => {
      await inTransaction(step, running);
      await done();
    }),
  async alone(step, running, done) {
    await running.lease.during(() => runAlone(step, running));
    running.onStep();
    await committed(running, done);
  },
  async pages(step, running, done) {
    await eachPage(step, running, async (query, page) => void (await query(step.sql, [...page.after, ...page.last])));
    await committed(running, done);
  },
  async words(step, running, done) {
    const columns = ['id', ...watchedColumns(step.search)].map(quoted).join(', ');
    const which = step.where === undefined ? '' : ` AND (${step.where})`;
    const lock = step.locks ? ` ORDER BY "${SHARD}", "id"${POSTGRES.lock('change')}` : '';
    const select = `SELECT ${columns} FROM ${quoted(step.table)} WHERE ${PAGE}${which}${lock}`;
    const isRead = POSTGRES.isSelected('"id"', 'SELECT json_array_elements_text($5::json)');
    const remove = `DELETE FROM ${step.words} WHERE ${PAGE} AND ${isRead}`;
    await eachPage(step, running, async (query, { after, last }) => {
      const rows = await query(select, [...after, ...last]);
      if (rows.length === 0) return;
      if (step.where !== undefined) await query(remove, [...after, ...last, JSON.stringify(rows.map(({ id }) => id))]);
      await query(insertEntries(step.words), [JSON.stringify(entriesOf(step.search, rows))]);
    });
    await committed(running, done);
  },
  async computed(step, running, done) {
    const fill = filler(step, running);
    for (let after: Key | null = FIRST; after !== null; ) {
      const from: Key = after;
      after = await committed(running, () => fill(from));
      running.progress?.advance(1);
    }
    await committed(running, done);
  },
  async claims(step, running, done) {
    const columns = ['id', ...step.columns, ...Object.keys(step.where ?? {})].map(quoted).join(', ');
    const select = `SELECT ${columns} FROM ${quoted(step.table)} WHERE ${PAGE}`;
    await eachPage(step, running, async (query, { after, last }) =>
      claim(query, step, await query(select, [...after, ...last])),
    );
    await committed(running, done);
  },
};

/** A transaction of the lease's holder, repeated if it conflicts with others. */
function committed<T>({ query, lease, onStep }: StepContext, work: () => Promise<T>): Promise<T> {
  return retryWithLockTimeout(query, () =>
    transaction(query, async () => {
      await lease.renew(query);
      const result = await work();
      onStep();
      return result;
    }),
  );
}

async function inTransaction(
  { locks, guards, keeps, computes = [], sql }: Transaction,
  running: StepContext,
): Promise<void> {
  const { query, now } = running;
  if (locks.length > 0) await query(`LOCK TABLE ${locks.map(quoted).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  for (const { rows, says } of guards) {
    const offending = await query(`${rows} ORDER BY "id" LIMIT 10`);
    if (offending.length > 0) throw new StartError(`${says} (${offending.map(({ id }) => id).join(', ')})`);
  }
  for (const one of keeps) await keepDropped(query, one, now);
  for (const one of computes) {
    const fill = filler(one, running);
    for (let after: Key | null = FIRST; after !== null; ) after = await fill(after);
  }
  for (const one of sql) await query(one);
}

async function runAlone({ sql, index }: StandaloneStatement, { query }: StepContext): Promise<void> {
  await query(`SET lock_timeout = ${POSTGRES_TIMES.longLock}`);
  await retryConflicts(async () => {
    const state = index === null ? null : await indexState(query, index);
    if (state === 'valid') return;
    // An interrupted attempt has left the index: writes keep it up to date, but nothing reads it.
    if (state === 'invalid') await query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await query(sql);
  });
}

async function indexState(query: Query, index: string): Promise<'valid' | 'invalid' | null> {
  const [found] = await query('SELECT "indisvalid" AS "valid" FROM pg_index WHERE "indexrelid" = to_regclass($1)', [
    index,
  ]);
  if (found === undefined) return null;
  return String(found.valid) === 'true' ? 'valid' : 'invalid';
}

type Key = readonly [shard: string, id: string];

interface Page {
  /** The last row before the page, and the last row of the page. */
  readonly after: Key;
  readonly last: Key;
}

const ROWS_OF_A_PAGE = 1000;
/** A key before every row. */
const FIRST: Key = ['', ''];

async function eachPage(
  { table }: Pages | Claims | WordsRewrite,
  running: StepContext,
  work: (query: Query, page: Page) => Promise<void>,
): Promise<void> {
  const { query } = running;
  const next = `SELECT "${SHARD}" AS "shard", "id" FROM (SELECT "${SHARD}", "id" FROM ${quoted(table)}
WHERE ("${SHARD}", "id") > ($1, $2) ORDER BY "${SHARD}", "id" LIMIT ${ROWS_OF_A_PAGE}) page ORDER BY 1 DESC, 2 DESC LIMIT 1`;
  for (let after = FIRST; ; ) {
    const last = await committed(running, async () => {
      const [row] = await query(next, after);
      const end = row && ([String(row.shard), String(row.id)] as const);
      if (end !== undefined) await work(query, { after, last: end });
      return end;
    });
    if (last === undefined) return;
    running.progress?.advance(1);
    after = last;
  }
}

/**
 * Fills a page of rows after a key, and returns the last key of the page; null: no row is left. If the version shows that a row
 * was changed since it was read, its page is read again.
 */
function filler(
  { table, column }: ComputedColumn,
  { query, schema }: StepContext,
): (after: Key) => Promise<Key | null> {
  const compute = computationOf(schema, table, column);
  const to = schema.tables.find(({ name }) => name === table);
  if (to === undefined) throw new Error(`there is no table ${table}`);
  const isNumber = to.columns.some(({ name, type }) => name === column && type === 'integer');
  const versioned = to.columns.some(({ name }) => name === VERSION);
  const select = `SELECT * FROM ${quoted(table)} WHERE ${quoted(column)} IS NULL AND ("${SHARD}", "id") > ($1, $2)
ORDER BY "${SHARD}", "id" LIMIT ${ROWS_OF_A_PAGE}`;
  const entry = '($5::jsonb -> t."id")';
  const isSame = versioned ? `(${entry} ->> 1)::bigint = t.${quoted(VERSION)}` : `${entry} IS NOT NULL`;
  const update = `${migrationUpdateSql(to, `${quoted(column)} = (${entry} ->> 0)${isNumber ? '::bigint' : ''}`)}
WHERE t.${quoted(column)} IS NULL AND ${isSame} AND ${pageOf('t.')} RETURNING t."id"`;
  return async (after) => {
    const rows = await query(select, after);
    const last = rows.at(-1);
    if (last === undefined) return null;
    const values = rows.map((row) => [String(row.id), [compute(row), row[VERSION] ?? null]] as const);
    const wanted = values.filter(([, [value]]) => value !== null);
    const end: Key = [String(last[SHARD]), String(last.id)];
    if (wanted.length === 0) return end;
    const written = await query(update, [...after, ...end, JSON.stringify(Object.fromEntries(wanted))]);
    return written.length < wanted.length ? after : end;
  };
}

/** Claims values; claims that the same rows made before are accepted. */
async function claim(query: Query, { table, columns, where, name }: Claims, rows: readonly Row[]): Promise<void> {
  const claims = rows.flatMap((row) => {
    const parameters = uniqueParameters({ name, columns, where: where ?? null }, row);
    return parameters === null ? [] : [[...parameters, row.id]];
  });
  const wanted = `SELECT r->>0 AS "shard", r->>1 AS "constraint", r->>2 AS "value", r->>3 AS "id" FROM jsonb_array_elements($1::jsonb) r`;
  const into = `INSERT INTO "${UNIQUE_VALUES}" ("${SHARD}", "constraint", "value", "id")`;
  await query(`${into} ${wanted} ON CONFLICT DO NOTHING`, [JSON.stringify(claims)]);
  const others = await query(
    `SELECT w."id" FROM (${wanted}) w JOIN "${UNIQUE_VALUES}" u
ON u."${SHARD}" = w."shard" AND u."constraint" = w."constraint" AND u."value" = w."value"
WHERE u."id" <> w."id" ORDER BY 1 LIMIT 10`,
    [JSON.stringify(claims)],
  );
  if (others.length === 0) return;
  throw new StartError(`${table}.${columns.join(', ')} is not unique (${others.map(({ id }) => id).join(', ')})`);
}
