// The basis of the web hook benchmarks: a receiver in a process of its own, and a service in this process with hooks to it.

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import type { Outbox } from '../../runtime/store/outbox.js';
import { createWebhooks } from '../../runtime/webhooks/module.js';
import type { Question, ReceiverMessage } from './webhook-receiver.js';

export interface Receiver {
  readonly address: string;
  /** Resolves when that many callbacks with an item have come from now on; call it before they are sent. */
  expect(count: number): Promise<void>;
  /** The arrivals since the last call: `path sku` to epoch milliseconds. */
  arrivals(): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(__dirname, 'webhook-receiver.js'));
  const { listening } = (await messageFrom(child, 'listening')) as { readonly listening: string };
  return {
    address: listening,
    async expect(count) {
      const reached = messageFrom(child, 'reached');
      child.send({ expect: count } satisfies Question);
      await reached;
    },
    async arrivals() {
      const answer = messageFrom(child, 'arrivals');
      child.send({ arrivals: true } satisfies Question);
      return new Map(((await answer) as { readonly arrivals: readonly (readonly [string, number])[] }).arrivals);
    },
    close: () => void child.kill(),
  };
}

function messageFrom(child: ChildProcess, key: string): Promise<ReceiverMessage> {
  return new Promise((resolve) => {
    const look = (message: ReceiverMessage): void => {
      if (!(key in message)) return;
      child.off('message', look);
      resolve(message);
    };
    child.on('message', look);
  });
}

export interface WebhookFixture {
  /** Creates a designer with hooks at these paths of the receiver. Returns its id. */
  designer(paths: readonly string[]): Promise<string>;
  /** The number of outcomes settled so far. */
  settled(): number;
  /** Resolves with the next settled outcome. */
  nextSettled(): Promise<void>;
  /** Publishes a sale; resolves when it is durable. */
  sell(designer: string, sku: string): Promise<void>;
  stop(): Promise<void>;
}

/** The real module on a database at `synchronous=FULL`, driven by its own loops. */
export async function startFixture(folder: string, receiver: string): Promise<WebhookFixture> {
  const database = join(folder, 'webhooks.db');
  const now = Date.now();
  const service = await openService(
    { database, wire: 'plain', generated: null, owner: true, random: randomBytes },
    now,
  );
  const { definitions, engine } = service;
  const { outbox: whole, records: store } = engine;
  if (whole === null) throw new Error('there are no web hooks');
  let settled = 0;
  let waiting: (() => void)[] = [];
  const outbox: Outbox = {
    ...whole,
    async settle(batch) {
      const current = await whole.settle(batch);
      settled += batch.length;
      for (const resolve of waiting) resolve();
      waiting = [];
      return current;
    },
  };
  const clock = { now: () => Date.now(), tick: () => performance.now() };
  const log = pino({ level: 'silent' });
  const options = { host: '127.0.0.1', trustProxy: 0, webhookAllowCidrs: ['127.0.0.0/8'] };
  const webhooks = createWebhooks({
    ...{ options, database, outbox, server: 'server', clock, log },
    ...{ store, list: service.operations.list, definitions, profile: service.profile },
  });
  const text = await addUser(service, { username: 'bench', password: 'correct horse', admin: false }, now);
  const caller = { user: (JSON.parse(text) as { id: string }).id, admin: false };
  const create = async (resource: string, parameters: Readonly<Record<string, unknown>>): Promise<string> => {
    const definition = definitions.find(({ name }) => name === resource);
    if (definition === undefined) throw new Error(`there is no ${resource}`);
    const operation = resource === 'webhook' ? webhooks.operations.create : service.operations.create;
    if (operation === undefined) throw new Error('the module creates no web hooks');
    const call = { definition, id: '', name: '', parameters, caller, now: Date.now(), upload: null };
    return (JSON.parse((await operation(call)).body) as { id: string }).id;
  };
  const api_key_id = await create('apikey', { name: 'bench' });
  await webhooks.start();
  return {
    settled: () => settled,
    nextSettled: () => new Promise((resolve) => waiting.push(resolve)),
    async designer(paths) {
      const owner_id = await create('designer', { name: 'Bench' });
      const owner = { event: 'ItemSold', owner_class: 'Designer', owner_id, api_key_id };
      await Promise.all(paths.map((path) => create('webhook', { ...owner, callback_uri: `${receiver}/${path}` })));
      return owner_id;
    },
    async sell(owner_id, sku_id) {
      const payload = { item: { ...ITEM, sku_id }, shipping_address: ADDRESS };
      await outbox.publish({ event: 'ItemSold', owner_class: 'Designer', owner_id, payload }, Date.now());
    },
    async stop() {
      await webhooks.stop();
      service.engine.close();
    },
  };
}

const ITEM = { quantity: 1, name: 'Harbour Lights', price_each: '19.99', shop_uri: '/games/harbour-lights' };
const ADDRESS = { city: 'Madison', state: 'WI', country: 'US' };
