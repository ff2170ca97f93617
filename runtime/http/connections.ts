// Closes connections that the client keeps open: after a request that was not HTTP, after a response that was sent before
// the body was read, with half a request when the server stops, and where one address holds too many of them.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasBody } from './body.js';
import { addressKey } from './rate-limit.js';

/** Milliseconds for a response to reach a client that keeps its side open. */
const GRACE = 1_000;
/** How much of a body is read and dropped after its response: most clients read the response only once they have sent everything. */
const LEFTOVER = { bytes: 32 * 1024 * 1024, milliseconds: 30_000, check: 100 };

/** The latest response of each open connection; null before its first request. */
type Connections = Map<Socket, ServerResponse | null>;

const CONNECTIONS = new WeakMap<Server, Connections>();
/** Responses to requests that wait for `100 Continue`, and whether their connection would be kept alive. */
const EXPECTING = new WeakMap<ServerResponse, boolean>();

/**
 * Starts tracking the connections of a server that does not listen yet.
 * @param most how many it holds; for one more, another one is cut
 */
export function watchConnections(server: Server, most: number): void {
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

/** How many connections are open. */
export function countConnections(server: Server): number {
  return CONNECTIONS.get(server)?.size ?? 0;
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
export function cutUnread(server: Server): void {
  for (const [socket, res] of CONNECTIONS.get(server) ?? []) {
    if (WAITS.some((waits) => waits(res))) socket.destroy();
  }
}

/** What a connection waits for that no response is owed to: a first request, the rest of one, the next one. */
const WAITS: readonly ((latest: ServerResponse | null) => boolean)[] = [
  (latest) => latest === null,
  (latest) => latest?.req.complete === false,
  (latest) => latest?.writableFinished === true,
];

/** Of the address that has the most connections, the one that has waited longest; null if all of them are owed a response. */
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
      const found = sockets.find(
        (socket) => socket !== newest && !socket.destroyed && waits(connections.get(socket) ?? null),
      );
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** Sends the last response of a connection and cuts it soon after, whatever the other side does. */
export function endSoon(socket: Duplex, response: string): void {
  const cut = setTimeout(() => socket.destroy(), GRACE);
  socket.once('close', () => clearTimeout(cut));
  socket.end(response);
}

function boundLeftover(this: ServerResponse): void {
  const { req } = this;
  if (req.complete) return;
  const { socket } = req;
  const before = socket.bytesRead;
  let left = LEFTOVER.milliseconds / LEFTOVER.check;
  const check = setInterval(() => {
    left -= 1;
    if (req.complete || socket.destroyed) clearInterval(check);
    else if (left <= 0 || socket.bytesRead - before > LEFTOVER.bytes) socket.destroy();
  }, LEFTOVER.check);
}
