// How long things take and how much they may hold, in one place: times in milliseconds, sizes in bytes. What an operator can
// set is an option of `serve`, whose help has its default; what the source document fixes is in `rules/delivery.ts`.

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const DAY = 24 * HOUR;
const [KIB, MIB] = [1_024, 1_024 * 1_024];

/** What a request may send and take. */
export const REQUESTS = {
  /** A body without its files. */
  body: MIB,
  /** Buffered for one client: one page of the largest records, or 32 of the largest bodies. */
  bufferedByClient: 32 * MIB,
  /** Buffered for all clients together. */
  buffered: 128 * MIB,
  /**
   * Bodies that are longer than this, of unknown length, or behind another request of their connection are counted while they
   * are read: any other takes less memory than its connection.
   */
  countedBody: 4 * KIB,
  /** Responses from this length on are counted while they are sent: shorter ones fit the buffers of a connection. */
  countedResponse: 64 * KIB,
  /** One page of a list; a hundred of the largest records would be twice as much. */
  page: 25 * MIB,
  /** Rows that a list counts, sorts, skips by a page number, or searches for those that a caller sees: about 5 ms on SQLite. */
  scannedRows: 10_000,
};

/** HTTP connections. */
export const HTTP_CONNECTIONS = {
  /** The head of a request. */
  headBytes: 16 * KIB,
  head: 10 * SECOND,
  /** The whole request: an upload of 50 MiB over a slow line must fit. */
  request: 5 * MINUTE,
  /** How often Node checks for requests that have taken longer. */
  checking: 5 * SECOND,
  /** Between two requests. Load balancers usually wait for 60 seconds, so that they are the ones to close. */
  keepAlive: 65 * SECOND,
  /** For a last response to reach a client that keeps its side open. */
  lastResponse: SECOND,
  /** The part of a body that is read and dropped after its response: most clients read that only after sending everything. */
  leftover: { bytes: 32 * MIB, milliseconds: 30 * SECOND, check: 100 },
};

/** The end of a server. */
export const STOPPING = {
  /** For the rest of a request that has begun to arrive. */
  unread: 5 * SECOND,
  /** For requests under way. */
  requests: 10 * SECOND,
  /** For attempts of web hooks under way. */
  attempts: SECOND,
  /** How often idle connections are closed meanwhile. */
  idleCheck: 50,
};

/** Serving processes and the one that writes. */
export const PROCESSES = {
  /** Between two reports of counts; within two of them the limit of requests includes what other processes have counted. */
  report: 100,
  /** One report out of this many includes the metrics of the process. */
  reportsUntilMetrics: 10,
  /** For a process to stop: longer than `STOPPING.requests`. */
  stop: 15 * SECOND,
  /** For responses under way when the primary has ended. */
  orphaned: SECOND,
  /** Until a process that could not start is started again. */
  restart: SECOND,
};

/** How often a server maintains what it keeps, and for how long it keeps it. */
export const UPKEEP = {
  releasedFiles: 5 * MINUTE,
  scarceSpace: SECOND,
  unusedFiles: DAY,
  sessions: HOUR,
  onceAnswers: HOUR,
  auditLog: HOUR,
  words: MINUTE,
  figures: MINUTE,
  /** How long another server on PostgreSQL may take to store a file before the file counts as unused. */
  otherServers: MINUTE,
  /** Between two counts of the space that users' files take: each is known everywhere within a minute of the previous count. */
  quota: 45 * SECOND,
  /** How long an entry of the audit log is kept (D51). */
  auditsKept: 400 * DAY,
  /** Each alert is logged once in this time, however many requests it affects. */
  alert: MINUTE,
};

/** Deliveries of web hooks: when they are looked for, attempted and counted. */
export const DELIVERIES = {
  /** Attempts under way at most. */
  capacity: 512,
  /** For an attempt. */
  attempt: 10 * SECOND,
  /** Between two scans for rows that other processes wrote. */
  poll: SECOND,
  /** How far such a scan goes back: a row is due before its transaction commits, which may have to wait for another commit. */
  overlap: 10 * SECOND,
  /** Between two scans of everything, however old. */
  fullScan: MINUTE,
  /** Longest sleep: what another process publishes is picked up within it. */
  sleep: SECOND,
  /** How far the wall clock may drift between two runs before it counts as changed. */
  drift: 5 * SECOND,
  /** Between two prunings. */
  prune: HOUR,
  /** How long the old secret of a hook goes on signing beside the new one (D63). */
  exchange: DAY,
  /** Between two complete counts of the outbox when it is too large to count on demand. */
  count: 30 * SECOND,
};

/** Leases of deliveries and mails, where servers share a database. */
export const LEASES = {
  /** How long a lease that is not extended outlasts an attempt, so that no attempt in progress is considered lost. */
  margin: 30 * SECOND,
  /** A lease that is extended: together with the second between two due scans, less than ten seconds. */
  extended: 8 * SECOND,
  /** How long before its end a lease is extended. */
  extendBefore: 6 * SECOND,
  /** How long before the end of its lease an attempt is given up. */
  giveUpBefore: 2 * SECOND,
  /** How long a mail belongs to the server that claimed it: longer than any transport takes. */
  mail: 10 * MINUTE,
};

/** Calls of web hooks, and mails. */
export const SENDING = {
  /** For the first query to a name server, doubled for each further try. */
  dns: 2 * SECOND,
  dnsTries: 2,
  /** For one of several addresses of a name; Node's default of 250 is too short for distant receivers. */
  address: SECOND,
  /** For the body of a response, whose status has already decided (S18). */
  body: SECOND,
  /** An idle connection is kept this long, even if the receiver asks for something else. */
  idle: 4 * SECOND,
  /** How long a mail server may be silent, or take to connect. */
  mailServer: 20 * SECOND,
};

/** Files in a bucket. */
export const BUCKET = {
  /** Until an answer begins, for each attempt. */
  answer: 5 * SECOND,
  attempts: 3,
  /** Without a byte in either direction, as with a client that has stopped reading. */
  stalled: MINUTE,
  /** Bytes per millisecond that every connection manages to upload, and every bucket to copy. */
  slowest: 100,
};

/** The use of PostgreSQL, unless an operator sets other limits. */
export const POSTGRES_LIMITS = {
  /** Connections that a process opens. */
  connections: 24,
  /** One connection for each kind of work, and for transactions as many as for the others together. */
  leastConnections: 4,
  /** For a connection attempt or a statement. */
  timeout: 10 * SECOND,
  /** For a connection to become free. */
  wait: 5 * SECOND,
};

/** A service that does not answer within this time counts as not ready. */
export const READY_WITHIN = SECOND;

/** PostgreSQL. */
export const POSTGRES_TIMES = {
  /** How long after the limit of a statement a silent server counts as lost. */
  grace: SECOND,
  /** A process that waits for a time checks at least this often whether others have written. */
  fresh: SECOND,
  /** How long a statement of a migration waits for a lock without making anybody else wait. */
  longLock: MINUTE,
  /** A migrator that has been silent this long counts as dead. */
  migratorLease: MINUTE,
};
