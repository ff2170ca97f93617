// The HTTP server: creates it for this version of Node with its limits, and stops it. It closes connections that the client
// keeps open: after a request that was not HTTP, after a response that was sent before the body was read, with half a request
// when the server stops, and where one address holds too many of them.

import type { Server, ServerResponse } from 'node:http';
import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { HTTP_CONNECTIONS, STOPPING } from '../contract/defaults.js';
import type { SharedReads } from '../store/engine.js';
import { hasBody } from './body.js';
import { connectionsWithin, readLimits } from './descriptors.js';
import { addressKey } from './rate-limit.js';

const LIMITS = {
  maxHeaderSize: HTTP_CONNECTIONS.headBytes,
  requestTimeout: HTTP_CONNECTIONS.request,
  headersTimeout: HTTP_CONNECTIONS.head,
  connectionsCheckingInterval: HTTP_CONNECTIONS.checking,
  keepAliveTimeout: HTTP_CONNECTIONS.keepAlive,
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
  const connections = CONNECTIONS.get(server);
  server.prependListener('request', (_req, res) => {
    // A request that waits for the answer to an earlier one of its connection has no socket yet, and ends the turn as well.
    if (res.socket === null || (connections?.size ?? 0) > most) reads.end();
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
  endWithResponse(
    socket,
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Stops accepting, lets requests in flight finish, and closes connections as they become idle.
 * Resolves when all are closed. Connections still open after `deadline` milliseconds are cut, and after `unread`
 * milliseconds those that have not sent a whole request.
 */
export function stop(server: http.Server, deadline: number, unread = STOPPING.unread): Promise<void> {
  return new Promise((resolve) => {
    // A connection that becomes idle after close() would stay open until its keep-alive timeout.
    const idle = setInterval(() => server.closeIdleConnections(), STOPPING.idleCheck);
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

/** The latest response of each open connection; null before its first request. */
type Connections = Map<Socket, ServerResponse | null>;

const CONNECTIONS = new WeakMap<Server, Connections>();
/** Responses to requests that wait for `100 Continue`, and whether their connection would be kept alive. */
const EXPECTING = new WeakMap<ServerResponse, boolean>();

/**
 * Starts tracking the connections of a server that does not listen yet.
 * @param most how many it holds; a further one cuts another
 */
function watchConnections(server: Server, most: number): void {
  const connections: Connections = new Map();
  CONNECTIONS.set(server, connections);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
    if (connections.size > most) (leastNeeded(connections, socket) ?? socket).destroy();
  });
  server.prependListener('request', (req, res) => {
    if (connections.has(req.socket)) connections.set(req.socket, res);
    if (hasBody(req)) res.on('finish', boundLeftover);
  });
  server.on('checkContinue', (req, res) => {
    // Without a body there is nothing to check first, and Node closes a connection whose 100 Continue is omitted.
    if (!hasBody(req)) {
      res.writeContinue();
      return server.emit('request', req, res);
    }
    EXPECTING.set(res, res.shouldKeepAlive);
    // If the request is refused, the client sends no body, and its next request would be mistaken for one.
    res.shouldKeepAlive = false;
    return server.emit('request', req, res);
  });
}

/** Tells a client that waits for `100 Continue` to send its body. */
export function continueReading(res: ServerResponse): void {
  const keepAlive = EXPECTING.get(res);
  if (keepAlive === undefined) return;
  EXPECTING.delete(res);
  res.shouldKeepAlive = keepAlive;
  res.writeContinue();
}

/** Runs `work` when the response has ended, sent or not; immediately if it already has. */
export function onClose(response: ServerResponse, work: () => void): void {
  if (response.closed) work();
  else response.once('close', work);
}

/** Cuts the connections that wait for a request or the rest of one; those that wait for a response stay. */
function cutUnread(server: Server): void {
  for (const [socket, res] of CONNECTIONS.get(server) ?? []) {
    if (WAITS.some((waits) => waits(res))) socket.destroy();
  }
}

/** What a connection may wait for while no response is owed to it: a first request, the rest of one, the next one. */
const WAITS: readonly ((latest: ServerResponse | null) => boolean)[] = [
  (latest) => latest === null,
  (latest) => latest?.req.complete === false,
  (latest) => latest?.writableFinished === true,
];

/** The connection that has waited longest, of the address that has the most; null if all of them are owed a response. */
function leastNeeded(connections: Connections, newest: Socket): Socket | null {
  const byAddress = new Map<string, Socket[]>();
  for (const socket of connections.keys()) {
    const key = addressKey(socket.remoteAddress ?? '');
    const others = byAddress.get(key);
    if (others === undefined) byAddress.set(key, [socket]);
    else others.push(socket);
  }
  const addresses = [...byAddress.values()].sort((one, other) => other.length - one.length);
  for (const sockets of addresses) {
    for (const waits of WAITS) {
      const match = sockets.find(
        (socket) => socket !== newest && !socket.destroyed && waits(connections.get(socket) ?? null),
      );
      if (match !== undefined) return match;
    }
  }
  return null;
}

/** Sends the last response of a connection and cuts it soon after, even if the client goes on sending. */
function endWithResponse(socket: Duplex, response: string): void {
  const cut = setTimeout(() => socket.destroy(), HTTP_CONNECTIONS.lastResponse);
  socket.once('close', () => clearTimeout(cut));
  socket.end(response);
}

function boundLeftover(this: ServerResponse): void {
  const { req } = this;
  if (req.complete) return;
  const { socket } = req;
  const before = socket.bytesRead;
  const { leftover } = HTTP_CONNECTIONS;
  let left = leftover.milliseconds / leftover.check;
  const check = setInterval(() => {
    left -= 1;
    if (req.complete || socket.destroyed) clearInterval(check);
    else if (left <= 0 || socket.bytesRead - before > leftover.bytes) socket.destroy();
  }, leftover.check);
}
