// Worker and notifier in loops of their own, with what operators are told of them. Starts and stops; decides nothing.

import type { Logger } from 'pino';
import type { Send } from './delivery.js';
import type { Figures } from './figures.js';
import { type Loop, type LoopClock, startLoop } from './loop.js';
import { createNotifier, type Notifier } from './notify.js';
import type { OpenedWebhooks } from './open.js';
import type { Postbox } from './postbox.js';
import { createWorker, type Worker } from './worker.js';

export interface EngineParts {
  readonly opened: OpenedWebhooks;
  readonly send: Send;
  /** The sender's, milliseconds. */
  readonly deadline: number;
  readonly postbox: Postbox;
  readonly figures: Figures;
  readonly clock: LoopClock;
  readonly log: Logger;
}

export interface Engine {
  readonly worker: Worker;
  /** Deliveries left in flight by a server that was killed become due again (S24), and sending begins. */
  start(): Promise<void>;
  /** Resolves when no run is under way any more; attempts may be. */
  stop(): Promise<void>;
}

/** Attempts under way at most. */
const CAPACITY = 512;

export function createEngine(parts: EngineParts): Engine {
  const { opened, clock, log } = parts;
  const { outbox, listen } = opened;
  const loops: Loop[] = [];
  const failed = (error: unknown): void => log.error({ err: error }, 'web hooks: a run failed');
  const worker = workerOf(parts, () => loops[0]?.wake());
  const notifier = notifierOf(parts);
  const jumped = (milliseconds: number): void => {
    log.warn({ milliseconds }, 'the clock was changed');
    if (milliseconds < 0) void outbox.rewind(clock.now()).catch(failed);
  };
  return {
    worker,
    async start() {
      const released = await outbox.releaseAll(clock.now());
      if (released > 0) log.info({ released }, 'web hooks: attempts of unknown outcome are made once more');
      loops.push(startLoop({ runOnce: worker.runOnce, clock, failed, jumped }));
      loops.push(startLoop({ runOnce: notifier.runOnce, clock, failed }));
      listen({
        woken(hooks) {
          worker.add(hooks);
          loops[0]?.wake();
        },
        passedOver: (hooks) =>
          log.warn({ hooks }, 'web hooks: passed over, their users may not edit the owner any more'),
      });
    },
    async stop() {
      worker.stop();
      notifier.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function workerOf({ opened, send, deadline, figures, clock, log }: EngineParts, wake: () => void): Worker {
  return createWorker({
    outbox: opened.outbox,
    send,
    clock: clock.now,
    capacity: CAPACITY,
    deadline,
    wake,
    watch: {
      attempted({ hook, delivery, type }, outcome) {
        figures.attempted(outcome.class);
        log.debug({ hook, delivery, type, outcome }, 'web hook attempt');
      },
      stale({ hook, delivery }) {
        figures.stale();
        log.debug({ hook, delivery }, 'web hook outcome that changed nothing');
      },
      failed: (error) => log.error({ err: error }, 'web hooks: the database cannot be written'),
    },
  });
}

function notifierOf({ opened, postbox, figures, clock, log }: EngineParts): Notifier {
  return createNotifier({
    mails: opened.outbox,
    postbox,
    clock: clock.now,
    watch: {
      sent({ id }) {
        figures.mail('sent');
        log.info({ mail: id }, 'web hook mail sent');
      },
      failed({ id }, error) {
        figures.mail('failed');
        log.warn({ mail: id, err: error }, 'web hook mail not sent, it is tried again');
      },
    },
  });
}
