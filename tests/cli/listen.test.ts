// `punchboard listen`: how it shows callbacks of a service in both formats, what it answers, and when it ends.

import { request } from 'node:http';
import { type CallbackCounts, type ListenOptions, listen } from '../../runtime/admin/webhooks/listen.js';
import { signedForm } from '../../runtime/rules/signature.js';
import { temporaryFolder } from '../support/paths.js';
import { subscribe } from '../webhooks/subscriber.js';
import { startHooked } from './hooked.js';
import { run } from './processes.js';

const NOW = Date.parse('2026-03-01T12:04:05Z');

interface Listening {
  readonly address: string;
  /** Everything that it has written. */
  said(): string;
  readonly ended: Promise<CallbackCounts>;
  stop(): void;
}

async function listening(options: Partial<ListenOptions>, now = () => NOW): Promise<Listening> {
  let [said, tell] = ['', (_: string): void => undefined];
  const first = new Promise<string>((resolve) => (tell = resolve));
  const stop = new AbortController();
  const write = (text: string): void => {
    said += text;
    tell(/http:\/\/[\d.:]+/.exec(text)?.[0] ?? '');
  };
  const all = { port: 0, secrets: [], answers: [200], delay: 0, count: null, ...options };
  const ended = listen(all, { write, now, stop: stop.signal });
  return {
    address: await Promise.race([first, ended.then(String)]),
    said: () => said,
    ended,
    stop: () => stop.abort(),
  };
}

test('callbacks in both formats are shown with their contents, their hook, and whether they are signed', async () => {
  const folder = temporaryFolder('listen');
  const { server, subscriber } = await startHooked(folder);
  const { address, said, ended } = await listening({ secrets: [subscriber.key.secret], count: 2 }, Date.now);
  const form = await subscribe(server.address, subscriber, `${address}/sold`);
  const standard = await subscribe(server.address, subscriber, `${address}/sold`, 'standard');
  expect(await ended).toEqual({ callbacks: 2, refused: 0 });
  const line = (id: string) =>
    `\\d\\d:\\d\\d:\\d\\d POST /sold, ItemSold \\(subscribe\\), web hook ${id}, delivery \\w+, signature valid: answered 200\n {2}\\{\\}\n`;
  for (const { id } of [form, standard]) expect(said()).toMatch(new RegExp(line(id)));
  await server.end();
});

const MESSAGE =
  '{"id":"h1","owner_class":"Designer","owner_id":"d1","event":"ItemSold","type":"data","payload":{"quantity":2}}';
const form = (message = MESSAGE, key = 'key') => signedForm({ message, key }, NOW);
const SOLD = '12:04:05 POST /sold, ItemSold (data), web hook h1, delivery d9,';

const CASES: readonly (readonly [
  about: string,
  secrets: readonly string[],
  body: string,
  shown: string,
  refused: number,
])[] = [
  ['no secret', [], form(), `${SOLD} signature not checked: answered 200\n  {"quantity":2}\n`, 0],
  ['one of several secrets', ['other', 'key'], form(), `${SOLD} signature valid: answered 200\n  {"quantity":2}\n`, 0],
  ['another secret', ['other'], form(), `${SOLD} signature WRONG: answered 200\n  {"quantity":2}\n`, 1],
  [
    'the secret of the other format',
    ['whsec_eA=='],
    form(),
    `${SOLD} signature NOT CHECKED: the secret is for the other format: answered 200\n  {"quantity":2}\n`,
    1,
  ],
  [
    'no signature',
    ['key'],
    new URLSearchParams({ message: MESSAGE }).toString(),
    `${SOLD} NOT SIGNED as the service signs: answered 200\n  {"quantity":2}\n`,
    1,
  ],
  [
    'something else, with commands for a terminal',
    [],
    'a\u001b[2Jb',
    '12:04:05 POST /sold, - (not a callback), web hook -, delivery d9, signature not checked: answered 200\n  a?[2Jb\n',
    0,
  ],
  [
    'a long payload',
    [],
    form(MESSAGE.replace('2}', `"${'x'.repeat(300)}"}`)),
    `${SOLD} signature not checked: answered 200\n  {"quantity":"${'x'.repeat(227)}…\n`,
    0,
  ],
];

test.each(CASES)('%s', async (_, secrets, body, shown, refused) => {
  const { address, said, ended } = await listening({ secrets, count: 1 });
  expect(await post(address, body)).toBe(200);
  expect(await ended).toEqual({ callbacks: 1, refused });
  expect(said().split('\n').slice(1).join('\n')).toBe(shown);
});

test('answers follow one another, the last one repeats, and each waits', async () => {
  const { address, ended } = await listening({ answers: [500, 503, 200], delay: 20, count: 4 });
  const statuses: number[] = [];
  const began = performance.now();
  while (statuses.length < 4) statuses.push(await post(address, form()));
  expect(performance.now() - began).toBeGreaterThanOrEqual(4 * 20 - 5);
  expect([statuses, await ended]).toEqual([[500, 503, 200, 200], { callbacks: 4, refused: 0 }]);
});

test('a request that is not a callback is refused and not counted; a stop sends the answers that are held back', async () => {
  const { address, said, ended, stop } = await listening({ delay: 60_000 });
  expect((await fetch(address)).status).toBe(405);
  expect(await post(address, 'x'.repeat(1024 * 1024 + 1)).catch(() => 413)).toBe(413);
  const waiting = post(address, form());
  while (!said().includes('ItemSold')) await new Promise((turn) => setImmediate(turn));
  // A client that never sends its body delays nothing.
  const open = request(address, { method: 'POST', headers: { 'content-length': 10 } });
  open.on('error', () => undefined).flushHeaders();
  stop();
  expect([await waiting, await ended]).toEqual([200, { callbacks: 1, refused: 0 }]);
});

test('a wrong status is wrong usage; a port that is taken is reported in one line', async () => {
  const folder = temporaryFolder('listen');
  expect((await run(['listen', '--answer', '200,99', '--port', '0'], folder)).code).toBe(2);
  const { address, stop, ended } = await listening({});
  const { code, stderr } = await run(['listen', '--port', new URL(address).port], folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^punchboard: listen EADDRINUSE: .*\n$/)]);
  stop();
  await ended;
});

async function post(address: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'delivery-id': 'd9' };
  return (await fetch(`${address}/sold`, { method: 'POST', headers, body })).status;
}
