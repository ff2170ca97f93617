// Nothing above the engine relies on it being in the same process: the service behaves the same over an engine that answers in
// later turns of the event loop, and exchanges only data.

import './replaced-engine.js';
import { randomBytes } from 'node:crypto';
import { openSimulatedService } from '../../runtime/admin/simulate/service.js';
import { simulate } from '../../runtime/admin/simulate/simulate.js';
import type { Post } from '../../runtime/rules/delivery.js';
import { decide } from '../../runtime/rules/policy.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { createWorker } from '../../runtime/webhooks/deliver/worker.js';
import type { Exchange } from '../recorded/exchange.js';
import { readRun } from '../recorded/recordings.js';
import { startWorld } from '../recorded/world.js';
import { asynchronousOutbox } from '../support/asynchronous.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService } from '../support/service.js';
import { outboxWorld, REFUSED, SERVER, SUCCESS, sale, sell, subscribe } from '../webhooks/outbox/outbox-world.js';
import { replaced } from './replaced-engine.js';

/** How many requests of the recording are replayed: all of them take minutes on a busy machine. */
const REPLAYED = process.env.PUNCHBOARD_LONG ? 1000 : 400;
const HOOKS = 12;

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the recorded requests are answered as recorded', async () => {
  const world = await startWorld('plain');
  try {
    const different: string[] = [];
    for (const [at, { request, answer }] of readRun('plain').slice(0, REPLAYED).entries()) {
      const now: Exchange['answer'] = await world.exchange(request);
      const [before, after] = [answer, now].map((one) => JSON.stringify(one));
      if (before !== after && !request.path.startsWith('/openapi.json'))
        different.push(`${at}\n- ${before}\n+ ${after}`);
    }
    expect(different.slice(0, 5)).toEqual([]);
  } finally {
    await world.close();
  }
});

test('a server is ready, has metrics and stops', async () => {
  const service = await startService();
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  expect(await (await fetch(`${service.address}/readyz`)).text()).toBe('ready');
  const metrics = await (await fetch(`${service.address}/metrics`, { headers })).text();
  expect(metrics).toContain('punchboard_webhook_due 0\n');
  expect(metrics).toContain('punchboard_webhook_hooks 0\n');
  await service.stop();
});

test('a worker sends everything once and one delivery of a hook at a time, whatever fails', async () => {
  const world = outboxWorld();
  try {
    const people = await sale(world);
    for (let hook = 0; hook < HOOKS; hook += 1) {
      await subscribe(world, people, { callback_uri: `https://receiver.example/${hook}` });
    }
    for (let event = 0; event < 3; event += 1) await sell(world, people);
    const sent = new Map<string, number>();
    const underWay = new Set<string>();
    const send = async ({ delivery, uri }: Post) => {
      expect(underWay.has(uri)).toBe(false);
      underWay.add(uri);
      const tries = (sent.get(delivery) ?? 0) + 1;
      sent.set(delivery, tries);
      await turn();
      underWay.delete(uri);
      return tries === 1 && /[02468]$/.test(uri) ? REFUSED : SUCCESS;
    };
    const outbox = asynchronousOutbox(world.outbox);
    const failed: unknown[] = [];
    const worker = createWorker({
      ...{ outbox, server: SERVER, send, clock: () => world.now, capacity: 16, deadline: 10_000 },
      observer: { failed: (error) => failed.push(error) },
    });
    for (let next: number | null = world.now; next !== null; ) {
      world.now = Math.max(world.now, next);
      next = await worker.runOnce(world.now);
      await worker.idle();
      if (world.outbox.statistics(world.now).due > 0) next = world.now;
    }
    const counts = [...sent.values()];
    // A subscribe and three events for each hook; every second hook refuses each of them once.
    expect([
      failed,
      counts.filter((count) => count === 1).length,
      counts.filter((count) => count === 2).length,
    ]).toEqual([[], 24, 24]);
    expect(world.db.prepare('SELECT id FROM webhook_delivery').all()).toEqual([]);
  } finally {
    world.end();
  }
});

test('a simulation has the same timeline', async () => {
  const script = JSON.stringify({
    events: [{ at: '0h' }, { at: '1h', burst: 3 }, { at: '9h' }, { at: '3d', burst: 2 }],
    answers: [500, { fault: 'hang', times: 4 }, 200, { fault: 'refused', times: 3 }, 200],
  });
  const slow = await simulate(script);
  replaced.asynchronous = false;
  const fast = await simulate(script);
  replaced.asynchronous = true;
  expect(slow).toBe(fast);
  expect(slow.split('\n').length).toBeGreaterThan(8);
});

test('only data goes in and comes out, no functions', async () => {
  const { engine } = await openSimulatedService(loadGenerated(null), { decide, unit: 1, random: randomBytes }, 0);
  const { records } = engine;
  await expect(records.locate([(() => '') as unknown as string], 'x')).rejects.toThrow('could not be cloned');
  expect(await records.locate(['user'], 'x')).toBe(-1);
  await engine.close();
});
