// The service's log: one line per request, and bugs with their stack. It never contains a secret, a key or a query string.

import { type DestinationStream, type Logger, pino } from 'pino';
import { UPKEEP } from '../contract/defaults.js';
import type { ErrorCode, ServiceError } from '../contract/errors.js';
import type { Exchange } from './exchange.js';

const SECRETS = new Set(['password', 'session_id', 'session', 'private_key', 'access_key', 'authorization', 'cookie']);
const MAX_DEPTH = 4;

/** @param level least severe of pino's levels that is logged @param destination standard output by default */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // No secret is logged on purpose; this is for objects that are logged whole. Pino's own `redact` with
    // wildcards costs more than the rest of a request.
    formatters: { log: (object: Record<string, unknown>) => withoutSecrets(object, MAX_DEPTH) },
    serializers: { err: shownError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function withoutSecrets(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (SECRETS.has(name.toLowerCase())) safe[name] = '[secret]';
    else if (typeof value !== 'object' || value === null || value instanceof Error) safe[name] = value;
    else if (depth === 0) safe[name] = '[deep]';
    else safe[name] = withoutSecrets(value as Record<string, unknown>, depth - 1);
  }
  return safe;
}

/** Type, message and stack: other properties of an error may hold parameters. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  return { type: error.name, message: error.message, stack: error.stack };
}

export interface Response {
  readonly status: number;
  /** Time to the response. */
  readonly milliseconds: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Logs one line per request at info; null if such lines are not logged. The path is logged as its pattern, an id only if it is
 * a record's and not a session's. The line is put together here in pino's format: composing it from an object takes as long as
 * reading a record. Methods, patterns, request ids and traces hold no characters that JSON escapes.
 */
export function createRequestLog(log: Logger | null): ((exchange: Exchange, response: Response) => void) | null {
  if (log === null || !log.isLevelEnabled('info')) return null;
  const destination = (log as unknown as Readonly<Record<symbol, DestinationStream>>)[pino.symbols.streamSym];
  if (destination === undefined) return null;
  return ({ requestId, trace, method, pattern, record }, { status, milliseconds, now }) => {
    const id = record === null ? '' : `,"id":${JSON.stringify(record)}`;
    const traced = trace === undefined ? '' : `,"traceparent":"${trace}"`;
    const ms = Math.round(milliseconds * 1000) / 1000;
    destination.write(
      `{"level":30,"time":${now},"request_id":"${requestId}"${traced},"method":"${method}","route":"${pattern}"${id},` +
        `"status":${status},"ms":${ms},"msg":"request"}\n`,
    );
  };
}

/** Refusals that an operator must know about, because no client caused them, and their log levels. */
const ALERTS: ReadonlyMap<ErrorCode, 'error' | 'warn'> = new Map([
  ['storage_full', 'error'],
  ['unavailable', 'warn'],
]);

/** @returns a function that logs refusals an operator must know about; `now` in epoch milliseconds */
export function createAlertLog(log: Logger | null): (error: ServiceError, now: number) => void {
  const last = new Map<ErrorCode, number>();
  return ({ code, message }, now) => {
    const level = ALERTS.get(code);
    const before = last.get(code);
    if (log === null || level === undefined || (before !== undefined && Math.abs(now - before) < UPKEEP.alert)) return;
    last.set(code, now);
    log[level]({ code }, `requests are refused: ${message}`);
  };
}

/** Logs a thrown value that is not a ServiceError. */
export function logBug(log: Logger, exchange: Exchange, thrown: unknown): void {
  const err = thrown instanceof Error ? thrown : new Error(String(thrown));
  log.error({ request_id: exchange.requestId, route: exchange.pattern, err }, err.message);
}
