// One life of the service: opened with what is generated now, put together, and ended. It listens nowhere.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import { createSessionRoutes } from './auth/session-routes.js';
import { ServiceError } from './errors.js';
import type { Blobs } from './files/blobs.js';
import { createServeFile } from './files/serve.js';
import { sweep } from './files/sweep.js';
import { serveDocument } from './http/document.js';
import type { Clock } from './http/exchange.js';
import { createMetrics } from './http/metrics.js';
import { usesOf } from './http/notice.js';
import type { StartOptions } from './main.js';
import { openFiles, openService, type Service } from './open-service.js';
import { createWebhooks, type Webhooks } from './webhooks/module.js';
import { MODULE } from './webhooks/open.js';

const CLOCK: Clock = { now: () => Date.now(), tick: () => performance.now() };

/** A service that is open, until it ends. */
export interface Life extends Omit<Parts, 'log'> {
  readonly state: { ready: boolean };
  readonly app: Express;
  /** Deliveries in flight finish, queued writes are committed, the database is closed. May be called again. */
  end(): Promise<void>;
}

/** Throws StartError, with nothing left open. */
export async function openLife(options: StartOptions, log: Logger): Promise<Life> {
  const service = openService({ ...options, owner: true, random: randomBytes }, CLOCK.now());
  try {
    const blobs = await openFiles(resolve(options.files), randomBytes);
    await sweepFiles(service, blobs);
    const state = { ready: false };
    const webhooks = webhooksOf(service, options, log);
    const app = compose(options, { service, blobs, log, state, webhooks });
    let ended: Promise<void> | null = null;
    const end = async (): Promise<void> => {
      state.ready = false;
      webhooks?.pause();
      await webhooks?.stop();
      service.close();
    };
    return { service, blobs, state, webhooks, app, end: () => (ended ??= end()) };
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
    serveDocument: serveDocument(profile.document(readFileSync(document, 'utf8'))),
    profile,
    log,
    metrics: createMetrics(webhooks === null ? [] : [webhooks.figures.register], usesOf(definitions)),
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
