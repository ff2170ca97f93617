// `punchboard webhooks` and `punchboard event publish` as an operator uses them, alongside a running server.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf } from '../support/client.js';
import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { subscribe } from '../webhooks/subscriber.js';
import { type HookFixture, startHooked } from './hooked.js';
import { type CommandResult, DATA, serve } from './processes.js';

const PAYLOAD = { item: { quantity: 2, name: 'Grüße 🎲' }, shipping_address: { city: 'Köln' } };
const folder = temporaryFolder('cli-webhooks');
let hooked: HookFixture;
let receiver: HttpReceiver;
let hook: string;

beforeAll(async () => {
  hooked = await startHooked(folder);
  receiver = await startHttpReceiver();
  const { server, subscriber } = hooked;
  hook = (await subscribe(server.address, subscriber, `${receiver.address}/sold?token=secret-token`)).id;
  await callback(hook, 'subscribe');
});
afterAll(async () => {
  hooked.server.process.kill('SIGKILL');
  await Promise.all([hooked.server.ended, receiver.close()]);
});

const callback = (id: string, type: string) =>
  receiver.until((posts) => posts.find(({ said }) => said.id === id && said.type === type));

const command = (...args: string[]): Promise<CommandResult> => runHere(args, folder, { env: DATA });

function publish(event: unknown, ...args: string[]): Promise<CommandResult> {
  writeFileSync(join(folder, 'event.json'), typeof event === 'string' ? event : JSON.stringify(event));
  return command('event', 'publish', '--file', 'event.json', ...args);
}

const sold = (changes: object = {}) => ({
  event: 'ItemSold',
  owner_class: 'Designer',
  owner_id: hooked.subscriber.designer,
  payload: PAYLOAD,
  ...changes,
});

/** Tries until there is a result, a bounded number of times. */
async function until<T>(what: string, look: () => Promise<T | false>): Promise<T> {
  for (let tries = 0; tries < 2000; tries++) {
    const result = await look();
    if (result !== false) return result;
    // The receiver runs in this process, and needs a turn to answer.
    await new Promise(setImmediate);
  }
  throw new Error(`no delivery ${what}`);
}

/** Expects a refusal: one line on stderr, and exit code 1. */
function refused({ code, stdout, stderr }: CommandResult, pattern: RegExp): void {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(pattern);
  expect(stderr.trim().split('\n')).toHaveLength(1);
}

describe('event publish', () => {
  // The loop's own test shows that it looks once a second.
  test('S28 is received while the server runs', async () => {
    const { code, stdout, stderr } = await publish(sold());
    expect([code, stderr, stdout]).toEqual([0, '', '1 delivery written\n']);
    const { said } = await callback(hook, 'data');
    expect(said).toEqual({
      id: hook,
      owner_class: 'Designer',
      owner_id: hooked.subscriber.designer,
      event: 'ItemSold',
      type: 'data',
      payload: PAYLOAD,
    });
  });

  test('an event without web hooks gives no delivery, and is audited', async () => {
    const { server, subscriber } = hooked;
    const created = { session: subscriber.session, parameters: { name: 'Other' } };
    const other = await clientOf(server.address)('POST', '/api/designer', created);
    const owner_id = other.body.id;
    const published = await publish(sold({ owner_id }), '--format', 'json');
    expect(JSON.parse(published.stdout)).toEqual({ deliveries: 0 });
    const audit = JSON.parse((await command('audit', '--format', 'json', '--record', owner_id)).stdout);
    const after = { event: 'ItemSold', owner_class: 'Designer' };
    expect(audit).toMatchObject([{ action: 'publish', name: expect.stringContaining('command line'), after }]);
  });

  test('every mistake is named with its place, and nothing is written', async () => {
    const before = receiver.posts.length;
    const mistakes: [unknown, RegExp][] = [
      ['{"event": "ItemSold",\n  "owner_class" "Designer"}', /event\.json: 2:17: /],
      ['{"event": ', /event\.json: 1:11: .*end of JSON/],
      ['[]', /event\.json: 1:1: .*one object/],
      [{ ...sold(), owner: 'x' }, /owner is not known/],
      [{ event: 'ItemSold', payload: {} }, /owner_class is required; owner_id is required/],
      [sold({ owner_id: 7 }), /owner_id must be text/],
      [sold({ event: 'ItemSolt' }), /event must be one of: ItemSold, ReceiptRefunded, ReceiptShipped/],
      [sold({ owner_class: 'User' }), /owner_class must be Designer/],
      [sold({ owner_id: 'nobody' }), /owner_id is not the id of any designer/],
      [sold({ payload: { item: { quantity: 0 } } }), /payload\/shipping_address is required/],
      [sold({ payload: { ...PAYLOAD, item: { quantity: 'two' } } }), /payload\/item\/quantity must be of type integer/],
      [sold({ payload: null }), /payload must be of type object/],
    ];
    for (const [event, pattern] of mistakes) refused(await publish(event), pattern);
    refused(await command('event', 'publish', '--file', 'nowhere.json'), /nowhere\.json cannot be read/);
    expect(receiver.posts).toHaveLength(before);
  });

  test('without a server it waits for the next one', async () => {
    const other = temporaryFolder('cli-later');
    const first = await startHooked(other);
    const { id } = await subscribe(first.server.address, first.subscriber, `${receiver.address}/later`);
    await first.server.end('SIGTERM');
    writeFileSync(join(other, 'event.json'), JSON.stringify(sold({ owner_id: first.subscriber.designer })));
    const published = await runHere(['event', 'publish', '--file', 'event.json'], other, { env: DATA });
    expect(published.stdout).toBe('1 delivery written\n');
    const second = await serve(['--port', '0', '--log-level', 'error', '--webhook-allow-cidrs', '127.0.0.0/8'], other);
    await callback(id, 'data');
    await second.end('SIGTERM');
  });
});

