// S8: the mail to a hook's creator, from the outbox to a mail server or a file, whatever the server does.

import fs, { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '../../../runtime/store/sqlite/log.js';
import { createNotifier } from '../../../runtime/webhooks/mail/notifier.js';
import {
  createFolderTransport,
  createSmtpTransport,
  type MailTransport,
} from '../../../runtime/webhooks/mail/transport.js';
import { temporaryFolder } from '../../support/paths.js';
import {
  HOUR,
  outboxWorld,
  REFUSED,
  runAttempt,
  type Sale,
  sale,
  sell,
  subscribe,
  type World,
} from '../outbox/outbox-world.js';
import { type MailServer, startMailServer, startSilentServer } from './mail-server.js';

const MINUTE = 60_000;

let world: World;
let people: Sale;
let server: MailServer;
beforeEach(async () => {
  world = outboxWorld();
  people = await sale(world);
  server = await startMailServer();
});
afterEach(async () => {
  world.end();
  await server.close();
});

/** A hook with five failures, whose mail is due. */
async function failing(): Promise<string> {
  const hook = await subscribe(world, people);
  for (let sold = 0; sold < 4; sold += 1) await sell(world, people);
  for (let failed = 0; failed < 5; failed += 1) await runAttempt(world, hook, REFUSED);
  return hook;
}

const notifierOf = (transport: MailTransport) =>
  createNotifier({ mails: world.outbox, transport, clock: () => world.now });
const failuresOf = (hook: string) =>
  world.db.prepare('SELECT failures_since_last_success FROM webhook WHERE id = ?').pluck().get(hook);

/** One run of a notifier on its own connection to the server. */
async function run(url = server.url): Promise<number | null> {
  const notifier = notifierOf(createSmtpTransport(url, 300));
  const next = await notifier.runOnce(world.now);
  notifier.stop();
  return next;
}

test("a mail is sent once, to the creator's current address", async () => {
  const hook = await failing();
  world.db.prepare(`UPDATE user SET email = 'new@example.org' WHERE id = ?`).run(people.maker.user);
  expect(await run()).toBeNull();
  expect(server.taken).toHaveLength(1);
  const [mail] = server.taken;
  expect(mail).toMatchObject({ from: 'punchboard@127.0.0.1', to: ['new@example.org'] });
  expect(mail?.text).toMatch(/^Subject: Your web hook for ItemSold has failed 5 times in a row\r$/m);
  expect(mail?.text).toContain(hook);
  expect(mail?.text).toContain('https://receiver.example/hook');
  world.now += 400 * HOUR;
  await run();
  expect(server.taken).toHaveLength(1);
  expect(world.outbox.statistics(world.now).mailsDue).toBe(0);
});

test('the sender is in the URL', async () => {
  await failing();
  await run(`${server.url}?from=${encodeURIComponent('hooks@example.org')}`);
  expect(server.taken[0]?.from).toBe('hooks@example.org');
});

test.each([450, 554])('a mail refused with %d is tried again until it is accepted', async (code) => {
  const hook = await failing();
  server.refuse = code;
  await run();
  const count = failuresOf(hook);
  for (const wait of [5, 10, 15]) {
    world.now += wait * MINUTE - 1;
    expect(world.outbox.dueMails(world.now, 10)).toEqual([]);
    world.now += 1;
    await run();
  }
  expect(server.taken).toEqual([]);
  server.refuse = null;
  world.now += HOUR;
  await run();
  expect(server.taken).toHaveLength(1);
  expect([count, failuresOf(hook)]).toEqual([5, 5]);
});

test('no mail is lost when the server hangs or cannot be reached', async () => {
  await failing();
  const silent = await startSilentServer();
  await run(silent.url);
  silent.close();
  world.now += HOUR;
  await run(silent.url);
  expect(server.taken).toEqual([]);
  world.now += HOUR;
  await run();
  expect(server.taken).toHaveLength(1);
});

test('a mail that a stop interrupts is sent after the restart', async () => {
  await failing();
  const silent = await startSilentServer();
  const notifier = notifierOf(createSmtpTransport(silent.url, 60_000));
  const running = notifier.runOnce(world.now);
  notifier.stop();
  expect(await running).toBeNull();
  silent.close();
  expect(await notifier.runOnce(world.now)).toBeNull();
  await run();
  expect(server.taken).toHaveLength(1);
});

test('a mail waits until its creator has an address', async () => {
  await failing();
  const setEmail = world.db.prepare('UPDATE user SET email = ? WHERE id = ?');
  setEmail.run(null, people.maker.user);
  await run();
  expect(server.taken).toEqual([]);
  setEmail.run('late@example.org', people.maker.user);
  world.now += HOUR;
  await run();
  expect(server.taken.map(({ to }) => to)).toEqual([['late@example.org']]);
});

test.each([
  'one@example.org, two@example.org',
  'one@example.org\r\nBcc: two@example.org',
  '"one" <two@example.org>',
  'one:two@example.org;',
  'one',
])('nothing is sent to %j, which is not one address', async (email) => {
  await failing();
  world.db.prepare('UPDATE user SET email = ? WHERE id = ?').run(email, people.maker.user);
  await run();
  expect(server.taken).toEqual([]);
  expect(world.outbox.statistics(world.now).mailsDue).toBe(1);
});

test('a sent mail whose outcome cannot be written is not sent again', async () => {
  await failing();
  const sent: string[] = [];
  const mails = {
    ...world.outbox,
    settleMail: () => Promise.reject(new Error('the disk is full')),
  };
  const transport: MailTransport = { post: async ({ id }) => void sent.push(id), close: () => undefined };
  const notifier = createNotifier({ mails, transport, clock: () => world.now });
  for (let second = 0; second < 3; second += 1) {
    await expect(notifier.runOnce(world.now)).rejects.toThrow('the disk is full');
  }
  expect(sent).toHaveLength(1);
  mails.settleMail = world.outbox.settleMail as typeof mails.settleMail;
  await notifier.runOnce(world.now);
  expect([sent.length, world.outbox.statistics(world.now).mailsDue]).toEqual([1, 0]);
});

test('without a server, the mail is written to a file whose path is reported', async () => {
  const hook = await failing();
  const folder = join(temporaryFolder('mails'), 'outbox');
  const lines: string[] = [];
  await notifierOf(createFolderTransport(folder, (path) => lines.push(path))).runOnce(world.now);
  const files = readdirSync(folder);
  expect(lines).toEqual(files.map((file) => join(folder, file)));
  const text = readFileSync(lines[0] ?? '', 'utf8');
  expect(text).toMatch(/^To: .*<maker@x.org>\r$/m);
  expect(text).toMatch(/^Date: .*2026/m);
  expect(text).toContain(hook);
});

test('without a server and an address, the file names the user', async () => {
  await failing();
  world.db.prepare('UPDATE user SET email = NULL WHERE id = ?').run(people.maker.user);
  const folder = temporaryFolder('mails');
  await notifierOf(createFolderTransport(folder, () => undefined)).runOnce(world.now);
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^To: .*maker.*:;\r$/m);
  expect(world.outbox.statistics(world.now).mailsDue).toBe(0);
});

test('without the library that composes mails, the file is plain text', async () => {
  const hook = await failing();
  const folder = temporaryFolder('mails');
  await notifierOf(createFolderTransport(folder, () => undefined, false)).runOnce(world.now);
  const [file = ''] = readdirSync(folder);
  expect(file).toMatch(/\.txt$/);
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toMatch(/^To: maker@x\.org\nSubject: .+\n\n/);
  expect(text).toContain(hook);
});

test.each(['http://mail.example.org', 'mail.example.org:25', ''])('%j is not the URL of a mail server', (url) => {
  expect(() => createSmtpTransport(url)).toThrow('smtp://host:port');
});

test('a due mail is handed out only when the failures it reports are durable', async () => {
  world.end();
  world = outboxWorld(undefined, openLog);
  people = await sale(world);
  await failing();
  const ends: (() => void)[] = [];
  const syncs = jest.spyOn(fs, 'fdatasync').mockImplementation((_, then) => void ends.push(() => then(null)));
  let isAnswered = false;
  const due = Promise.resolve(world.outbox.dueMails(world.now, 10)).finally(() => (isAnswered = true));
  while (ends.length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  syncs.mockRestore();
  for (const end of ends) end();
  expect(await due).toHaveLength(1);
});
