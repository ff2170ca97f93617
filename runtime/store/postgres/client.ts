// One connection to PostgreSQL: opens it, sends prepared statements, and translates its errors for the service.

import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, Query as PgQuery, type QueryResult, types } from 'pg';
import { POSTGRES_TIMES } from '../../contract/defaults.js';
import { ServiceError } from '../../contract/errors.js';

/** A value of a column: bigint columns hold numbers that JavaScript can represent. */
export type Value = string | number | null;
/** A value of a parameter; a list holds texts. */
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

export interface ConnectionOptions {
  /** `postgres://user@host/database`; of several hosts, separated by commas, the first that is not a standby is used. */
  readonly url: string;
  /**
   * The number of connections for reads, and for single writes; transactions whose statements depend on each other have twice
   * as many. Each is opened when it is needed.
   */
  readonly size: number;
  /** Milliseconds until a connection attempt or a statement counts as failed. */
  readonly timeout: number;
  /** Milliseconds that work waits for a connection before it is refused; `timeout` by default. */
  readonly wait?: number;
}

/** Connects to the first host that is not a standby. @param broken called once the connection has ended */
export async function connectToPrimary(
  { url: all }: ConnectionOptions,
  settings: ClientSettings,
  broken: () => void,
): Promise<Client> {
  let reason: unknown = null;
  for (const url of urlsOf(all)) {
    const client = new Client({ ...settings, connectionString: url });
    // Errors before the connection is open reach the callers that wait for it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (!(await isStandby(client, settings))) {
        client.once('end', broken);
        return client;
      }
      reason = new Error(`${client.host} is a standby`);
    } catch (error) {
      reason = error;
    }
    await client.end().catch(() => undefined);
  }
  throw unavailableError(reason);
}

/**
 * Also sets the time limit of statements, unless the URL has one: poolers refuse settings that they do not know when a connection
 * is opened (N24).
 */
async function isStandby(client: Client, { statementTimeout }: ClientSettings): Promise<boolean> {
  const set = statementTimeout === null ? '' : `, set_config('statement_timeout', '${statementTimeout}', false)`;
  const { rows: answer } = await client.query<{ standby: boolean }>(`SELECT pg_is_in_recovery() AS standby${set}`);
  return answer[0]?.standby !== false;
}

/** The settings of a connection, and the milliseconds that a statement may take; null: the server decides. */
export interface ClientSettings extends ClientConfig {
  readonly pipeline: boolean;
  readonly statementTimeout: number | null;
}

export function configuration({ timeout, url }: ConnectionOptions): ClientSettings {
  return {
    pipeline: true,
    stream: createTurnSocket,
    connectionTimeoutMillis: timeout,
    statementTimeout: /[?&]statement_timeout=/.test(url) ? null : timeout,
    query_timeout: timeout + POSTGRES_TIMES.grace,
    keepAlive: true,
    application_name: 'punchboard',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format ?? 'text'),
    } as ClientConfig['types'],
  };
}

const BIGINT = types.builtins.INT8 as number;

/**
 * A socket that sends everything written in one turn of the event loop together: a system call costs this process more than
 * anything else it does for a statement, and a client makes one for each. A server that vanished does not delay the end.
 */
function createTurnSocket(): Socket {
  const socket = new Socket();
  // `write` cannot be replaced earlier, since connecting restores it.
  socket.once('connect', () => holdWrites(socket));
  // Everything has been answered, and only the end of the other side is outstanding.
  socket.once('finish', () => socket.setTimeout(FAREWELL, () => socket.destroy()));
  return socket;
}

/** Milliseconds in which the server has to close its side. */
const FAREWELL = 1_000;

/** Pieces are joined into one, since a list of pieces costs a create 10 % more processor time. */
function holdWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean;
  let held: Uint8Array[] = [];
  const send = (): void => {
    const pieces = held;
    held = [];
    if (pieces.length > 0) write(Buffer.concat(pieces));
  };
  socket.write = (...written: unknown[]): boolean => {
    const [piece] = written;
    // Only the last message of a connection has further arguments.
    if (written.length > 1 || !(piece instanceof Uint8Array)) {
      send();
      return write(...written);
    }
    // The pieces are sent after everything that promises do in this turn.
    if (held.length === 0) process.nextTick(send);
    held.push(piece);
    return true;
  };
}

