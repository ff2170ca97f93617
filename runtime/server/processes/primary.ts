// The primary of several processes (`--processes`): it writes, and serves no requests. It starts the workers that serve them,
// carries out their calls, shares their counts, replaces those that die, and stops them before it stops itself.

import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RecordedErrors } from '../../admin/console/recent-errors.js';
import { PROCESSES } from '../../contract/defaults.js';
import type { ProcessMetrics } from '../../http/metrics.js';
import { StartError } from '../../store/start-error.js';
import type { FrontServer, StartOptions } from '../main.js';
import type { Processes, ServiceInstance } from '../service-instance.js';
import { type CallableParts, createAnswers } from './calls.js';
import { countsIn, openCountFile, takeCounts } from './count-file.js';
import { engineParts } from './engine.js';
import { COUNT_FILE, type ToPrimary, type ToWorker, type WorkerReport } from './messages.js';

export interface Workers extends Processes {
  /** Resolves when all of them listen. Throws StartError. @param instance the service that they call */
  start(instance: ServiceInstance): Promise<FrontServer>;
}

export function createWorkers(options: StartOptions, log: Logger, errors: RecordedErrors | null): Workers {
  const running = new Map<Worker, WorkerConnection>();
  const receive = (from: Worker, report: WorkerReport): void => {
    for (const line of report.errors) errors?.record(line);
    const connection = running.get(from);
    if (connection !== undefined && report.process !== null) connection.metrics = report.process;
    if (report.limited.length === 0) return;
    for (const [other, { send }] of running) if (other !== from) send({ limited: report.limited });
  };
  const startOn = async (port: number, instance: ServiceInstance): Promise<FrontServer> => {
    const parts = partsOf(instance, errors);
    let stopping = false;
    // Each worker accepts connections by itself: handing them out costs more than serving a request.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const startOne = async (): Promise<string> => {
      const counts = openCountFile();
      const worker = fork(counts);
      const connection = { ...connect(worker, parts, (report) => receive(worker, report)), counts, metrics: [] };
      running.set(worker, connection);
      const lost = (err: unknown): void =>
        log.error({ err }, 'what a worker process has counted cannot be read, and is missing in the metrics');
      const left = (): void => {
        if (running.delete(worker)) instance.metrics.add(takeCounts(counts, lost));
      };
      // A process that could not be started does not emit `exit` either.
      worker.once('exit', left).on('error', () => worker.process.pid === undefined && left());
      connection.send({ start: { ...options, port }, started: instance.started });
      const address = await connection.listening;
      const { quota } = instance.service;
      if (quota !== null) connection.send({ full: quota.full() });
      worker.once('exit', (code, signal) => {
        if (stopping) return;
        log.error({ pid: worker.process.pid, code, signal }, 'a worker process has died and is replaced');
        replace();
      });
      return address;
    };
    const replace = (): void => {
      startOne().catch((err: unknown) => {
        if (stopping) return;
        log.error({ err }, 'a worker process cannot start; trying again');
        setTimeout(() => stopping || replace(), PROCESSES.restart).unref();
      });
    };
    const close = async (): Promise<void> => {
      stopping = true;
      await Promise.all([...running].map(([worker, { send }]) => ended(worker, () => send({ stop: true }), log)));
    };
    try {
      const [address = ''] = await Promise.all(Array.from({ length: options.processes ?? 1 }, startOne));
      return { address, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
  return {
    share: (quota) => {
      for (const { send } of running.values()) send({ full: quota.full() });
    },
    metrics: () => [...running.values()].map(({ counts, metrics }) => ({ counted: countsIn(counts), metrics })),
    start: (instance) => onPort(options, (port) => startOn(port, instance)),
  };
}

/** @param counts the file of its counts */
function fork(counts: number): Worker {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const;
  cluster.setupPrimary({
    ...{ exec: join(__dirname, 'start-worker.js'), args: [], serialization: 'advanced' },
    stdio: Object.assign([...stdio], { [COUNT_FILE]: counts }),
  });
  return cluster.fork();
}

interface WorkerConnection {
  /** Address; rejects with a StartError if it ends before it listens. */
  readonly listening: Promise<string>;
  send(message: ToWorker): void;
  /** The file of its counts. */
  readonly counts: number;
  metrics: ProcessMetrics;
}

function connect(
  worker: Worker,
  parts: CallableParts,
  receive: (report: WorkerReport) => void,
): Pick<WorkerConnection, 'listening' | 'send'> {
  const send = (message: ToWorker): void => {
    // The process may be exiting: then nobody waits for the message.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const answer = createAnswers(parts, (answers) => send({ answers }));
  const listening = new Promise<string>((resolve, reject) => {
    worker.once('exit', () => reject(new StartError('a worker process ended before it listened')));
    worker.on('error', ({ message }) => reject(new StartError(`a worker process cannot be started (${message})`)));
    worker.on('message', (message: ToPrimary) => {
      if ('calls' in message) answer(message.calls);
      else if ('report' in message) receive(message.report);
      else if ('listening' in message) resolve(message.listening);
      else reject(new StartError(message.failed, message.code));
    });
  });
  return { listening, send };
}

/** The parts that workers call. */
function partsOf(
  { service, figures, backups, webhooks, metrics, ready }: ServiceInstance,
  errors: RecordedErrors | null,
): CallableParts {
  const { engine, login, passwords } = service;
  return {
    ...engineParts(engine),
    service: { login, ready, metrics: metrics.text },
    passwords,
    ...(errors === null ? {} : { errors }),
    ...(figures === null ? {} : { figures }),
    ...(backups === null ? {} : { backups }),
    ...(webhooks === null ? {} : { webhooks: { testHook: webhooks.testHook } }),
  };
}

/** Resolves when the process has ended; it is killed if it takes too long. */
function ended(worker: Worker, ask: () => void, log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const kill = setTimeout(() => {
      log.error({ pid: worker.process.pid }, 'a worker process does not stop and is killed');
      worker.process.kill('SIGKILL');
    }, PROCESSES.stop);
    worker.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    ask();
  });
}

/** Ports that are tried if any will do. */
const PORTS_TRIED = 5;

/** Starts on the port. For 0, on a free port, and on another if a program takes that one first. */
async function onPort<T>({ port, host }: StartOptions, start: (port: number) => Promise<T>): Promise<T> {
  if (port !== 0) return start(port);
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort(host));
    } catch (error) {
      const isTaken = error instanceof StartError && error.code === 'EADDRINUSE';
      if (!isTaken || tries === PORTS_TRIED) throw error;
    }
  }
}

/** Workers that each asked for any free port would not share one with the workers of another service in this process. */
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
