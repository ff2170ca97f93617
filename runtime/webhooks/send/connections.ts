// The connections of callbacks: opened only here, where every address passes the guard first, and kept open between attempts. An
// attempt has a connection to itself and never waits for one.

import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { SENDING } from '../../contract/defaults.js';
import { type Guard, isLiteral } from '../../rules/address.js';
import { dialFault, Fault } from './faults.js';
import { createLookup, type Resolve, systemResolve } from './resolve.js';

export interface AttemptConnection {
  readonly client: Client;
  /** An earlier attempt used it; the receiver may have closed it meanwhile, unnoticed. */
  readonly reused: boolean;
  /** The answer was read to its end: the next attempt may have the connection. */
  release(): void;
  /** Closes the socket immediately; the request under way fails with `fault`. */
  end(fault?: Fault): void;
}

export interface Pool {
  /** The connection to `origin` that was used last, or a new one. */
  take(origin: string): AttemptConnection;
  /** A connection that has not been used yet. */
  open(origin: string): AttemptConnection;
  /** Ends everything under way: requests fail with `internal` (S19). */
  close(): Promise<void>;
}

export interface PoolOptions extends Omit<DialOptions, 'lookup'> {
  /** Absent: names are resolved as the machine does. */
  readonly resolve?: Resolve;
}

/** The most bytes of an answer's head and of its body; more is a fault. */
const HEAD_MAX = 16_384;
const BODY_MAX = 65_536;
const IDLE_MAX = 512;

const OPTIONS: Client.Options = {
  pipelining: 1,
  maxHeaderSize: HEAD_MAX,
  maxResponseSize: BODY_MAX,
  // The one deadline is the attempt's.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: SENDING.idle,
  keepAliveMaxTimeout: SENDING.idle,
};

/**
 * This does not use undici's Agent, which dials once more for each request that is aborted (measured with 7.30.2), lets
 * requests queue behind others (I12), and bounds origins rather than connections. A Client that is destroyed does not dial.
 */
export function createPool({ resolve = systemResolve(), ...options }: PoolOptions): Pool {
  const { dial, close } = createDialler({ ...options, lookup: createLookup(options.guard, resolve) });
  const idle = new Idle();
  const open = new Set<PooledConnection>();
  const create = (origin: string): PooledConnection => {
    const client = new Client(origin, { ...OPTIONS, connect: dial });
    const connection = new PooledConnection(origin, client, idle, () => open.delete(connection));
    open.add(connection);
    return connection;
  };
  return {
    take: (origin) => idle.take(origin) ?? create(origin),
    open: create,
    close: async () => {
      const clients = [...open].map(({ client }) => client);
      for (const connection of open) connection.end(new Fault('internal'));
      await Promise.all(clients.map((client) => client.destroy()));
      close();
    },
  };
}

class PooledConnection implements AttemptConnection {
  reused = false;
  private connected = false;
  private ended = false;

  constructor(
    readonly origin: string,
    readonly client: Client,
    private readonly idle: Idle,
    private readonly forget: () => void,
  ) {
    client.on('connect', () => {
      this.connected = true;
    });
    client.on('disconnect', () => {
      this.connected = false;
      if (idle.remove(this)) this.end();
    });
  }

  release(): void {
    if (!this.connected || this.ended || this.idle.size >= IDLE_MAX) {
      this.end();
      return;
    }
    this.reused = true;
    this.idle.add(this);
  }

  end(fault: Fault | null = null): void {
    if (this.ended) return;
    this.ended = true;
    this.idle.remove(this);
    this.forget();
    this.client.destroy(fault, () => undefined);
  }
}

/** Connections that wait for an attempt, by origin, the one used last at the end. */
class Idle {
  size = 0;
  private readonly origins = new Map<string, PooledConnection[]>();

  add(connection: PooledConnection): void {
    this.size += 1;
    const same = this.origins.get(connection.origin);
    if (same === undefined) this.origins.set(connection.origin, [connection]);
    else same.push(connection);
  }

  take(origin: string): PooledConnection | undefined {
    const last = this.origins.get(origin)?.at(-1);
    if (last !== undefined) this.remove(last);
    return last;
  }

  /** @returns whether it was idle */
  remove(connection: PooledConnection): boolean {
    const same = this.origins.get(connection.origin);
    const place = same?.lastIndexOf(connection) ?? -1;
    if (same === undefined || place < 0) return false;
    same.splice(place, 1);
    if (same.length === 0) this.origins.delete(connection.origin);
    this.size -= 1;
    return true;
  }
}

interface Dialler {
  /** undici's `connect`; fails with a Fault. */
  readonly dial: buildConnector.connector;
  /** Ends every dial that is under way. */
  close(): void;
}

interface DialOptions {
  readonly guard: Guard;
  readonly lookup: LookupFunction;
  /** Milliseconds that opening a connection may take, name and TLS included. */
  readonly limit: number;
  /** Certificates to trust instead of the system's, PEM. */
  readonly authorities?: string;
}

/** The most bytes that the parser of answers gets in one piece. */
const CHUNK = 512;

/** Opens connections for a pool. Each is checked: there is no cache of names, addresses or TLS sessions. */
export function createDialler(options: DialOptions): Dialler {
  const dialling = new Set<Socket>();
  return {
    dial: (target, callback) => {
      // Sockets do not look up literals, so the guard of the lookup would not see them (measured).
      if (isLiteral(target.hostname) && !options.guard.allows(target.hostname)) {
        process.nextTick(callback, new Fault('blocked'), null);
        return;
      }
      awaitHandshake(open(target, options), target.protocol === 'https:', { limit: options.limit, dialling, callback });
    },
    close: () => {
      for (const socket of dialling) socket.destroy(new Fault('internal'));
    },
  };
}

function open(target: buildConnector.Options, options: DialOptions): Socket {
  const secure = target.protocol === 'https:';
  const address = {
    host: target.hostname,
    port: Number(target.port === '' ? (secure ? 443 : 80) : target.port),
    lookup: options.lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: SENDING.address,
    noDelay: true,
  };
  if (!secure) return connectTcp(address);
  return connectTls({
    ...address,
    // No SNI for literals; the certificate is checked against `host` then.
    ...(isLiteral(target.hostname) ? {} : { servername: target.hostname }),
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // This is explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
}

interface Handshake {
  readonly limit: number;
  readonly dialling: Set<Socket>;
  readonly callback: buildConnector.Callback;
}

/** Calls back once: with the socket when it is ready for HTTP, or with the Fault of the phase that failed. */
function awaitHandshake(socket: Socket, secure: boolean, { limit, dialling, callback }: Handshake): void {
  let phase: 'connect' | 'tls' = 'connect';
  const timer = setTimeout(() => socket.destroy(new Fault('timeout')), limit);
  dialling.add(socket);
  /** False after the first time. */
  const finish = (): boolean => {
    clearTimeout(timer);
    return dialling.delete(socket);
  };
  // This listener is not removed: a second error of a failed handshake must not end the process.
  socket.on('error', (error) => {
    if (finish()) callback(dialFault(error, phase), null);
  });
  if (secure) {
    socket.once('connect', () => {
      phase = 'tls';
    });
  }
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    if (finish()) callback(null, readInChunks(socket));
  });
}

/**
 * Past the limit of a head, undici parses the rest of the piece it was given, and creates an error for every header in it:
 * a flood of short headers took 70 ms of CPU an attempt (measured), and takes 10 ms in chunks.
 */
function readInChunks(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    return size === undefined && socket.readableLength > CHUNK ? read(CHUNK) : read(size);
  };
  return socket;
}