/** One URL for each host of a URL. */
export function urlsOf(url: string): readonly string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${scheme}${host}${rest}`);
}

/** The rows of one statement. */
export async function rows(client: Client, call: Call, timeouts: Timeouts): Promise<readonly Row[]> {
  try {
    return (await sent(client, call)).rows;
  } catch (error) {
    // The error's own stack leads to the socket; the new stack leads to the sender of the statement.
    if (error instanceof Error) Error.captureStackTrace(error);
    await leaveUseless(client, error);
    noticeTimeout(error, timeouts);
    throw translateError(error);
  }
}

/** The number of statements that took too long. */
export interface Timeouts {
  count: number;
}

function noticeTimeout(error: unknown, timeouts: Timeouts): void {
  if ((Object(error) as { readonly code?: unknown }).code === QUERY_CANCELED) timeouts.count += 1;
}

const QUERY_CANCELED = '57014';

/** Closes a useless connection, so that the next statement looks for the new primary. */
async function leaveUseless(client: Client, error: unknown): Promise<void> {
  const { code = '' } = Object(error) as { readonly code?: string };
  if (USELESS.test(code)) await client.end().catch(() => undefined);
}

/** The connection leads to a standby, or a pooler has replaced its backend with one that lacks the prepared statements. */
const USELESS = /^(25006|26000|42P05)$/;

/** Created this way, a query is not first copied property by property, which takes 7 % of the processor time of a create. */
function sent(client: Client, { statement, values }: Call): Promise<QueryResult<Record<string, Value>>> {
  const naming = named(client, statement);
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: QueryResult<Record<string, Value>>): void => {
      if (error === null) {
        naming.succeeded?.();
        resolve(result);
      } else {
        naming.failed(error);
        reject(error);
      }
    };
    client.query(Object.assign(new PgQuery(statement.text, values as Value[]), { name: naming.name, callback }));
  });
}

/**
 * The name under which a statement is sent; none while its first use has no answer. Later uses must not rely on the statement
 * being prepared (N22): it is not if the first use waits too long for a lock, or is in a failed transaction.
 */
function named(client: Client, { name }: Statement): StatementName {
  const preparing = preparingOn(client);
  const { as, state } = preparing.get(name) ?? { as: name, state: 'new' };
  if (state === 'new') preparing.set(name, { as, state: 'sent' });
  return {
    name: state === 'sent' ? '' : as,
    succeeded: state === 'new' ? () => void preparing.set(name, { as, state: 'prepared' }) : null,
    failed(error) {
      const isCurrent = preparing.get(name)?.as === as;
      // If several fail because they are outdated, the first gives the statement its next name.
      if (isCurrent && isOutdated(error)) preparing.set(name, { as: `${as}_`, state: 'new' });
      else if (isCurrent && state === 'new') preparing.set(name, { as, state: 'new' });
    },
  };
}

/**
 * Another server's migration has changed the columns that the prepared statement returns. PostgreSQL refuses the statement from
 * then on without executing it, so it has to be prepared again under another name.
 */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

function preparingOn(client: Client): Map<string, PreparedState> {
  const known = PREPARING.get(client);
  if (known !== undefined) return known;
  const preparing = new Map<string, PreparedState>();
  PREPARING.set(client, preparing);
  return preparing;
}

interface StatementName {
  readonly name: string;
  /** To be called once the statement has succeeded; null: a success is of no interest. */
  readonly succeeded: (() => void) | null;
  /** To be called if the statement has failed. */
  failed(error: Error): void;
}

/** How far a statement is prepared on a connection. */
interface PreparedState {
  /** Its name there, a character longer each time it had to be prepared again. */
  readonly as: string;
  readonly state: 'new' | 'sent' | 'prepared';
}

const PREPARING = new WeakMap<Client, Map<string, PreparedState>>();

/** Sends all statements of one transaction together. @returns the rows of each */
export async function runTransaction(
  client: Client,
  calls: readonly Call[],
  timeouts: Timeouts,
): Promise<readonly (readonly Row[])[]> {
  // All are sent in one turn of the event loop, so that no statement of another transaction comes between.
  const answers = [client.query('BEGIN'), ...calls.map((call) => sent(client, call)), client.query('COMMIT')];
  const settled = await Promise.allSettled(answers);
  const refused = settled.find((one) => one.status === 'rejected');
  if (refused !== undefined) {
    await leaveUseless(client, refused.reason);
    noticeTimeout(refused.reason, timeouts);
    throw translateError(refused.reason);
  }
  return settled.slice(1, -1).map((one) => (one.status === 'fulfilled' ? one.value.rows : []));
}

export async function commit(client: Client): Promise<void> {
  const { command } = await client.query('COMMIT').catch(rethrowTranslated);
  // PostgreSQL answers ROLLBACK if a statement failed and the work ignored its error.
  if (command !== 'COMMIT') throw new Error('a transaction could not be committed: a statement of it had failed');
}

export function rethrowTranslated(error: unknown): never {
  throw translateError(error);
}

/** Errors of the statement itself are not translated: its sender knows the meaning of its constraints. */
export function translateError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const { code = '' } = Object(error) as { readonly code?: string };
  return error instanceof DatabaseError && !UNAVAILABLE.test(code) ? error : unavailableError(error);
}

/** Connection exceptions, too many connections, shutdowns, timeouts, and useless connections. */
const UNAVAILABLE = /^(08(?!P01)...|53...|57...|25006|26000|42P05)$/;

export function unavailableError(cause: unknown): ServiceError {
  const error = new ServiceError('unavailable', 'The database is not available; try again.', [], {
    'Retry-After': '1',
  });
  return Object.assign(error, { cause });
}
