// Writes responses: the only place that sets headers and turns thrown values into responses.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { entityTag } from '../contract/conditions.js';
import { REQUESTS } from '../contract/defaults.js';
import type { Answer } from '../operations/call.js';
import type { BufferLimits } from './buffer-limits.js';
import { classifyError } from './errors.js';
import type { Clock, Exchange } from './exchange.js';
import { createAlertLog, createRequestLog, logBug } from './log.js';
import type { RequestMetrics } from './metrics.js';
import type { Notice } from './notice.js';
import type { Profile } from './profiles.js';

export interface ResponderContext {
  readonly profile: Profile;
  /** Null: no log. */
  readonly log: Logger | null;
  readonly metrics: RequestMetrics | null;
  readonly clock: Clock;
  readonly bufferLimits: BufferLimits;
  newRequestId(): string;
}

export interface Responder {
  /** Starts the exchange of a request; its labels stay `-` until its route is known. */
  begin(req: IncomingMessage, res: ServerResponse): Exchange;
  /** @param dropped names to list with the ignored parameters (D19) */
  answer(exchange: Exchange, answer: Answer, dropped: readonly string[]): void;
  /** Responds with an error to anything that was thrown. Cuts the connection if a response had already begun. */
  error(exchange: Exchange, thrown: unknown): void;
  /** For handlers that write their own response: sets common headers, counts the response at its start, logs it at its end. */
  watch(exchange: Exchange): void;
  /** Announces in a watched response that it uses something deprecated (D38). */
  warn(exchange: Exchange, notice: Notice): void;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers that HTTP requires with a status, unless the error has its own. */
const REQUIRED_HEADERS: ReadonlyMap<number, FlatHeaders> = new Map([
  [401, ['WWW-Authenticate', 'Bearer']],
  [503, ['Retry-After', '1']],
]);

export function createResponder(context: ResponderContext): Responder {
  const { profile, log, metrics, clock } = context;
  const [before, after] = profile.envelope;
  const fixed: FlatHeaders = [...JSON_SECURITY, 'Cache-Control', 'no-store'];

  const reportAlert = createAlertLog(log);
  const logRequest = createRequestLog(log);
  // This runs before the response is written, so that a killed process has counted everything that it has sent.
  const count = (exchange: Exchange, status: number) => {
    const milliseconds = clock.tick() - exchange.started;
    metrics?.observe(exchange, status, milliseconds);
    logRequest?.(exchange, { status, milliseconds, now: clock.now() });
  };

  return {
    begin(req, res) {
      const { 'x-request-id': id, traceparent: trace } = req.headers;
      return {
        req,
        res,
        requestId: typeof id === 'string' && REQUEST_ID.test(id) ? id : context.newRequestId(),
        trace: typeof trace === 'string' && TRACEPARENT.test(trace) ? trace : undefined,
        started: clock.tick(),
        method: req.method ?? '',
        pattern: '-',
        resource: '-',
        operation: '-',
        client: '',
        record: null,
        version: undefined,
        notice: null,
        watched: false,
      };
    },

    answer(exchange, answer, dropped) {
      // A client that does not read makes the server buffer the response; past the limit it becomes an error instead.
      if (answer.body.length > REQUESTS.countedResponse)
        context.bufferLimits.lease(exchange.client, exchange.res).hold(answer.body.length);
      const status = answer.status === 201 ? profile.created : answer.status;
      const headers = fixed.concat('Content-Type', JSON_TYPE, 'X-Request-Id', exchange.requestId);
      if (status === 201 && answer.location !== undefined) headers.push('Location', answer.location);
      if (answer.version !== undefined) headers.push('ETag', entityTag(answer.version));
      const ignored = answer.ignored === undefined ? dropped : [...answer.ignored, ...dropped];
      if (ignored.length > 0) addIgnored(headers, ignored);
      if (exchange.notice !== null || exchange.version !== undefined) addNotice(headers, exchange);
      count(exchange, status);
      write(exchange, status, headers, before + answer.body + after);
    },

    error(exchange, thrown) {
      const { error, bug } = classifyError(thrown);
      if (bug !== null && log !== null) logBug(log, exchange, bug);
      reportAlert(error, clock.now());
      if (exchange.res.headersSent) {
        exchange.res.destroy();
        return;
      }
      const { status, type, text } = profile.error(error, exchange.requestId, isWrite(exchange));
      const headers = fixed.concat('Content-Type', type, 'X-Request-Id', exchange.requestId);
      for (const [name, value] of Object.entries(error.headers)) headers.push(name, value);
      addIgnored(headers, error.ignored);
      addNotice(headers, exchange);
      if (Object.keys(error.headers).length === 0) {
        // A session would help, whatever the status (D07).
        headers.push(...(REQUIRED_HEADERS.get(error.code === 'login_required' ? 401 : status) ?? []));
      }
      if (!exchange.watched) count(exchange, status);
      write(exchange, status, headers, text);
    },

    watch(exchange) {
      const { res } = exchange;
      exchange.watched = true;
      setHeaders(res, FILE_SECURITY);
      res.setHeader('X-Request-Id', exchange.requestId);
      beforeHead(res, (status) => metrics?.observe(exchange, status, clock.tick() - exchange.started));
      res.once('close', () => {
        const milliseconds = clock.tick() - exchange.started;
        logRequest?.(exchange, { status: res.statusCode, milliseconds, now: clock.now() });
      });
    },

    warn(exchange, notice) {
      exchange.notice = notice;
      setHeaders(exchange.res, notice.headers);
    },
  };
}

/** Whether it creates, updates or deletes a record; a session is not a record. */
function isWrite({ resource, operation }: Exchange): boolean {
  return resource !== 'session' && ['create', 'update', 'delete'].includes(operation);
}

/** Calls back before the head is written. */
function beforeHead(res: ServerResponse, call: (status: number) => void): void {
  const { writeHead } = res;
  res.writeHead = (status: number, ...rest: never[]) => {
    call(status);
    return writeHead.call(res, status, ...rest);
  };
}

function addIgnored(headers: string[], ignored: readonly string[]): void {
  const names = nameList(ignored);
  if (names !== '') headers.push('Ignored-Parameters', names);
}

/** The dates of a deprecated item that a request uses come before those of the version that its caller named. */
function addNotice(headers: string[], { notice, version }: Exchange): void {
  if (notice !== null) headers.push(...notice.headers);
  if (version === undefined) return;
  const isNew = (_: string, at: number, all: FlatHeaders) => !notice?.headers.includes(all[at - (at % 2)] ?? '');
  headers.push(...(notice === null ? version.headers : version.headers.filter(isNew)));
}

function write({ req, res }: Exchange, status: number, headers: string[], body: string): void {
  headers.push('Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(status, headers);
  if (req.method === 'HEAD') res.end();
  else res.end(body);
}

/** Names and values in turn, as writeHead takes them. */
export type FlatHeaders = readonly string[];

/** Sets them for a response that other code writes. */
function setHeaders(res: ServerResponse, headers: FlatHeaders): void {
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

/** A text that is opened like a page runs no script, loads nothing, and is not framed to trick its reader. */
const NOT_A_PAGE: FlatHeaders = ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"];
/** Anyone who has a file's address may show it on their own page (D25), isolated pages included. */
const SHOWN_ANYWHERE: FlatHeaders = ['Cross-Origin-Resource-Policy', 'cross-origin'];
/** A file's address is its key: links in a drawing or document do not pass it on. */
const KEPT_ADDRESS: FlatHeaders = ['Referrer-Policy', 'no-referrer'];
/** Later requests, with their sessions, are not sent unencrypted, even if a link or a network says so. */
const ENCRYPTED: FlatHeaders = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'];
/** Values that callers have chosen are not taken for HTML or a script. */
const OF_ITS_TYPE: FlatHeaders = ['X-Content-Type-Options', 'nosniff'];

/**
 * The headers of JSON; a test compares them with helmet's. Programs read JSON and it has no links, so that nothing embeds it or
 * is reached from it; `frame-ancestors` says what X-Frame-Options would.
 */
export const JSON_SECURITY: FlatHeaders = [...NOT_A_PAGE, ...ENCRYPTED, ...OF_ITS_TYPE];
/** The headers of files and all other responses. */
export const FILE_SECURITY: FlatHeaders = [
  ...NOT_A_PAGE,
  ...SHOWN_ANYWHERE,
  ...KEPT_ADDRESS,
  ...ENCRYPTED,
  ...OF_ITS_TYPE,
];

const MAX_NAME = 64;
const MAX_LIST = 1024;

/** Parameter names for a header (D19): printable ASCII without commas; each name and the whole list are truncated. */
export function nameList(names: readonly string[]): string {
  let list = '';
  for (const name of names) {
    const safe = name.slice(0, MAX_NAME).replace(/[^\x21-\x7e]|,/g, '?');
    if (safe === '') continue;
    if (list.length + safe.length + 2 > MAX_LIST) return `${list}, ...`;
    list += list === '' ? safe : `, ${safe}`;
  }
  return list;
}

/** A client's request id that is fit for logs and headers. */
const REQUEST_ID = /^[\w.:~+/=-]{1,128}$/;
/** A `traceparent` of version 00 of the W3C's Trace Context; any other is ignored. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