describe('list, show, log', () => {
  test('S40: the commands tell an operator everything, in words', async () => {
    await publish(sold());
    const list = await command('webhooks', 'list');
    expect([list.code, list.stderr]).toEqual([0, '']);
    const [headings, row] = list.stdout.split('\n');
    expect(headings).toMatch(/^HOOK +EVENT +STATE +FAILURES +WAITING +HELD +NEXT +CALLBACK$/);
    expect(row).toMatch(new RegExp(`^${hook} +ItemSold +well +0 `));
    expect(row).toContain(`${receiver.address}/sold`);
    expect((await command('webhooks', 'show', hook)).stdout).toMatch(/^failures_since_last_success +0$/m);
    expect((await command('webhooks', 'log', hook)).stdout).toMatch(/ subscribe +success 200 +\d+ ms +yes\n$/);
  });

  test('as JSON', async () => {
    const list = JSON.parse((await command('webhooks', 'list', '--format', 'json')).stdout);
    expect(list).toMatchObject([{ id: hook, user_id: hooked.user, event: 'ItemSold', state: 'well' }]);
    const shown = JSON.parse((await command('webhooks', 'show', hook, '--format', 'json')).stdout);
    expect(shown.id).toBe(hook);
    const log = JSON.parse((await command('webhooks', 'log', hook, '--format', 'json', '--limit', '1')).stdout);
    expect(log).toMatchObject([{ type: 'data', outcome: 'success', status: 200, counted: true }]);
  });

  test('neither a key nor the query of an address is ever shown', async () => {
    for (const args of [['list'], ['show', hook], ['log', hook]].flatMap((one) => [
      one,
      [...one, '--format', 'json'],
    ])) {
      const { code, stdout } = await command('webhooks', ...args);
      expect(code).toBe(0);
      expect(stdout).not.toContain('secret-token');
      expect(stdout).not.toContain(hooked.subscriber.key.secret);
    }
  });

  test('S40 the log of a hook outlives it', async () => {
    const { server, subscriber } = hooked;
    const { id } = await subscribe(server.address, subscriber, `${receiver.address}/gone`);
    await callback(id, 'subscribe');
    // An outcome that comes after the deletion changes nothing (S22), so it must be settled before.
    await until('is logged', async () => (await command('webhooks', 'log', id)).stdout.includes(' subscribe '));
    await clientOf(server.address)('DELETE', `/api/webhook/${id}`, { session: subscriber.session });
    await callback(id, 'unsubscribe');
    refused(await command('webhooks', 'show', id), /web hook \w+ not found/);
    const { code, stdout } = await command('webhooks', 'log', id);
    expect([code, stdout]).toEqual([0, expect.stringContaining(' subscribe ')]);
  });

  test('something missing is reported in one line', async () => {
    refused(await command('webhooks', 'show', 'nohook'), /web hook nohook not found/);
    refused(await command('webhooks', 'log', 'nohook'), /web hook nohook not found, and it has no log/);
    refused(await command('webhooks', 'list', '--database', 'other.db'), /there is no database other\.db.*--database/);
    expect(existsSync(join(folder, 'other.db'))).toBe(false);
  });
});

