// Connections to PostgreSQL: a few, each with many statements in flight, and replaced when they break.
import { Client, type ClientConfig, DatabaseError, types } from 'pg';
import { ServiceError } from '../../errors.js';
import { createTurnSocket } from './turn-socket.js';

/** A value of a column: bigint columns hold numbers that JavaScript can represent. */
export type Value = string | number | null;
/** A value of a parameter; a list is one of texts. */
export type Parameter = Value | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with the values of `$1`, `$2`, … */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
}

export interface Connections {
  /** The same statement for the same text. */
  prepare(text: string): Statement;
  /** The rows of one statement, which is a transaction of its own. */
  query(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]>;
  /**
   * The rows of each statement of one transaction, all sent together. Rejects with the error of the first that fails,
   * and then nothing was changed.
   */
  transaction(calls: readonly Call[]): Promise<readonly (readonly Row[])[]>;
  /**
   * A transaction whose statements depend on each other, on a connection of its own from the first that writes or locks
   * until `work` is done. Reads before that are sent outside of it: at READ COMMITTED each sees what is committed anyway,
   * and the connection is free for others meanwhile.
   */
  interactive<T>(work: (query: Connections['query']) => Promise<T>): Promise<T>;
  /**
   * A connection of its own for work on the schema, closed afterwards: outside of a transaction until one is begun,
   * statements are not prepared, and take as long as they need.
   */
  session<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Connections to another database of the same server. */
  of(database: string): Connections;
  /** Sends what is queued, and closes. */
  close(): Promise<void>;
}

/** Runs one statement. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface ConnectionOptions {
  /** `postgres://user@host/database`; several hosts, separated by commas: the first that is not a standby is used. */
  readonly url: string;
  /** Connections with many statements in flight, and as many for transactions whose statements depend on each other. */
  readonly size: number;
  /** Milliseconds until a connection attempt, a statement, or waiting for a connection of one's own counts as failed. */
  readonly timeout: number;
}

/** Connects at first use. Without a database every call rejects with `unavailable`. */
export function createConnections(options: ConnectionOptions): Connections {
  const shared = Array.from({ length: options.size }, () => createSlot(options));
  const own = createOwnSlots(options);
  const statements = new Map<string, Statement>();
  const next = createChoice(shared);
  const query: Connections['query'] = (statement, values) => next((client) => rows(client, { statement, values }));
  return {
    prepare(text) {
      const known = statements.get(text) ?? { name: `s${statements.size}`, text };
      statements.set(text, known);
      return known;
    },
    query,
    transaction: (calls) => next((client) => together(client, calls)),
    interactive: (work) => interactive({ read: query, own }, work),
    session: (work) => inSession(options, work),
    of: (database) => createConnections({ ...options, url: ofDatabase(options.url, database) }),
    close: async () => void (await Promise.all([...shared, ...own.all].map((slot) => slot.close()))),
  };
}

