// The composition root: from plain options to a running server, and back. Signals and words are the command line's.

import { randomBytes, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import type { RequestHandler } from 'express';
import pino, { type Logger } from 'pino';
import { createApp } from './app.js';
import { createSessionRoutes } from './auth/session-routes.js';
import { ServiceError } from './errors.js';
import type { Blobs } from './files/blobs.js';
import { createServeFile } from './files/serve.js';
import { sweep } from './files/sweep.js';
import type { Clock } from './http/exchange.js';
import { createLog } from './http/log.js';
import { createMetrics } from './http/metrics.js';
import type { Profile } from './http/profiles.js';
import { createServer, stop as stopServer } from './http/server.js';
import { type Handwritten, openFiles, openService, type Service } from './open-service.js';
import { StartError } from './store/sqlite/start-error.js';
import { createWebhooks, type Webhooks } from './webhooks/module.js';
import { MODULE } from './webhooks/open.js';
import type { WebhookOptions } from './webhooks/serve-options.js';

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
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** A level of pino's. */
  readonly logLevel: string;
  /** How many proxies stand in front and are believed about the client's address. */
  readonly trustProxy: number;
  /** Lifecycle functions and actions; the project's own unless given. */
  readonly handwritten?: Handwritten;
}

export interface Running {
  /** `http://host:port`. */
  readonly address: string;
  readonly service: Service;
  readonly blobs: Blobs;
  /** Requests in flight finish, queued writes are committed, the database is closed. */
  stop(): Promise<void>;
}

/** Milliseconds a request in flight has to finish once the server stops. */
const PATIENCE = 10_000;

const CLOCK: Clock = { now: () => Date.now(), tick: () => performance.now() };

/** Resolves when the server listens. Throws StartError, with nothing left open. */
export async function start(options: StartOptions): Promise<Running> {
  const service = openService({ ...options, owner: true, random: randomBytes }, CLOCK.now());
  try {
    const blobs = await openFiles(resolve(options.files), randomBytes);
    await sweepFiles(service, blobs);
    const destination = pino.destination({ fd: process.stderr.fd, sync: false });
    const log = createLog(options.logLevel, destination);
    const state = { ready: false };
    const webhooks = webhooksOf(service, options, log);
    const app = compose(options, { service, blobs, log, state, webhooks });
    const server = createServer(app, Number(process.versions.node.split('.', 1)[0]));
    const address = await listen(server, options);
    await webhooks?.start().catch((error: unknown) => {
      server.close();
      throw error;
    });
    state.ready = true;
    return {
      address,
      service,
      blobs,
      async stop() {
        state.ready = false;
        webhooks?.pause();
        await stopServer(server, PATIENCE);
        await webhooks?.stop();
        service.close();
        destination.flushSync();
      },
    };
  } catch (error) {
    service.close();
    throw error;
  }
}

interface Parts {
  readonly service: Service;
  readonly blobs: Blobs;
  readonly log: Logger;
  readonly state: { readonly ready: boolean };
  readonly webhooks: Webhooks | null;
}

function webhooksOf(service: Service, options: StartOptions, log: Logger): Webhooks | null {
  const { webhooks: opened, store, definitions } = service;
  const { host, database } = options;
  return opened && createWebhooks({ options, host, database, opened, store, definitions, clock: CLOCK, log });
}

function compose(options: StartOptions, { service, blobs, log, state, webhooks }: Parts) {
  const { db, store, sessions, login, operations, definitions, document, profile } = service;
  const upload = definitions.find((definition) => definition.upload !== null);
  return createApp({
    definitions,
    operations,
    modules: webhooks === null ? {} : { [MODULE]: webhooks.operations },
    extra: createSessionRoutes(sessions, login),
    sessions,
    store,
    files: blobs,
    serveFile: upload === undefined ? noFiles : createServeFile(db, upload, blobs),
    document,
    profile,
    log,
    metrics: createMetrics(webhooks === null ? [] : [webhooks.figures.register]),
    clock: CLOCK,
    newRequestId: randomUUID,
    requestsPerMinute: options.rateLimit,
    trustProxy: options.trustProxy === 0 ? false : options.trustProxy,
    ready: () => state.ready,
  });
}

const noFiles: RequestHandler = (_request, _response, next) => {
  next(new ServiceError('not_found', 'There are no files.'));
};

/** Before anyone can upload: see sweep. */
async function sweepFiles({ db, definitions }: Service, blobs: Blobs): Promise<void> {
  const known = new Set<string>();
  for (const { name } of definitions.filter(({ upload }) => upload !== null)) {
    const hashes = db.prepare<[], string>(`SELECT DISTINCT content_hash FROM "${name}"`).pluck().all();
    for (const hash of hashes) known.add(hash);
  }
  await sweep(blobs.folder, (hash) => known.has(hash), CLOCK.now());
}

function listen(server: Server, { port, host }: StartOptions): Promise<string> {
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
