// A few connections to PostgreSQL, each with many statements in flight, and replaced when they break.
import type { Client } from 'pg';
import type { ConnectionMetrics } from '../database-server.js';
import {
  type Call,
  type ConnectionOptions,
  commit,
  configuration,
  connectToPrimary,
  isOutdated,
  type Parameter,
  type Row,
  rethrowTranslated,
  rows,
  runTransaction,
  type Statement,
  type Timeouts,
  type Value,
} from './client.js';
import { createStatementClassifier } from './dispatch.js';
import { isTransient } from './engine-error.js';
import { createPool, type Pool } from './pool.js';
import { refuseWithoutSessions } from './pooling.js';

export type { Call, ConnectionOptions, Parameter, Row, Statement, Value } from './client.js';

export interface Connections {
  /** Returns the same statement for the same text. */
  prepare(text: string): Statement;
  /** The rows of one statement, which is a transaction of its own. */
  query(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]>;
  /**
   * The rows of each statement of one transaction, all sent together. Rejects with the error of the first statement that fails;
   * then nothing was changed.
   */
  transaction(calls: readonly Call[]): Promise<readonly (readonly Row[])[]>;
  /**
   * A transaction whose statements depend on each other, on a connection of its own from the first statement that writes or
   * locks until `work` is done. Earlier reads are sent outside of it: at READ COMMITTED each sees what is committed anyway, and
   * the connection is free for others meanwhile.
   */
  interactive<T>(work: TransactionWork<T>): Promise<T>;
  /**
   * A separate connection for work on the schema, closed afterwards. It is outside of a transaction until `work` begins one;
   * statements are not prepared, and may take as long as they need.
   */
  session<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Connections to another database of the same server. */
  of(database: string): Connections;
  metrics(): ConnectionMetrics;
  /** Sends what is queued, and closes. */
  close(): Promise<void>;
}

/**
 * The work of an interactive transaction.
 * @param hold takes a statement whose rows the work does not wait for. It is sent together with the next statement, or at the
 * end; a transaction of only one held statement is sent without BEGIN and COMMIT.
 * @param send sends the held statements
 */
export type TransactionWork<T> = (
  query: Connections['query'],
  hold: Connections['query'],
  send: () => Promise<void>,
) => Promise<T>;

/** Runs one statement. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** Connects at first use. If the database cannot be reached, every call rejects with `unavailable`. */
export function createConnections(options: ConnectionOptions): Connections {
  const reading = createPool({ ...options, use: 'read' });
  // Single writes have separate connections: while a commit waits for the disk, its connection answers nothing else.
  const writing = createPool({ ...options, use: 'write' });
  const transacting = createPool({ ...options, use: 'transaction' });
  const statements = new Map<string, Statement>();
  const classify = createStatementClassifier();
  const timeouts = { count: 0 };
  const query: Connections['query'] = (statement, values) => {
    const { table, isRead } = classify(statement.text);
    const call = { statement, values };
    return (isRead ? reading : writing).run(table, (client) =>
      rows(client, call, timeouts).catch((error: unknown) => {
        if (!isOutdated(error)) throw error;
        return rows(client, call, timeouts);
      }),
    );
  };
  return {
    prepare(text) {
      const known = statements.get(text) ?? { name: `s${statements.size}`, text };
      statements.set(text, known);
      return known;
    },
    query,
    transaction: (calls) =>
      writing.run(calls[0] === undefined ? '' : classify(calls[0].statement.text).table, (client) =>
        runTransaction(client, calls, timeouts),
      ),
    interactive: (work) => interactive({ query, transacting, classify, timeouts }, work),
    session: (work) => inSession(options, work),
    of: (database) => createConnections({ ...options, url: ofDatabase(options.url, database) }),
    metrics: () => ({
      pools: { read: reading.metrics(), write: writing.metrics(), transaction: transacting.metrics() },
      timeouts: timeouts.count,
    }),
    close: async () => void (await Promise.all([reading, writing, transacting].map((pool) => pool.close()))),
  };
}

