// A worker (`--processes`): a process that serves requests. It calls the primary, which has started it, for everything that
// changes data or must be counted once, and exits when the primary does.

import { randomBytes } from 'node:crypto';
import type { Login } from '../../auth/login.js';
import type { Passwords } from '../../auth/passwords.js';
import type { Figures } from '../../console/figures.js';
import type { BackupsPage } from '../../console/pages/backups.js';
import { type RecentErrors, watchErrors } from '../../console/recent-errors.js';
import { type Buffered, createBuffered } from '../../http/buffered.js';
import { createLog, openLogDestination } from '../../http/log.js';
import { createProcessRegistry } from '../../http/metrics.js';
import { requestLimit } from '../../http/rate-limit.js';
import { createServer, stop } from '../../http/server.js';
import { isServerUrl } from '../../store/database-url.js';
import type { Engine } from '../../store/engine.js';
import { openBesideWriter } from '../../store/open-engine.js';
import { createHookOperations, type Webhooks } from '../../webhooks/module.js';
import { CLOCK, composeApp } from '../compose-app.js';
import { listen, NODE_MAJOR, PATIENCE, type StartOptions } from '../main.js';
import { type Elsewhere, openFiles, openService, type Service } from '../open-service.js';
import { createCalls, remote } from './calls.js';
import { countedLimit, countedMetrics, REPORT_EVERY, type Report } from './counts.js';
import { workerEngine } from './engine.js';
import type { ToPrimary, ToWorker } from './messages.js';

/** Every so many reports, one has the metrics of the process. */
const REPORTS = 10;
/** Milliseconds for responses under way when the primary has ended. */
const HURRY = 1_000;
/** Bytes of log lines that are written together. The system writes twice as many to a pipe in one piece, whoever else writes to it. */
const LINES = 2048;

const primary = createCalls((calls) => send({ calls }));
// A signal to the process group is for the primary, which says when to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('message', ({ start }: { readonly start: StartOptions }) => {
  serve(start).catch((error: Error) => send({ failed: error.message }, () => process.exit(1)));
});

function send(message: ToPrimary, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

async function serve(options: StartOptions): Promise<void> {
  const errors: string[] = [];
  const destination = openLogDestination(process.stderr, LINES);
  const log = createLog(
    options.logLevel,
    watchErrors(destination, (line) => errors.push(line)),
  );
  const service = await openService({ ...options, owner: true, random: randomBytes }, CLOCK.now(), elsewhere(options));
  const { engine } = service;
  const blobs = await openFiles(options.files, randomBytes, engine.files);
  const buffered = createBuffered();
  const metrics = countedMetrics(() => primary.call('service', 'metrics', []) as Promise<string>);
  const counted = countedLimit(requestLimit(options.rateLimit));
  const app = composeApp(options, {
    ...{ service, blobs, log, metrics, buffered, rateLimit: counted.limit },
    hookOperations: hookOperations(service, options),
    errors: remote<RecentErrors>(primary, 'errors', ['list']),
    figures: options.console ? remote<Figures>(primary, 'figures', ['samples', 'sample', 'uses']) : null,
    backups:
      options.backups === undefined
        ? null
        : {
            folder: options.backups.folder,
            ...remote<Pick<BackupsPage, 'list' | 'last' | 'start'>>(primary, 'backups', ['list', 'last', 'start']),
          },
    ready: () => primary.call('service', 'ready', []) as Promise<boolean>,
  });
  const server = createServer(app, NODE_MAJOR);
  const report = reporting(buffered, () => ({ ...metrics.take(), limited: counted.take(), errors: errors.splice(0) }));
  const timer = setInterval(report, REPORT_EVERY);
  const end = async (patience: number): Promise<void> => {
    clearInterval(timer);
    await stop(server, patience);
    await report();
    await engine.close();
    blobs.store.close();
    destination.flushSync();
  };
  process.on('message', (message: ToWorker) => {
    if ('answers' in message) primary.settle(message.answers);
    else if ('limited' in message) counted.share(message.limited, CLOCK.now());
    else if ('stop' in message) void end(PATIENCE).finally(() => process.exit(0));
  });
  process.on('disconnect', () => {
    log.fatal('the primary process has ended, and so does this worker');
    primary.disconnected();
    void end(HURRY).finally(() => process.exit(1));
  });
  send({ listening: await listen(server, options) });
}

/** @returns reports what has been counted, if anything, and now and then the metrics of the process */
function reporting(buffered: Buffered, take: () => Omit<Report, 'process'>): () => Promise<void> {
  const registry = createProcessRegistry([buffered.register]);
  let reports = 0;
  return async () => {
    const counted = take();
    const isDue = reports % REPORTS === 0;
    reports += 1;
    if (!isDue && Object.values(counted).every((counts) => counts.length === 0)) return;
    const report = { ...counted, process: isDue ? await registry.getMetricsAsJSON() : null };
    await new Promise<void>((resolve) => send({ report }, resolve));
  };
}

function elsewhere({ database }: StartOptions): Elsewhere {
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

function hookOperations({ engine, definitions, operations, server }: Service, options: StartOptions) {
  const { outbox, records: store } = engine;
  const { list } = operations;
  if (outbox === null || server === null) return null;
  return createHookOperations(
    { options, exposure: options, outbox, server, store, list, definitions, clock: CLOCK },
    (attempt) => primary.call('service', 'attempt', [attempt]) as ReturnType<Webhooks['attempt']>,
  );
}
