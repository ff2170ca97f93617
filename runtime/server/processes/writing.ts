// The process that writes, and serves no request (`--processes`): it starts those that serve, carries out what they ask
// for, shares what they count, replaces one that ends, and stops them before it stops itself.

import cluster, { type Worker } from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RecordedErrors } from '../../console/recent-errors.js';
import type { ProcessMetrics } from '../../http/metrics.js';
import { StartError } from '../../store/start-error.js';
import type { Front, StartOptions } from '../main.js';
import type { ServiceInstance } from '../service-instance.js';
import { type Callable, createAnswerer } from './calls.js';
import type { Report } from './counts.js';
import { partsOf } from './engine.js';
import type { ToServing, ToWriting } from './messages.js';

export interface ServingProcesses {
  /** Resolves when all of them listen. Throws StartError. @param instance what they ask */
  start(instance: ServiceInstance): Promise<Front>;
  /** The metrics of each process, a second old at most. */
  metrics(): readonly ProcessMetrics[];
}

/** Milliseconds until one that could not start is started again, and that one gets to stop. */
const PAUSE = 1_000;
const PATIENCE = 15_000;

export function createServingProcesses(options: StartOptions, log: Logger, errors: RecordedErrors): ServingProcesses {
  const running = new Map<Worker, Serving>();
  const shared = (from: Worker, report: Report, { metrics }: ServiceInstance): void => {
    metrics.add(report);
    for (const line of report.errors) errors.record(line);
    const one = running.get(from);
    if (one !== undefined && report.process !== null) one.metrics = report.process;
    if (report.limited.length === 0) return;
    for (const [other, { tell }] of running) if (other !== from) tell({ limited: report.limited });
  };
  return {
    metrics: () => [...running.values()].flatMap(({ metrics }) => (metrics === null ? [] : [metrics])),
    async start(instance) {
      const chosen = { ...options, port: options.port === 0 ? await freePort(options.host) : options.port };
      const parts = partsFor(instance, errors);
      let stopping = false;
      // Each accepts connections by itself: handing them out costs more than they do.
      cluster.schedulingPolicy = cluster.SCHED_NONE;
      cluster.setupPrimary({ exec: join(__dirname, 'serving.js'), args: [], serialization: 'advanced' });
      const begin = async (): Promise<string> => {
        const worker = cluster.fork();
        const one = serve(worker, parts, (report) => shared(worker, report, instance));
        running.set(worker, one);
        worker.once('exit', () => void running.delete(worker));
        one.tell({ start: chosen });
        const address = await one.listening;
        worker.once('exit', (code, signal) => {
          if (stopping) return;
          log.error(
            { pid: worker.process.pid, code, signal },
            'a process that serves requests has ended; another takes its place',
          );
          replace();
        });
        return address;
      };
      const replace = (): void => {
        begin().catch((err: unknown) => {
          if (stopping) return;
          log.error({ err }, 'a process that serves requests cannot start; it is tried again');
          setTimeout(() => stopping || replace(), PAUSE).unref();
        });
      };
      const close = async (): Promise<void> => {
        stopping = true;
        await Promise.all([...running].map(([worker, { tell }]) => ended(worker, () => tell({ stop: true }))));
      };
      try {
        const [address = ''] = await Promise.all(Array.from({ length: options.processes ?? 1 }, begin));
        return { address, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

interface Serving {
  /** Address; rejects with a StartError if it ends before it listens. */
  readonly listening: Promise<string>;
  tell(message: ToServing): void;
  metrics: ProcessMetrics | null;
}

function serve(worker: Worker, parts: Callable, reported: (report: Report) => void): Serving {
  const tell = (message: ToServing): void => {
    // One that is about to end has no use for it.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const answer = createAnswerer(parts, (answers) => tell({ answers }));
  const listening = new Promise<string>((resolve, reject) => {
    worker.once('exit', () => reject(new StartError('a process that serves requests has ended before it listened')));
    worker.on('message', (message: ToWriting) => {
      if ('calls' in message) answer(message.calls);
      else if ('report' in message) reported(message.report);
      else if ('listening' in message) resolve(message.listening);
      else reject(new StartError(message.refused));
    });
  });
  return { listening, tell, metrics: null };
}

/** What the others may call. */
function partsFor(
  { service, figures, backups, webhooks, metrics, ready }: ServiceInstance,
  errors: RecordedErrors,
): Callable {
  const { engine, login, passwords } = service;
  return {
    ...partsOf(engine),
    service: { login, ready, metrics: metrics.text, attempt: webhooks?.attempt },
    passwords,
    errors,
    ...(figures === null ? {} : { figures }),
    ...(backups === null ? {} : { backups }),
  };
}

/** Resolves when the process has ended; it is killed if it takes too long. */
function ended(worker: Worker, ask: () => void): Promise<void> {
  return new Promise((resolve) => {
    const kill = setTimeout(() => worker.process.kill('SIGKILL'), PATIENCE);
    worker.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    ask();
  });
}

/** Processes that each asked for any free port would not get the same one. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
