// An instance of the service: opens it with the current generated code, and closes it. It has no HTTP side (see compose-app).

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Figures } from '../admin/console/figures.js';
import { POSTGRES_LIMITS, UPKEEP } from '../contract/defaults.js';
import type { Job } from '../contract/job.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Blobs } from '../files/blobs.js';
import { isFolder } from '../files/files-place.js';
import { SCARCE_BYTES } from '../files/space.js';
import { createSweep } from '../files/sweep.js';
import { type BufferLimits, createBufferLimits } from '../http/buffer-limits.js';
import { buildInfo, createMetrics, type Metrics, type OtherProcess } from '../http/metrics.js';
import { usesOf } from '../http/notice.js';
import type { DatabaseServer } from '../store/database-server.js';
import { isServerUrl } from '../store/database-url.js';
import type { Quota } from '../store/quota.js';
import { createWebhooks, type Webhooks } from '../webhooks/module.js';
import type { Backups } from './backup-folder.js';
import { CLOCK } from './clock.js';
import { diskMetrics, disksOf } from './disks.js';
import { programVersion } from './load-generated.js';
import type { StartOptions } from './main.js';
import { openFiles, openService, type Service } from './open-service.js';
import { SERVER_PARTS } from './optional-parts.js';
import { createUpkeep, startUpkeep, type Upkeep } from './upkeep.js';

/** Failed logins a minute per address and name (D39). */
const LOGINS = 10;

/** An open service. */
export interface ServiceInstance extends Omit<InstanceParts, 'log'> {
  /** Whether requests should be sent to it: false while starting and stopping, and without its database. */
  ready(): MaybePromise<boolean>;
  /** Deliveries in flight finish, queued writes are committed, the database is closed. May be called again. */
  end(): Promise<void>;
}

/** The processes that serve requests on behalf of an instance. */
export interface Processes {
  /** What each process has counted, with its metrics, which are at most a second old. */
  metrics(): readonly OtherProcess[];
  /** Informs them which users have used up the quota. */
  share(quota: Quota): void;
}

/** There are none. */
export const ALONE: Processes = { metrics: () => [], share: () => undefined };

