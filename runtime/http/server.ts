// The HTTP server: creates it for this version of Node with its limits, and stops it.
import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { SharedReads } from '../store/engine.js';
import { countConnections, cutUnread, endSoon, watchConnections } from './connections.js';
import { connectionsWithin, readLimits } from './descriptors.js';

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Milliseconds. An upload of 50 MiB over a slow line must fit into requestTimeout. */
  requestTimeout: 300_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  /** Longer than the usual 60 seconds of load balancers, so that they are the ones to close. */
  keepAliveTimeout: 65_000,
};

/**
 * A server that does not listen yet.
 *
 * Express sets the prototype of every request and response, which makes Node before 24 five times slower. There, both
 * are created with the prototypes that Express would set; from 24 on, plain Express is faster.
 * @param nodeMajor 22 for Node 22.1.0
 * @param most connections that it holds
 */
export function createServer(
  app: Express,
  nodeMajor: number,
  most: number = connectionsWithin(readLimits()),
): http.Server {
  const options = nodeMajor < 24 ? { ...LIMITS, ...expressClasses(app) } : LIMITS;
  const server = http.createServer(options, app);
  server.maxRequestsPerSocket = 0;
  server.on('clientError', answerBadRequest);
  watchConnections(server, most);
  return server;
}

/** Classes for this app that inherit from Express's prototypes: what Express sets is then already set. */
function expressClasses(app: Express): Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class Request extends http.IncomingMessage {}
  class Response<R extends http.IncomingMessage = http.IncomingMessage> extends http.ServerResponse<R> {}
  const prototypes = app as unknown as { request: object; response: object };
  Object.setPrototypeOf(Request.prototype, prototypes.request);
  Object.setPrototypeOf(Response.prototype, prototypes.response);
  prototypes.request = Request.prototype;
  prototypes.response = Response.prototype;
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** Node takes up to 1,024 events at a time, and if there were as many, looks for more in the same turn. */
const ONE_TURN = 1_000;

/**
 * Requests that are received in one turn of the event loop were all sent before it began: their reads may be shared.
 * @param most connections with which that holds; with more of them, a turn may receive what was sent during it
 */
export function shareReads(server: http.Server, reads: SharedReads, most = ONE_TURN): void {
  server.prependListener('request', (_req, res) => {
    // Except one that waits for the answer to an earlier one of its connection, and so has no socket yet.
    if (res.socket === null || countConnections(server) > most) reads.end();
    reads.begin();
  });
}

const BY_ERROR: ReadonlyMap<string | undefined, { readonly status: number; readonly code: string }> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, code: 'too_large' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'malformed' }],
]);

/** A request that is not valid HTTP never reaches a profile: the response is the same in both. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code } = BY_ERROR.get(error.code) ?? { status: 400, code: 'malformed' };
  const title = http.STATUS_CODES[status];
  const detail = 'The request is not valid HTTP.';
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, errors: [] });
  endSoon(
    socket,
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const IDLE_CHECK = 50;
/** Milliseconds for a request to arrive in full once the server stops. */
const UNREAD = 5_000;

/**
 * Stops accepting, lets requests in flight finish, and closes connections as they become idle.
 * Resolves when all are closed. Connections still open after `deadline` milliseconds are cut, and after `unread`
 * milliseconds those that have not sent a whole request.
 */
export function stop(server: http.Server, deadline: number, unread = UNREAD): Promise<void> {
  return new Promise((resolve) => {
    // A connection that becomes idle after close() would stay open until its keep-alive timeout.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK);
    const cuts = [
      setTimeout(() => cutUnread(server), unread),
      setTimeout(() => server.closeAllConnections(), deadline),
    ];
    server.close(() => {
      clearInterval(idle);
      for (const cut of cuts) clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