async function inSession<T>(options: ConnectionOptions, work: (query: Query) => Promise<T>): Promise<T> {
  const connect = () => connectToPrimary(options, { ...configuration(options), ...UNHURRIED }, () => undefined);
  const client = await connect();
  const query: Query = async (text, values = []) => {
    // A statement without values is sent as plain text, since not every statement can be prepared.
    const sending = values.length === 0 ? client.query(text) : client.query(text, [...values]);
    return (await sending.catch(rethrowTranslated)).rows;
  };
  try {
    await refuseWithoutSessions(client, connect);
    // Overrides the settings of the database or the user.
    await query('SET statement_timeout = 0');
    await query('SET idle_in_transaction_session_timeout = 0');
    return await work(query);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A session waits for its statements as long as they take. */
const UNHURRIED = { pipeline: false, statementTimeout: null, query_timeout: undefined };

/** The URL of another database on the same server. */
export function ofDatabase(url: string, database: string): string {
  return url.replace(
    /^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/,
    (_all, server: string) => `${server}/${encodeURIComponent(database)}`,
  );
}

interface Pools {
  /** Runs a statement that is a transaction of its own. */
  readonly query: Connections['query'];
  readonly transacting: Pool;
  readonly classify: ReturnType<typeof createStatementClassifier>;
  readonly timeouts: Timeouts;
}

async function interactive<T>(pools: Pools, work: TransactionWork<T>): Promise<T> {
  const transaction: Transaction = { begun: null, held: [], isOver: false };
  const { held } = transaction;
  const query: Connections['query'] = async (statement, values) => {
    refuseLate(transaction);
    if (transaction.begun === null && held.length === 0 && pools.classify(statement.text).isRead) {
      return pools.query(statement, values);
    }
    transaction.begun ??= begin(pools, held[0]?.call.statement ?? statement);
    const { client } = await transaction.begun;
    sendHeld(transaction, client, pools.timeouts);
    return rows(client, { statement, values }, pools.timeouts);
  };
  const hold: Connections['query'] = async (statement, values) => {
    refuseLate(transaction);
    return new Promise((resolve, reject) => held.push({ call: { statement, values }, resolve, reject }));
  };
  const send = async (): Promise<void> => {
    refuseLate(transaction);
    const [first] = held;
    if (first === undefined) return;
    transaction.begun ??= begin(pools, first.call.statement);
    sendHeld(transaction, (await transaction.begun).client, pools.timeouts);
  };
  try {
    const result = await work(query, hold, send);
    await end(transaction, pools);
    return result;
  } catch (error) {
    await rollBack(transaction, error);
    throw error;
  } finally {
    const used = await transaction.begun?.catch(() => null);
    used?.giveBack();
  }
}

interface Transaction {
  /** Null until its first statement is sent. */
  begun: ReturnType<typeof begin> | null;
  readonly held: HeldCall[];
  isOver: boolean;
}

/** A statement that has not been sent yet. */
interface HeldCall {
  readonly call: Call;
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

/** A statement after the end would be a transaction of its own. */
function refuseLate({ isOver }: Transaction): void {
  if (isOver) throw new Error('a statement was sent after the end of its transaction');
}

function sendHeld({ held }: Transaction, client: Client, timeouts: Timeouts): void {
  for (const { call, resolve, reject } of held.splice(0)) rows(client, call, timeouts).then(resolve, reject);
}

async function end(transaction: Transaction, pools: Pools): Promise<void> {
  const { held } = transaction;
  transaction.isOver = true;
  const [first, ...more] = held;
  if (first !== undefined && more.length === 0 && transaction.begun === null) {
    held.length = 0;
    const answer = pools.query(first.call.statement, first.call.values);
    answer.then(first.resolve, first.reject);
    await answer;
    return;
  }
  if (first !== undefined) transaction.begun ??= begin(pools, first.call.statement);
  if (transaction.begun === null) return;
  const { client } = await transaction.begun;
  sendHeld(transaction, client, pools.timeouts);
  await commit(client);
}

async function rollBack(transaction: Transaction, reason: unknown): Promise<void> {
  transaction.isOver = true;
  for (const { reject } of transaction.held.splice(0)) reject(reason);
  // A broken connection has rolled the transaction back already.
  await transaction.begun?.then(({ client }) => client.query('ROLLBACK')).catch(() => undefined);
}

/** Takes a connection for one transaction, until it is given back. */
async function begin({ transacting, classify }: Pools, first: Statement) {
  const taken = await new Promise<{ readonly client: Client; giveBack(): void }>((resolve, reject) => {
    transacting
      .run(classify(first.text).table, (client) => new Promise<void>((giveBack) => resolve({ client, giveBack })))
      .catch(reject);
  });
  // BEGIN is sent together with the first statement, and fails only if the connection does, as then that statement does too.
  taken.client.query('BEGIN').catch(() => undefined);
  return taken;
}

/** How often a transaction is tried. Each failure means that another transaction was committed, so this is plenty. */
const TRIES = 10;

/**
 * Repeats a transaction that PostgreSQL ended in favour of another one.
 * @param work a whole transaction, which leaves nothing behind when it rejects
 */
export async function retryTransient<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !isTransient(error)) throw error;
    return retryTransient(work, tries - 1);
  }
}
