// What the service knows of the server of its database, and how much of it one process takes. A file has none.

/** Milliseconds, and a number of connections. */
export interface Reach {
  /** Connections that a process opens at most. */
  readonly connections: number;
  /** Until a connection attempt or a statement counts as failed. */
  readonly timeout: number;
  /** Until what waits for a connection is refused. */
  readonly wait: number;
}

/** Unless the operator says otherwise. */
export const REACH: Reach = { connections: 24, timeout: 10_000, wait: 5_000 };

/** There is one for each kind of work, and transactions have as many as the others together. */
export const FEWEST_CONNECTIONS = 4;

export interface DatabaseServer {
  figures(): ConnectionFigures;
  /** Connections that it accepts, from all its clients together. */
  room(): Promise<number>;
}

/** The connections of this process. */
export interface ConnectionFigures {
  /** For reads, single writes, and transactions whose statements depend on each other. */
  readonly pools: Readonly<Record<'read' | 'write' | 'transaction', PoolFigures>>;
  /** Statements that took too long, since the start. */
  readonly timeouts: number;
}

export interface PoolFigures {
  /** Connections; those that have work, and those of them that have not answered for a while. */
  readonly open: number;
  readonly busy: number;
  readonly stalled: number;
  /** What waits for a connection now. */
  readonly waiting: number;
  /** What had to wait for a connection, was refused after that, or was sent on a second one, since the start. */
  readonly waits: number;
  readonly refusals: number;
  readonly repeats: number;
  /** Seconds of all those waits together. */
  readonly waited: number;
}
