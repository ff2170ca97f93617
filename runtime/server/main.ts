// The composition root: starts a server from plain options and stops it again. Signals and messages belong to the command line.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { RecentErrors } from '../admin/console/recent-errors.js';
import type { Cost } from '../auth/passwords.js';
import type { Handwritten } from '../contract/behaviour.js';
import { STOPPING } from '../contract/defaults.js';
import type { Blobs } from '../files/blobs.js';
import type { ReadDiskSpace } from '../files/space.js';
import { createLog } from '../http/log.js';
import { openLogDestination } from '../http/log-destination.js';
import type { RequestMetrics } from '../http/metrics.js';
import { HTTP_PARTS } from '../http/optional-parts.js';
import type { Profile } from '../http/profiles.js';
import { requestLimit } from '../http/rate-limit.js';
import { createServer, shareReads, stop as stopServer } from '../http/server.js';
import type { Migrate } from '../store/engine.js';
import { StartError } from '../store/start-error.js';
import type { WebhookOptions } from '../webhooks/settings.js';
import type { BackupFolder } from './backup-folder.js';
import { CLOCK } from './clock.js';
import { composeApp } from './compose-app.js';
import type { Service } from './open-service.js';
import { SERVER_PARTS } from './optional-parts.js';
import { ALONE, openInstance, type ServiceInstance } from './service-instance.js';
import type { Upkeep } from './upkeep.js';

export interface StartOptions extends WebhookOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Path of the database file, created if missing; or URL of a PostgreSQL database. */
  readonly database: string;
  /** Place of uploaded bytes: path of a folder, created if missing, or address of a bucket. */
  readonly files: string;
  readonly wire: Profile['name'];
  /** As for `openService`. */
  readonly defaultVersion?: string;
  /** Requests a minute per user or address; 0: no limit. */
  readonly rateLimit: number;
  /** Failed logins a minute per address and name; 0: no limit, as implied by `rateLimit` 0. Default: 10. */
  readonly loginLimit?: number;
  /** What uploads, copies and bulk creates leave free of a disk, in MiB or per cent; by default 5 % or 256 MiB, the smaller. */
  readonly diskReserve?: string;
  /** What the files of a user may take (D64); 0, the default: any number of bytes. */
  readonly quotaBytes?: number;
  /** What is free on a disk; by default, what the system reports. */
  readonly readDiskSpace?: ReadDiskSpace;
  /** Origins whose scripts may call the service (D46); none by default. */
  readonly corsOrigins?: readonly string[];
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** A log level of pino. */
  readonly logLevel: string;
  /** Processes that serve requests; with more than 1, one more writes and serves none. Default: 1. */
  readonly processes?: number;
  /** Limits for a PostgreSQL database, as for `openService`. */
  readonly databaseConnections?: number;
  readonly databaseTimeoutMs?: number;
  readonly databaseWaitMs?: number;
  /** The number of proxies in front that are trusted to report the client's address. */
  readonly trustProxy: number;
  /** Separate port for /metrics; 0: any free one. Absent: none. */
  readonly metricsPort?: number;
  /** Address that port is bound to; 127.0.0.1 by default. */
  readonly metricsHost?: string;
  /** Bearer token that gives access to /metrics on the service's own port. Absent: no access. */
  readonly metricsToken?: string;
  /** The server is a demo: its web hooks may call this machine, which nobody else can reach. */
  readonly demo?: boolean;
  /** Serves the operators' pages at /console. */
  readonly console?: boolean;
  /** Serves the pages for owners of web hooks at /portal. */
  readonly portal?: boolean;
  /** Where the operators' pages store backups; absent: they create none. */
  readonly backups?: BackupFolder;
  /** What to do with a database that has an older schema; safe by default. */
  readonly migrate?: Migrate;
  /** Lifecycle functions and actions; the project's own by default. */
  readonly handwritten?: Handwritten;
  /** The cost of hashing a password; that of production by default. */
  readonly passwordCost?: Cost;
}

export interface RunningServer {
  /** `http://host:port`. */
  readonly address: string;
  /** Address of the metrics; null: they have no separate port. */
  readonly metricsAddress: string | null;
  readonly service: Service;
  readonly blobs: Blobs;
  /** The jobs that it runs from time to time. */
  readonly upkeep: Pick<Upkeep, 'runOnce'>;
  /** Requests in flight finish, queued writes are committed, the database is closed. */
  stop(): Promise<void>;
}

export const NODE_MAJOR = Number(process.versions.node.split('.', 1)[0]);

/** Resolves when the server listens. If it throws (StartError), nothing is left open. */
export async function start(options: StartOptions): Promise<RunningServer> {
  const destination = openLogDestination(process.stderr, CLOCK.now);
  const watched = options.console ? SERVER_PARTS.recentErrors().recordErrors(destination) : null;
  const errors = watched?.errors ?? null;
  const log = createLog(options.logLevel, watched?.destination ?? destination);
  const workers = (options.processes ?? 1) > 1 ? SERVER_PARTS.workers().createWorkers(options, log, errors) : null;
  const instance = await openInstance(options, log, workers ?? ALONE);
  const opened: Closable[] = [];
  try {
    const front =
      workers === null ? await listenHere(options, instance, { log, errors }) : await workers.start(instance);
    opened.push(front);
    const metrics = await openMetrics(options, instance.metrics);
    if (metrics !== null) opened.push(metrics);
    await instance.webhooks?.start();
    instance.state.ready = true;
    return {
      address: front.address,
      metricsAddress: metrics?.address ?? null,
      service: instance.service,
      blobs: instance.blobs,
      upkeep: instance.upkeep,
      async stop() {
        instance.state.ready = false;
        instance.webhooks?.pause();
        for (const one of opened) await one.close();
        await instance.end();
        destination.flushSync();
      },
    };
  } catch (error) {
    for (const one of opened) await one.close();
    await instance.end();
    throw error;
  }
}

/** The part that serves requests. */
export interface FrontServer extends Closable {
  /** `http://host:port`. */
  readonly address: string;
}

interface Closable {
  close(): Promise<void>;
}

async function listenHere(
  options: StartOptions,
  { webhooks, ...instance }: ServiceInstance,
  { log, errors }: { readonly log: Logger; readonly errors: RecentErrors | null },
): Promise<FrontServer> {
  const rateLimit = requestLimit(options.rateLimit);
  const hookOperations = webhooks?.operations ?? null;
  const app = composeApp(options, { ...instance, log, errors, rateLimit, hookOperations });
  const server = createServer(app, NODE_MAJOR);
  const { reads } = instance.service.engine;
  if (reads !== null) shareReads(server, reads);
  return { address: await listen(server, options), close: () => stopServer(server, STOPPING.requests) };
}

/** Null: there are none. */
async function openMetrics(
  { metricsPort: port, metricsHost: host = '127.0.0.1' }: StartOptions,
  metrics: RequestMetrics,
) {
  if (port === undefined) return null;
  const server = HTTP_PARTS.metricsAccess().createMetricsServer(metrics);
  return { address: await listen(server, { port, host }), close: () => stopServer(server, 0) };
}

/** @returns `http://host:port` */
export function listen(server: Server, { port, host }: Pick<StartOptions, 'port' | 'host'>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      reject(
        new StartError(
          `cannot listen on ${host}, port ${port} (${reason}): choose others with --host and --port`,
          error.code,
        ),
      );
    });
    server.listen(port, host, () => {
      const at = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${at.port}`);
    });
  });
}