async function inSession<T>(options: ConnectionOptions, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await connectToPrimary(options, { ...configuration(options), ...UNHURRIED }, () => undefined);
  const query: Query = async (text, values = []) => {
    // Without values it is sent as it is: not every statement can be prepared.
    const sending = values.length === 0 ? client.query(text) : client.query(text, [...values]);
    return (await sending.catch(rethrowTranslated)).rows;
  };
  try {
    // Whatever an administrator has set for the database or the user.
    await query('SET statement_timeout = 0');
    await query('SET idle_in_transaction_session_timeout = 0');
    return await work(query);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** It waits for its statements as long as they take. */
const UNHURRIED = { pipeline: false, statement_timeout: undefined, query_timeout: undefined };

/** The place of one connection, which is opened again at the next use after it broke. */
interface Slot {
  open(): Promise<Client>;
  close(): Promise<void>;
}

/**
 * Statements in flight on a connection before the next one is used, too. A connection whose backend is at work already is by
 * far the cheapest: the kernel need not wake up anybody, and several answers come in one read. A fetch with a session takes
 * 143 instead of 229 microseconds of processor time (32 clients, in turns in one run). More would wait behind a slow one.
 */
const DEPTH = 4;

/** Runs work on the first connection with little to do, or else on the one with least. */
function createChoice(slots: readonly Slot[]) {
  const counted = slots.map((slot) => ({ slot, inFlight: 0 }));
  const choose = () =>
    counted.find(({ inFlight }) => inFlight < DEPTH) ??
    counted.reduce((least, one) => (one.inFlight < least.inFlight ? one : least));
  return async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const chosen = choose();
    chosen.inFlight += 1;
    try {
      return await work(await chosen.slot.open());
    } finally {
      chosen.inFlight -= 1;
    }
  };
}

/** Slots that are used by one at a time; who finds all of them in use waits for its turn, but not forever. */
function createOwnSlots(options: ConnectionOptions) {
  const all: Slot[] = [];
  const idle: Slot[] = [];
  const waiting = new Set<(slot: Slot) => void>();
  const turn = (): Promise<Slot> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(taken);
        reject(unavailable(new Error('no connection became free')));
      }, options.timeout);
      const taken = (slot: Slot): void => {
        waiting.delete(taken);
        clearTimeout(timer);
        resolve(slot);
      };
      waiting.add(taken);
    });
  return {
    all,
    async take(): Promise<Slot> {
      const free = idle.pop();
      if (free !== undefined) return free;
      if (all.length === options.size) return turn();
      const slot = createSlot(options);
      all.push(slot);
      return slot;
    },
    giveBack(slot: Slot): void {
      const [next] = waiting;
      if (next === undefined) idle.push(slot);
      else next(slot);
    },
  };
}

function createSlot(options: ConnectionOptions): Slot {
  let opened: Promise<Client> | null = null;
  const forget = (): void => {
    opened = null;
  };
  return {
    open() {
      opened ??= connectToPrimary(options, configuration(options), forget).catch((error: unknown) => {
        forget();
        throw translated(error);
      });
      return opened;
    },
    async close() {
      const client = await opened?.catch(() => null);
      await client?.end();
    },
  };
}

async function connectToPrimary(
  { url: all }: ConnectionOptions,
  settings: ClientConfig,
  broken: () => void,
): Promise<Client> {
  let reason: unknown = null;
  for (const url of urlsOf(all)) {
    const client = new Client({ ...settings, connectionString: url });
    // Until it is connected, whoever waits for the connection gets the error.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows: answer } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      if (answer[0]?.standby === false) {
        client.once('end', broken);
        return client;
      }
      reason = new Error(`${client.host} is a standby`);
    } catch (error) {
      reason = error;
    }
    await client.end().catch(() => undefined);
  }
  throw unavailable(reason);
}

function configuration({ timeout }: ConnectionOptions): ClientConfig & { pipeline: boolean } {
  return {
    pipeline: true,
    stream: createTurnSocket,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    // If the server vanishes silently, nothing else ends the wait.
    query_timeout: 2 * timeout,
    keepAlive: true,
    application_name: 'punchboard',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format ?? 'text'),
    } as ClientConfig['types'],
  };
}

/** True if it only reads, and locks nothing. */
function isPlainRead({ text }: Statement): boolean {
  return /^SELECT\b/.test(text) && !/\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(text);
}

const BIGINT = types.builtins.INT8 as number;

