// An instance of the service: opens it with the current generated code, composes its parts, and closes it. It does not listen.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createSessionRoutes } from '../auth/session-routes.js';
import { userName } from '../auth/user-name.js';
import { createFigures, type Figures } from '../console/figures.js';
import type { RecentErrors } from '../console/recent-errors.js';
import { ServiceError } from '../errors.js';
import type { Blobs } from '../files/blobs.js';
import { createServeFile } from '../files/serve.js';
import { freeBytes } from '../files/space.js';
import { createSweep } from '../files/sweep.js';
import { type Buffered, createBuffered } from '../http/buffered.js';
import { catalogueRoutes } from '../http/catalogue.js';
import { serveDocument } from '../http/document.js';
import type { Clock } from '../http/exchange.js';
import { buildInfo, createMetrics, type Metrics } from '../http/metrics.js';
import { usesOf } from '../http/notice.js';
import type { Route } from '../http/routes.js';
import { statusRoute } from '../http/status.js';
import { createPages } from '../pages/pages.js';
import { createHookRoutes, type HookRoutesContext } from '../webhooks/admin/routes.js';
import { createWebhooks, type Webhooks } from '../webhooks/module.js';
import { MODULE } from '../webhooks/rules/hooks.js';
import { createApp } from './app.js';
import { type Backups, createBackups } from './backup-folder.js';
import { consoleParts } from './console.js';
import { programVersion } from './load-generated.js';
import type { StartOptions } from './main.js';
import { openFiles, openService, type Service } from './open-service.js';
import { createUpkeep, type Job, startUpkeep, type Upkeep } from './upkeep.js';

const CLOCK: Clock = { now: () => Date.now(), tick: () => performance.now() };

/** Failed logins a minute per address and name (D39). */
const LOGINS = 10;

/** Of a server whose log nobody reads. */
const NO_ERRORS: RecentErrors = { list: () => [] };

/** An open service. */
export interface ServiceInstance extends Omit<Parts, 'log'> {
  readonly state: { ready: boolean };
  readonly app: Express;
  /** Deliveries in flight finish, queued writes are committed, the database is closed. May be called again. */
  end(): Promise<void>;
}

