// What the service knows about its database server, and how many of its connections one process uses. A file has no server.

/** Limits for the use of the database server; times are milliseconds. */
export interface ServerLimits {
  /** The most connections that a process opens. */
  readonly connections: number;
  /** The time after which a connection attempt or a statement counts as failed. */
  readonly timeout: number;
  /** The time after which work that waits for a connection is refused. */
  readonly wait: number;
}

export interface DatabaseServer {
  metrics(): ConnectionMetrics;
  /** The number of connections that the server accepts from all clients together. */
  readMaxConnections(): Promise<number>;
}

/** The connections of this process. */
export interface ConnectionMetrics {
  /** Pools for reads, single writes, and transactions whose statements depend on each other. */
  readonly pools: Readonly<Record<'read' | 'write' | 'transaction', PoolMetrics>>;
  /** Statements that timed out since the start. */
  readonly timeouts: number;
}

export interface PoolMetrics {
  /** All connections, those at work, and those at work that have not answered for a while. */
  readonly open: number;
  readonly busy: number;
  readonly stalled: number;
  /** How many pieces of work wait for a connection now. */
  readonly waiting: number;
  /** How many waited for a connection, were refused after waiting, or were repeated on a second connection, since the start. */
  readonly waits: number;
  readonly refusals: number;
  readonly repeats: number;
  /** Total seconds of those waits. */
  readonly waited: number;
}