/** One URL for each host of a URL. */
export function urlsOf(url: string): readonly string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${scheme}${host}${rest}`);
}

/** The URL with another database in it. */
export function ofDatabase(url: string, database: string): string {
  return url.replace(
    /^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/,
    (_all, server: string) => `${server}/${encodeURIComponent(database)}`,
  );
}

async function rows(client: Client, call: Call): Promise<readonly Row[]> {
  try {
    return (await sent(client, call)).rows;
  } catch (error) {
    await leaveStandby(client, error);
    throw translated(error);
  }
}

/** A primary that has become a standby stays one: the next statement looks for the new primary. */
async function leaveStandby(client: Client, error: unknown): Promise<void> {
  const { code } = Object(error) as { readonly code?: string };
  if (code === READ_ONLY) await client.end().catch(() => undefined);
}

const READ_ONLY = '25006';

function sent(client: Client, { statement: { name, text }, values }: Call) {
  return client.query<Record<string, Value>>({ name, text, values: [...values] });
}

async function together(client: Client, calls: readonly Call[]): Promise<readonly (readonly Row[])[]> {
  // All in one turn, so that nothing of another transaction comes in between.
  const answers = [client.query('BEGIN'), ...calls.map((call) => sent(client, call)), client.query('COMMIT')];
  const settled = await Promise.allSettled(answers);
  const refused = settled.find((one) => one.status === 'rejected');
  if (refused !== undefined) {
    await leaveStandby(client, refused.reason);
    throw translated(refused.reason);
  }
  return settled.slice(1, -1).map((one) => (one.status === 'fulfilled' ? one.value.rows : []));
}

interface Pools {
  readonly read: Connections['query'];
  readonly own: ReturnType<typeof createOwnSlots>;
}

async function interactive<T>({ read, own }: Pools, work: (query: Connections['query']) => Promise<T>): Promise<T> {
  const transaction: Transaction = { begun: null, isOver: false };
  const query: Connections['query'] = async (statement, values) => {
    // It would be a transaction of its own.
    if (transaction.isOver) throw new Error('a statement was sent after the end of its transaction');
    if (transaction.begun === null && isPlainRead(statement)) return read(statement, values);
    transaction.begun ??= begin(own);
    return rows((await transaction.begun).client, { statement, values });
  };
  try {
    const result = await work(query);
    await end(transaction, commit);
    return result;
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await end(transaction, (client) => client.query('ROLLBACK')).catch(() => undefined);
    throw error;
  } finally {
    const used = await transaction.begun?.catch(() => null);
    if (used) own.giveBack(used.slot);
  }
}

interface Transaction {
  /** Null until its first statement. */
  begun: ReturnType<typeof begin> | null;
  isOver: boolean;
}

async function end(transaction: Transaction, last: (client: Client) => Promise<unknown>): Promise<void> {
  transaction.isOver = true;
  if (transaction.begun !== null) await last((await transaction.begun).client);
}

async function begin(own: Pools['own']) {
  const slot = await own.take();
  try {
    const client = await slot.open();
    // Sent together with the first statement. It fails only where the connection does, and then so does that statement.
    client.query('BEGIN').catch(() => undefined);
    return { slot, client };
  } catch (error) {
    own.giveBack(slot);
    throw error;
  }
}

async function commit(client: Client): Promise<void> {
  const { command } = await client.query('COMMIT').catch(rethrowTranslated);
  // PostgreSQL answers ROLLBACK if a statement failed and the work ignored its error.
  if (command !== 'COMMIT') throw new Error('a transaction could not be committed: a statement of it had failed');
}

function rethrowTranslated(error: unknown): never {
  throw translated(error);
}

/** Errors of the statement itself stay as they are: whoever sent it knows what its constraints mean. */
function translated(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const { code = '' } = Object(error) as { readonly code?: string };
  return error instanceof DatabaseError && !UNAVAILABLE.test(code) ? error : unavailable(error);
}

/** Connection exceptions, too many connections, shutdowns, timeouts, and a primary that has become a standby. */
const UNAVAILABLE = /^(08(?!P01)...|53...|57...|25006)$/;

function unavailable(cause: unknown): ServiceError {
  const error = new ServiceError('unavailable', 'The database is not available; try again.', [], {
    'Retry-After': '1',
  });
  return Object.assign(error, { cause });
}