/** If it throws (StartError), nothing is left open. */
export async function openInstance(
  options: StartOptions,
  log: Logger,
  errors: RecentErrors = NO_ERRORS,
): Promise<ServiceInstance> {
  const loginLimit = options.rateLimit === 0 ? 0 : (options.loginLimit ?? LOGINS);
  const service = await openService({ ...options, loginLimit, owner: true, random: randomBytes }, CLOCK.now());
  const { engine } = service;
  try {
    const blobs = await openFiles(options.files, randomBytes, engine.files);
    const state = { ready: false };
    const webhooks = webhooksOf(service, options, log);
    const buffered = createBuffered();
    const build = buildInfo({ version: programVersion(), node: process.versions.node });
    const registers = [build, buffered.register, ...(webhooks === null ? [] : [webhooks.metrics.register])];
    const metrics = createMetrics(registers, usesOf(service.definitions));
    const figures = options.console ? createFigures(metrics) : null;
    const backups = backupsOf(options);
    const parts = { errors, backups, service, blobs, log, state, webhooks, metrics, buffered, figures };
    const app = compose(options, parts);
    const upkeep = upkeepOf(service, parts);
    const stopUpkeep = startUpkeep(upkeep, CLOCK.now);
    let ended: Promise<void> | null = null;
    const end = async (): Promise<void> => {
      state.ready = false;
      webhooks?.pause();
      await backups?.stop();
      await stopUpkeep();
      await webhooks?.stop();
      await engine.close();
      blobs.store.close();
    };
    return { ...parts, state, app, end: () => (ended ??= end()) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Parts {
  readonly service: Service;
  readonly blobs: Blobs;
  readonly log: Logger;
  readonly state: { readonly ready: boolean };
  readonly webhooks: Webhooks | null;
  readonly metrics: Metrics;
  readonly buffered: Buffered;
  readonly errors: RecentErrors;
  /** Null: the operator has named no folder for them. */
  readonly backups: Backups | null;
  /** Null: there are no operators' pages. */
  readonly figures: Figures | null;
}

function webhooksOf({ engine, definitions, server }: Service, options: StartOptions, log: Logger): Webhooks | null {
  const { outbox, records: store } = engine;
  if (outbox === null || server === null) return null;
  const { database } = options;
  const exposure = options;
  return createWebhooks({ options, exposure, database, outbox, server, store, definitions, clock: CLOCK, log });
}

/** The service's background jobs. */
function upkeepOf(service: Service, { blobs, webhooks, log, figures }: Parts): Upkeep {
  const { sweep, walk } = createSweep(blobs.store, service.engine.files);
  const pruneAudits = (now: number) => service.engine.upkeep.pruneAudits(now - AUDITS_KEPT);
  const jobs: readonly Job[] = [
    { name: 'deleting released files', every: 5 * MINUTE, step: sweep },
    { name: 'releasing unused files', every: 24 * 60 * MINUTE, step: walk },
    { name: 'deleting expired sessions', every: 60 * MINUTE, step: service.sessions.prune },
    ...(figures === null ? [] : [{ name: 'sampling figures', every: MINUTE, step: sampling(figures) }]),
    { name: 'deleting answers of keyed requests', every: 60 * MINUTE, step: service.engine.upkeep.pruneOnce },
    { name: 'deleting old audit entries', every: 60 * MINUTE, step: pruneAudits },
    ...(webhooks?.jobs ?? []),
  ];
  return createUpkeep(jobs, (job, err) => log.error({ err, job }, 'upkeep failed'));
}

const MINUTE = 60_000;
/** Milliseconds for which the audit log keeps an entry (D51). */
const AUDITS_KEPT = 400 * 24 * 60 * MINUTE;

function sampling(figures: Figures): Job['step'] {
  return async (now) => {
    await figures.sample(now);
    return false;
  };
}

function compose(options: StartOptions, parts: Parts) {
  const { service, blobs, log, state, webhooks, metrics, buffered, figures, errors, backups } = parts;
  const { engine, sessions, login, operations, definitions, document, generated, profile } = service;
  const { records: store, files, upkeep } = engine;
  const upload = definitions.find((definition) => definition.upload !== null);
  const modules = webhooks === null ? {} : { [MODULE]: webhooks.operations };
  const ready = () => state.ready && upkeep.health();
  return createApp({
    definitions,
    operations,
    modules,
    extra: [
      ...createSessionRoutes(sessions, login),
      statusRoute(profile),
      ...catalogueRoutes(generated.catalogue, definitions, profile),
      ...hookRoutes(service),
    ],
    sessions,
    store,
    files: blobs,
    freeBytes: () => freeBytes(blobs.store.incoming),
    serveFile: upload === undefined ? noFiles : createServeFile(files, blobs.store),
    serveDocument: serveDocument(profile.document(readFileSync(document, 'utf8'))),
    pages: createPages({ ...generated.api, console: figures !== null }),
    console:
      figures === null
        ? null
        : consoleParts({
            ...{ service, modules, figures, errors, backups },
            ...{ database: options.database, started: CLOCK.now(), ready },
          }),
    profile,
    log,
    metrics,
    metricsToken: options.metricsToken || null,
    clock: CLOCK,
    buffered,
    newRequestId: randomUUID,
    requestsPerMinute: options.rateLimit,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy === 0 ? false : options.trustProxy,
    ready,
  });
}

function backupsOf({ backups, console, database, files, generated }: StartOptions): Backups | null {
  return backups === undefined || !console ? null : createBackups({ ...backups, database, files, generated });
}

/** None in a project without web hooks. */
function hookRoutes({ engine, definitions, principal, profile }: Service): readonly Route[] {
  const definition = definitions.find(({ servedBy }) => servedBy === MODULE);
  const { outbox, records } = engine;
  if (outbox === null || definition === undefined) return [];
  const nameOf: HookRoutesContext['nameOf'] = (caller) => userName(records, principal, caller);
  return createHookRoutes({ definition, hooks: outbox, profile, nameOf });
}

const noFiles: RequestHandler = (_request, _response, next) => {
  next(new ServiceError('not_found', 'There are no files.'));
};
