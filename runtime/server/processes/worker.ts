// A worker (`--processes`): a process that serves requests. It calls the primary, which has started it, for everything that
// changes data or must be counted once, and exits when the primary does.

import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import type { Figures } from '../../admin/console/figures.js';
import type { BackupsPage } from '../../admin/console/pages/backups.js';
import type { RecentErrors } from '../../admin/console/recent-errors.js';
import type { Login } from '../../auth/login.js';
import type { Passwords } from '../../auth/passwords.js';
import { PROCESSES, STOPPING } from '../../contract/defaults.js';
import { type BufferLimits, createBufferLimits } from '../../http/buffer-limits.js';
import { createLog } from '../../http/log.js';
import { openLogDestination } from '../../http/log-destination.js';
import { createProcessRegistry } from '../../http/metrics.js';
import { requestLimit } from '../../http/rate-limit.js';
import { createRequestCounts } from '../../http/request-metrics.js';
import { createServer, shareReads, stop } from '../../http/server.js';
import type { DatabaseServer } from '../../store/database-server.js';
import { isServerUrl } from '../../store/database-url.js';
import type { Engine } from '../../store/engine.js';
import { openBesideWriter } from '../../store/open-engine.js';
import type { StoredBytes } from '../../store/quota.js';
import type { StartError } from '../../store/start-error.js';
import { createHookOperations, type Webhooks } from '../../webhooks/module.js';
import { CLOCK } from '../clock.js';
import { composeApp, type HttpParts } from '../compose-app.js';
import { secureLaterModules, servingRoles } from '../later-modules.js';
import { listen, NODE_MAJOR, type StartOptions } from '../main.js';
import { openFiles, openService, type RemoteParts, type Service } from '../open-service.js';
import { SERVER_PARTS } from '../optional-parts.js';
import { createCalls, remote } from './calls.js';
import { countersInFile } from './count-file.js';
import { countedLimit } from './counted-limit.js';
import { workerEngine } from './engine.js';
import { COUNT_FILE, type ToPrimary, type ToWorker, type WorkerReport } from './messages.js';

/** Bytes of log lines written together. A pipe takes twice as many in one piece, even while other processes write to it. */
const LINES = 2048;

const primary = createCalls((calls) => send({ calls }));
// A signal to the process group is for the primary, which says when to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('message', ({ start, started }: StartMessage) => {
  serve(start, started).catch(({ message, code }: StartError) =>
    send({ failed: message, code }, () => process.exit(1)),
  );
});

function send(message: ToPrimary, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

type StartMessage = Extract<ToWorker, { readonly start: StartOptions }>;

async function serve(options: StartOptions, started: number): Promise<void> {
  const errors: string[] = [];
  const destination = openLogDestination(process.stderr, CLOCK.now, LINES);
  const watched = options.console
    ? SERVER_PARTS.recentErrors().watchErrors(destination, (line) => errors.push(line))
    : destination;
  const log = createLog(options.logLevel, watched);
  const counted = countedLimit(requestLimit(options.rateLimit));
  // Before the worker listens, there is nothing to wait for.
  const running = {
    end: async (_patience: number): Promise<void> => undefined,
    endReads: (): void => undefined,
    learn: (_full: readonly StoredBytes[]): void => undefined,
  };
  const end = async (patience: number, code: number): Promise<void> => {
    await running.end(patience).catch((err: unknown) => log.error({ err }, 'this worker did not stop cleanly'));
    destination.flushSync();
    process.exit(code);
  };
  process.on('message', (message: ToWorker) => {
    if ('answers' in message) {
      // Reads after these calls must see what the calls wrote.
      running.endReads();
      primary.settle(message.answers);
    } else if ('limited' in message) counted.share(message.limited, CLOCK.now());
    else if ('full' in message) running.learn(message.full);
    else if ('stop' in message) void end(STOPPING.requests, 0);
  });
  // Otherwise Node would end the process here without a message, with responses under way.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  process.on('disconnect', () => {
    log.fatal({ pid: process.pid }, 'the primary process has ended, and so does this worker');
    primary.disconnected();
    void end(PROCESSES.orphaned, 1);
  });
  const { server, reads, quota, close, ...reported } = await compose(options, {
    log,
    rateLimit: counted.limit,
    started,
  });
  const report = reporting(reported, () => ({ limited: counted.take(), errors: errors.splice(0) }));
  const timer = setInterval(report, PROCESSES.report);
  if (reads !== null) running.endReads = reads.end;
  if (quota !== null) running.learn = quota.learn;
  running.end = async (patience) => {
    clearInterval(timer);
    await stop(server, patience);
    await report();
    await close();
  };
  secureLaterModules(servingRoles(options));
  send({ listening: await listen(server, options) });
}

