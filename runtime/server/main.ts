// The composition root: from plain options to a running server, and back. Signals and words are the command line's.

import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import pino from 'pino';
import type { Cost } from '../auth/passwords.js';
import type { Blobs } from '../files/blobs.js';
import { createLog } from '../http/log.js';
import type { Metrics } from '../http/metrics.js';
import { createMetricsServer } from '../http/metrics-access.js';
import type { Profile } from '../http/profiles.js';
import { createServer, stop as stopServer } from '../http/server.js';
import type { Migrate } from '../store/sqlite/bring-to-schema.js';
import { StartError } from '../store/sqlite/start-error.js';
import type { WebhookOptions } from '../webhooks/admin/options.js';
import type { Handwritten, Service } from './open-service.js';
import { openInstance } from './service-instance.js';

export interface StartOptions extends WebhookOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Path of the database file; made when missing. */
  readonly database: string;
  /** Folder of uploaded bytes; made when missing. */
  readonly files: string;
  readonly wire: Profile['name'];
  /** Requests a minute of one session or address; 0: no limit. */
  readonly rateLimit: number;
  /** Failed logins a minute of one address and name; 0: no limit, which no `rateLimit` implies. Ten unless given. */
  readonly loginLimit?: number;
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** A level of pino's. */
  readonly logLevel: string;
  /** How many proxies stand in front and are believed about the client's address. */
  readonly trustProxy: number;
  /** Port of its own for /metrics; 0: any free one. Absent: none. */
  readonly metricsPort?: number;
  /** Address that port is bound to; 127.0.0.1 unless given. */
  readonly metricsHost?: string;
  /** Bearer token that opens /metrics on the service's own port. Absent: nothing does. */
  readonly metricsToken?: string;
  /** The server is tried out: its web hooks may call this machine while nobody else can reach it. */
  readonly demo?: boolean;
  /** What is done to a database of an older schema; safe unless given. */
  readonly migrate?: Migrate;
  /** Lifecycle functions and actions; the project's own unless given. */
  readonly handwritten?: Handwritten;
  /** Of hashing a password; what production needs unless given. */
  readonly passwordCost?: Cost;
}

export interface Running {
  /** `http://host:port`. */
  readonly address: string;
  /** Of the figures; null: they have no port of their own. */
  readonly metricsAddress: string | null;
  readonly service: Service;
  readonly blobs: Blobs;
  /** Requests in flight finish, queued writes are committed, the database is closed. */
  stop(): Promise<void>;
}

/** Milliseconds a request in flight has to finish once the server stops. */
const PATIENCE = 10_000;

const NODE_MAJOR = Number(process.versions.node.split('.', 1)[0]);

/** Resolves when the server listens. Throws StartError, with nothing left open. */
export async function start(options: StartOptions): Promise<Running> {
  const destination = pino.destination({ fd: process.stderr.fd, sync: false });
  const log = createLog(options.logLevel, destination);
  const instance = await openInstance(options, log);
  try {
    const server = createServer(instance.app, NODE_MAJOR);
    const address = await listen(server, options);
    const figures = await openMetrics(options, instance.metrics).catch((error: unknown) => {
      server.close();
      throw error;
    });
    await instance.webhooks?.start().catch((error: unknown) => {
      server.close();
      figures?.server.close();
      throw error;
    });
    instance.state.ready = true;
    return {
      address,
      metricsAddress: figures?.address ?? null,
      service: instance.service,
      blobs: instance.blobs,
      async stop() {
        instance.state.ready = false;
        instance.webhooks?.pause();
        await stopServer(server, PATIENCE);
        if (figures !== null) await stopServer(figures.server, 0);
        await instance.end();
        destination.flushSync();
      },
    };
  } catch (error) {
    await instance.end();
    throw error;
  }
}

/** Null: not asked for. */
async function openMetrics({ metricsPort: port, metricsHost: host = '127.0.0.1' }: StartOptions, metrics: Metrics) {
  if (port === undefined) return null;
  const server = createMetricsServer(metrics);
  return { server, address: await listen(server, { port, host }) };
}

function listen(server: Server, { port, host }: Pick<StartOptions, 'port' | 'host'>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      reject(
        new StartError(`cannot listen on ${host}, port ${port} (${reason}): choose others with --host and --port`),
      );
    });
    server.listen(port, host, () => {
      const at = server.address() as AddressInfo;
      resolve(`http://${isIPv6(host) ? `[${host}]` : host}:${at.port}`);
    });
  });
}