describe('deliveries', () => {
  /** The hook's newest delivery, once it is in that state. */
  const newest = (state: string): Promise<Record<string, unknown>> =>
    until(`became ${state}`, async () => {
      const { stdout } = await command('webhooks', 'deliveries', hook, '--limit', '1', '--format', 'json');
      const [first] = JSON.parse(stdout);
      return first?.state === state && first;
    });

  test('D48: what failed is seen with its answer, paused, resumed, tried again, and not sent again once delivered', async () => {
    // Otherwise the event of an earlier test would fail as well.
    await newest('delivered');
    receiver.answer = () => 500;
    const before = receiver.posts.length;
    await publish(sold());
    await receiver.until((posts) => posts[before]);
    const { id } = await newest('waiting');
    const delivery = String(id);
    const shown = await command('webhooks', 'message', hook, delivery);
    expect(shown.stdout).toMatch(/^state +waiting$/m);
    expect(shown.stdout).toContain('"city":"K\\u00f6ln"');
    expect(shown.stdout).toMatch(/ status 500$/m);

    expect((await command('webhooks', 'pause', hook)).stdout).toBe(`web hook ${hook} is paused\n`);
    expect((await command('webhooks', 'list')).stdout).toMatch(/ paused /);
    refused(await command('webhooks', 'retry', hook, '--delivery', delivery), /is paused/);
    expect((await command('webhooks', 'resume', hook)).stdout).toBe(`web hook ${hook} is resumed\n`);

    receiver.answer = () => 200;
    const retried = await command('webhooks', 'retry', hook, '--since', '2026-01-01');
    expect([retried.code, retried.stdout]).toEqual([0, '1 delivery is tried again\n']);
    const again = await receiver.until((posts) => posts[before + 1]);
    expect(again.delivery).toBe(delivery);
    await newest('delivered');
    refused(await command('webhooks', 'retry', hook, '--delivery', delivery), /delivered/);
    refused(await command('webhooks', 'message', hook, 'nothing'), /has no delivery nothing/);
    const none = await command('webhooks', 'retry', hook, '--since', '2100-01-01', '--format', 'json');
    expect(JSON.parse(none.stdout)).toEqual({ retried: 0 });

    const audit = JSON.parse((await command('audit', '--format', 'json', '--record', hook)).stdout);
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(['retry', 'retry', 'resume', 'pause']);
    expect(audit[1]).toMatchObject({
      resource: 'webhook',
      user_id: null,
      name: expect.stringContaining('command line'),
    });
  });
});

describe('simulate', () => {
  test('S32 plays a script and prints the timeline', async () => {
    writeFileSync(join(folder, 'script.json'), '{ "events": [{ "at": "0h" }], "answers": [500, "hang", 200] }');
    const { code, stdout, stderr } = await command('webhooks', 'simulate', '--behaviour', 'script.json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').length).toBeGreaterThan(3);
    const json = await command('webhooks', 'simulate', '--behaviour', 'script.json', '--format', 'json');
    expect([json.code, json.stderr]).toEqual([0, '']);
    expect(JSON.parse(json.stdout)).toMatchObject({ attempts: { length: 4 }, end: { waiting: 0 } });
  });

  test('a script that cannot be played is refused with the place', async () => {
    writeFileSync(join(folder, 'script.json'), '{ "events": [{ "at": "0h" }], "answers": [500, "hung"] }');
    refused(await command('webhooks', 'simulate', '--behaviour', 'script.json'), /answers\[1\].*hung/);
    refused(await command('webhooks', 'simulate', '--behaviour', 'none.json'), /none\.json cannot be read/);
  });
});

describe('words', () => {
  test.each([
    [['event', 'publish'], /--file/],
    [['webhooks', 'show'], /id/],
    [['webhooks', 'log', 'x', '--limit', 'many'], /--limit/],
    [['webhooks', 'simulate'], /--behaviour/],
  ])('WrongUsage %j: one line, exit code 2', async (args, pattern) => {
    const { code, stdout, stderr } = await command(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('the help names what there is', async () => {
    const { code, stdout } = await command('webhooks', '--help');
    expect(code).toBe(0);
    for (const word of [
      'list',
      'show',
      'log',
      'deliveries',
      'message',
      'retry',
      'pause',
      'resume',
      'simulate',
      'Exit codes',
    ])
      expect(stdout).toContain(word);
    expect((await command('event', 'publish', '--help')).stdout).toContain('"owner_class"');
    const { stdout: simulate } = await command('webhooks', 'simulate', '--help');
    for (const word of ['own_fault', 'burst', 'times']) expect(simulate).toContain(word);
  });
});