/** If it throws (StartError), nothing is left open. */
export async function openInstance(
  options: StartOptions,
  log: Logger,
  processes: Processes = ALONE,
): Promise<ServiceInstance> {
  const loginLimit = options.rateLimit === 0 ? 0 : (options.loginLimit ?? LOGINS);
  const started = CLOCK.now();
  const service = await openService({ ...options, loginLimit, owner: true, random: randomBytes }, started);
  const { engine } = service;
  try {
    const blobs = await openFiles(options.files, randomBytes, engine.files);
    const state = { ready: false };
    const webhooks = webhooksOf(service, options, log);
    const bufferLimits = createBufferLimits();
    const build = buildInfo({ version: programVersion(), node: process.versions.node });
    const ofWebhooks = webhooks === null ? [] : [webhooks.register];
    const { databaseServer } = engine;
    const ofDatabase = databaseServer === null ? [] : [SERVER_PARTS.databaseMetrics().databaseMetrics(databaseServer)];
    const ofQuota = service.quota === null ? [] : [SERVER_PARTS.quota().quotaMetrics(service.quota)];
    const backups = backupsOf(options);
    const ofDisks = [diskMetrics(disksOf(options, blobs)), ...(backups === null ? [] : [backups.register])];
    const ofVersions =
      Object.keys(service.versions.dates).length === 0
        ? []
        : [SERVER_PARTS.versionMetrics().versionMetrics(service, CLOCK.now)];
    const registers = [build, bufferLimits.register, ofDisks, ofDatabase, ofWebhooks, ofQuota, ofVersions].flat();
    await warnOfConnections(databaseServer, options, log);
    const metrics = createMetrics(
      registers,
      usesOf(service.definitions, service.generated.versions),
      processes.metrics,
    );
    const figures = options.console ? SERVER_PARTS.figures().createFigures(metrics, service.engine.upkeep) : null;
    const opened = { started, backups, service, blobs, log, state, webhooks, metrics, bufferLimits, figures };
    const upkeep = upkeepOf(opened, options, processes);
    const parts = { ...opened, upkeep };
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
    const ready = () => state.ready && engine.upkeep.health();
    return { ...parts, ready, end: () => (ended ??= end()) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Warns if all processes together, each of which opens its own connections, may open too many. */
async function warnOfConnections(
  server: DatabaseServer | null,
  { databaseConnections = POSTGRES_LIMITS.connections, processes = 1 }: StartOptions,
  log: Logger,
): Promise<void> {
  if (server === null) return;
  const most = databaseConnections * (processes > 1 ? processes + 1 : 1);
  const room = await server.readMaxConnections();
  if (most <= room) return;
  log.warn(
    { most, room },
    `this server opens up to ${most} connections, and the database accepts ${room} from all its clients together: ` +
      'lower --database-connections, or raise max_connections there',
  );
}

interface InstanceParts {
  /** In epoch milliseconds. */
  readonly started: number;
  readonly service: Service;
  readonly blobs: Blobs;
  readonly log: Logger;
  readonly state: { ready: boolean };
  readonly webhooks: Webhooks | null;
  readonly metrics: Metrics;
  readonly bufferLimits: BufferLimits;
  readonly upkeep: Upkeep;
  /** Null: the operator has not named a folder for them. */
  readonly backups: Backups | null;
  /** Null: there are no operators' pages. */
  readonly figures: Figures | null;
}

function webhooksOf(service: Service, options: StartOptions, log: Logger): Webhooks | null {
  const { engine, store, definitions, server, profile } = service;
  const { outbox } = engine;
  const { list } = service.operations;
  if (outbox === null || server === null) return null;
  const { database } = options;
  return createWebhooks({ options, database, outbox, server, store, list, definitions, profile, clock: CLOCK, log });
}

/** The service's background jobs. */
function upkeepOf(parts: Omit<InstanceParts, 'upkeep'>, options: StartOptions, { share }: Processes): Upkeep {
  const { service, blobs, webhooks, log, figures } = parts;
  const { quota } = service;
  // A server of an earlier version that runs beside this one does not mark what it stores.
  const patience = isServerUrl(options.database) ? UPKEEP.otherServers : 0;
  const { sweep, free, walk } = createSweep(blobs.store, service.engine.files, patience);
  const pruneAudits = (now: number) => service.engine.upkeep.pruneAudits(now - UPKEEP.auditsKept);
  const jobs: readonly Job[] = [
    { name: 'deleting released files', every: UPKEEP.releasedFiles, step: sweep },
    { name: 'freeing scarce space', every: UPKEEP.scarceSpace, step: whenScarce(blobs, options, free) },
    { name: 'releasing unused files', every: UPKEEP.unusedFiles, step: walk },
    { name: 'deleting expired sessions', every: UPKEEP.sessions, step: service.sessions.prune },
    ...(quota === null ? [] : [SERVER_PARTS.quota().countingJob(quota, service.engine.files, share)]),
    ...(figures === null ? [] : [{ name: 'sampling figures', every: UPKEEP.figures, step: sampling(figures) }]),
    { name: 'deleting answers of keyed requests', every: UPKEEP.onceAnswers, step: service.engine.upkeep.pruneOnce },
    { name: 'renewing words of earlier servers', every: UPKEEP.words, step: service.engine.upkeep.renewWords },
    { name: 'deleting old audit entries', every: UPKEEP.auditLog, step: pruneAudits },
    ...(webhooks?.jobs ?? []),
  ];
  return createUpkeep(jobs, (job, err) => log.error({ err, job }, 'upkeep failed'));
}

/** Runs the step only while space is scarce; a bucket never runs out of space. */
function whenScarce(blobs: Blobs, options: StartOptions, step: Job['step']): Job['step'] {
  if (!isFolder(options.files)) return () => false;
  const { uploads } = disksOf(options, blobs);
  return async (now) => (await uploads().catch(() => Number.POSITIVE_INFINITY)) < SCARCE_BYTES && step(now);
}

function sampling(figures: Figures): Job['step'] {
  return async (now) => {
    await figures.sample(now);
    return false;
  };
}

function backupsOf({ backups, console, database, files, generated }: StartOptions): Backups | null {
  if (backups === undefined || !console) return null;
  return SERVER_PARTS.backups().createBackups({ ...backups, database, files, generated });
}
