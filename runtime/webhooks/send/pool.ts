// Connections that are kept open between attempts. An attempt has a connection to itself and never waits for one.

import { type buildConnector, Client } from 'undici';
import { SENDING } from '../../contract/defaults.js';
import { Fault } from './faults.js';

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
  /** Requests under way fail with `internal` (S19). */
  close(): Promise<void>;
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
export function createPool(dial: buildConnector.connector): Pool {
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