/** The HTTP side over an engine that leaves to the primary what only the primary may do. */
async function compose(options: StartOptions, parts: Pick<HttpParts, 'log' | 'rateLimit' | 'started'>) {
  const service = await openService({ ...options, owner: true, random: randomBytes }, CLOCK.now(), elsewhere(options));
  const { engine } = service;
  const blobs = await openFiles(options.files, randomBytes, engine.files);
  const bufferLimits = createBufferLimits();
  const { observe } = createRequestCounts([], countersInFile(COUNT_FILE));
  const text = () => primary.call('service', 'metrics', []) as Promise<string>;
  const app = composeApp(options, {
    ...{ ...parts, service, blobs, bufferLimits, metrics: { observe, text } },
    hookOperations: hookOperations(service, options),
    errors: options.console ? remote<RecentErrors>(primary, 'errors', ['list']) : null,
    figures: options.console ? remote<Figures>(primary, 'figures', ['samples', 'month', 'sample', 'uses']) : null,
    backups: backupsPage(options),
    ready: () => primary.call('service', 'ready', []) as Promise<boolean>,
  });
  const close = async (): Promise<void> => {
    await engine.close();
    blobs.store.close();
  };
  const server = createServer(app, NODE_MAJOR);
  if (engine.reads !== null) shareReads(server, engine.reads);
  return {
    server,
    reads: engine.reads,
    quota: service.quota,
    close,
    bufferLimits,
    databaseServer: engine.databaseServer,
  };
}

function backupsPage({ backups }: StartOptions): BackupsPage | null {
  if (backups === undefined) return null;
  const methods = remote<Pick<BackupsPage, 'list' | 'last' | 'start'>>(primary, 'backups', ['list', 'last', 'start']);
  return { folder: backups.folder, ...methods };
}

/** @returns a function that reports what has been counted, if anything, and from time to time the metrics of the process */
function reporting(
  {
    bufferLimits,
    databaseServer: server,
  }: { readonly bufferLimits: BufferLimits; readonly databaseServer: DatabaseServer | null },
  take: () => Omit<WorkerReport, 'process'>,
): () => Promise<void> {
  const registry = createProcessRegistry([
    bufferLimits.register,
    ...(server === null ? [] : [SERVER_PARTS.databaseMetrics().databaseMetrics(server)]),
  ]);
  let reports = 0;
  return async () => {
    const counted = take();
    const isDue = reports % PROCESSES.reportsUntilMetrics === 0;
    reports += 1;
    if (!isDue && Object.values(counted).every((counts) => counts.length === 0)) return;
    const report = { ...counted, process: isDue ? await registry.getMetricsAsJSON() : null };
    await new Promise<void>((resolve) => send({ report }, resolve));
  };
}

function elsewhere({ database }: StartOptions): RemoteParts {
  return {
    openEngine: async (options, now): Promise<Engine> => {
      const engine = await openBesideWriter(options, now);
      return isServerUrl(database) ? engine : workerEngine(engine, primary);
    },
    // Failed logins are counted, and the memory of password hashes is limited, for all workers together.
    passwords: remote<Passwords>(primary, 'passwords', ['hash', 'verify']),
    login: (...args) => primary.call('service', 'login', args) as ReturnType<Login>,
  };
}

/** A user has at most one test under way on all workers together: the primary sends it. */
function hookOperations({ engine, store, definitions, operations, profile }: Service, options: StartOptions) {
  const { outbox } = engine;
  if (outbox === null) return null;
  const { testHook } = remote<Pick<Webhooks, 'testHook'>>(primary, 'webhooks', ['testHook']);
  const { list } = operations;
  return createHookOperations({ options, store, outbox, list, definitions, profile }, testHook);
}
