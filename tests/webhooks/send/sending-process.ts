// A sender in a process of its own, so that its memory is measured without the receivers'. Messages give it its tasks.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createGuard } from '../../../runtime/rules/address.js';
import type { Outcome } from '../../../runtime/rules/delivery.js';
import { createSender } from '../../../runtime/webhooks/send/sender.js';

export interface Task {
  readonly uri: string;
  readonly deadline: number;
  readonly attempts: number;
  readonly batch: number;
  /** Certificates to trust, PEM. */
  readonly authorities: string;
}

export interface Report {
  readonly outcomes: readonly Outcome[];
  /** The largest resident memory that was seen, in megabytes. */
  readonly peak: number;
  /** Megabytes in use after the last attempt with garbage collected. */
  readonly rest: number;
}

export interface SendingProcess {
  run(task: Task): Promise<Report>;
  stop(): void;
}

const MEGABYTE = 1024 * 1024;

/** Starts the process, which runs one task at a time. Its sender may call loopback. */
export function startSending(): SendingProcess {
  const child = fork(join(__dirname, 'sending-process.js'), [], { execArgv: ['--expose-gc'] });
  return {
    run: (task) =>
      new Promise((done, failed) => {
        const died = (code: number | null): void => failed(new Error(`The sending process ended with ${code}.`));
        child.once('exit', died).once('message', (report) => {
          child.off('exit', died);
          done(report as Report);
        });
        child.send(task);
      }),
    stop: () => child.kill(),
  };
}

async function serve(task: Task): Promise<Report> {
  const { uri, deadline, authorities } = task;
  const guard = createGuard(['127.0.0.0/8']);
  const sender = createSender({ guard, resolve: () => Promise.resolve(['127.0.0.1']), deadline, authorities });
  const outcomes: Outcome[] = [];
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytes());
  }, 10);
  while (outcomes.length < task.attempts) {
    const batch = Array.from({ length: task.batch }, () =>
      sender.send({ uri, delivery: 'd', body: 'epoch=1', headers: {} }),
    );
    outcomes.push(...(await Promise.all(batch)));
    peak = Math.max(peak, megabytes());
  }
  clearInterval(watch);
  await sender.close();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { outcomes, peak, rest: (heapUsed + external) / MEGABYTE };
}

function megabytes(): number {
  return process.memoryUsage.rss() / MEGABYTE;
}

if (require.main === module) {
  process.on('message', (task) => void serve(task as Task).then((report) => process.send?.(report)));
}
