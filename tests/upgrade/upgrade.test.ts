// An upgrade loses nothing: the current server starts on what the server of an earlier commit left when it was killed, and, on
// PostgreSQL, beside that server.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Circumstances, OURS, type Server, serveIn } from '../cli/processes.js';
import { clientOf, type Reply, type Send } from '../support/client.js';
import { runHere } from '../support/in-process.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { preloading } from '../support/preload.js';
import { type HttpReceiver, type Received, signedBy, startHttpReceiver } from '../webhooks/http-receiver.js';
import { sell } from '../webhooks/subscriber.js';
import { commandOf } from './checkouts.js';
import { COMMITS, copyOf, type EngineName, type RecordedService } from './recorded.js';
import type { Answer } from './scene.js';
import { keyedRequest, login } from './seed.js';

/** After the first retry, but before any session or key of the recording expires. */
const LATER = 2 * 3_600_000;
/** Properties of a hook that due callbacks change. */
const CHANGED_BY_CALLBACKS = ['callback_uri', 'failures_since_last_success', 'date_updated'];

const ENGINES: readonly EngineName[] = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const LEFT = COMMITS.flatMap((commit) => ENGINES.map((engine) => ({ commit, engine })));

describe.each(LEFT)('the database that $commit left on $engine', ({ commit, engine }) => {
  let receiver: HttpReceiver;
  let recorded: RecordedService;
  let server: Server;
  let send: Send;

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    recorded = await copyOf(commit, { engine, receiver: receiver.address, postgres });
    server = await startOn(recorded);
    send = clientOf(server.address);
  });
  afterAll(async () => {
    await server.end();
    await receiver.close();
  });

  test('every record is returned as before, to the recorded sessions', async () => {
    const { answers, seeded } = recorded.scene;
    const now: Answer[] = [];
    for (const { path, as } of answers) {
      const session = as === 'nobody' ? null : seeded[as].session;
      const { status, body } = await send('GET', path, { session });
      now.push({ path, as, status, body });
    }
    expect(now).toMatchObject(answers.map(comparable));
    expect(answers.length).toBeGreaterThan(140);
  });

  test('stored texts are found by the current rule for words', async () => {
    for (const text of ['双六', 'ゲーム', '日本語の双六ゲーム', 'STRASSE', 'straße 六']) {
      const { body } = await send('GET', `/api/part?q=${encodeURIComponent(text)}`);
      expect([text, idsOf(body)]).toEqual([text, [recorded.japanesePart]]);
    }
  });

  test('recorded passwords still log in', async () => {
    const { ada, root } = recorded.scene.seeded;
    for (const person of [ada, root]) expect((await login(send, person)).session).toMatch(/^[\w-]{20}/);
  });

  test('D65: a stored user has no role until one is set', async () => {
    const { ada, root, records } = recorded.scene.seeded;
    const path = `/api/user/${records.user}`;
    const role = async () => (await send('GET', path, { session: ada.session })).body.operator_role;
    expect(await role()).toBeNull();
    for (const operator_role of ['support', null]) {
      await send('PUT', path, { session: root.session, parameters: { operator_role } });
      expect(await role()).toBe(operator_role);
    }
  });

  test('a recorded API key has no token until one is requested', async () => {
    const { ada, records } = recorded.scene.seeded;
    const path = `/api/apikey/${records.apikey}`;
    const { body } = await send('GET', path, { session: ada.session });
    expect(body).toMatchObject({ scope: 'read', resources: null, expires: null, last_used: null });
    const none = `${records.apikey}.${'x'.repeat(27)}`;
    expect((await send('GET', `/api/user/${records.user}`, { session: none })).status).toBe(401);
    const renewed = await send('POST', `${path}/token`, { session: ada.session });
    expect((await send('GET', `/api/game/${records.game}`, { session: String(renewed.body.token) })).status).toBe(200);
  });

  test('a repeated create with a recorded key gets the same response and creates nothing', async () => {
    const { keyed, ada } = recorded.scene.seeded;
    const reply = await send('POST', keyed.path, keyedRequest({ ...keyed, session: ada.session }));
    expect([reply.status, reply.body.id]).toEqual([201, keyed.id]);
    const other = { ...keyed, parameters: { ...keyed.parameters, name: 'Another' }, session: ada.session };
    expect((await send('POST', keyed.path, keyedRequest(other))).status).toBeGreaterThanOrEqual(400);
  });

  test('files are served at their old addresses', async () => {
    const files = recorded.scene.answers.filter(({ path, as }) => as === 'ada' && path.startsWith('/api/file/'));
    for (const { body } of files) {
      const response = await fetch(`${server.address}${body.file_uri}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      const hash = createHash('sha256').update(bytes).digest('hex');
      expect(existsSync(join(recorded.files, hash.slice(0, 2), hash))).toBe(true);
    }
    expect(files.length).toBe(1);
  });

  test('due callbacks arrive once, as they were written, and those of a paused hook after it resumes', async () => {
    const { hooks, root, subscriber } = recorded.scene.seeded;
    for (const { id, delivery, message } of [hooks.failing, hooks.open]) {
      const post = await receiver.until((posts) => posts.find(({ said }) => said.id === id));
      expect([post.delivery, post.message, signedBy(subscriber.key.secret, post)]).toEqual([delivery, message, true]);
    }
    expect(receiver.posts.filter(isOf(hooks.paused.id))).toEqual([]);
    const resumed = await send('POST', `/api/webhook/${hooks.paused.id}/resume`, {
      session: root.session,
      parameters: {},
    });
    expect(resumed.status).toBe(200);
    const held = await receiver.until((posts) => posts.find(isOf(hooks.paused.id)));
    expect(held.said.payload.item.sku_id).toBe('BEFORE');
    expect(new Set(receiver.posts.map(({ delivery }) => delivery)).size).toBe(receiver.posts.length);
  });

  test('the audit shows the recorded pause', async () => {
    const { code, stdout } = await command(recorded, ['audit', '--format', 'json']);
    expect(code).toBe(0);
    expect(stdout).toContain(recorded.scene.seeded.hooks.paused.id);
  });

  test('values kept aside are restored, and the next start changes nothing', async () => {
    const { dropped, seeded } = recorded.scene;
    await server.end('SIGTERM');
    const restored = await command(recorded, ['migrate', 'restore', `${dropped.table}.${dropped.column}`]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const { stdout } = await command(recorded, ['migrate', 'status', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ pending: 0 });
    server = await startOn(recorded);
    send = clientOf(server.address);
    const path = `/api/${dropped.table}/${seeded.records[dropped.table]}`;
    const { body } = await send('GET', path, { session: seeded.root.session });
    expect(body[dropped.column]).toBe(dropped.value);
  });
});

describe.each(COMMITS)('beside a server of %s on PostgreSQL', (commit) => {
  const old = hasPostgres ? commandOf(commit) : { reason: 'no PostgreSQL' };
  const testBeside = 'reason' in old ? test.skip : test;

  testBeside('both answer, read what the other wrote, and deliver each sale once', async () => {
    const receiver = await startHttpReceiver();
    const recorded = await copyOf(commit, { engine: 'postgres', receiver: receiver.address, postgres });
    const { root, ada, subscriber, records, hooks } = recorded.scene.seeded;
    const before = await startOn(recorded, 'program' in old ? old : {});
    const after = await startOn(recorded);
    const [old_, new_] = [clientOf(before.address), clientOf(after.address)];
    const pairs = [
      { writes: old_, reads: new_, address: before.address, sku: 'BY-OLD' },
      { writes: new_, reads: old_, address: after.address, sku: 'BY-NEW' },
    ];
    for (const { writes, reads, address, sku } of pairs) {
      const by = { session: ada.session };
      const created = await writes('POST', '/api/boxtop', { ...by, parameters: { name: sku, game_id: records.game } });
      expect(created.status).toBe(201);
      expect((await reads('GET', `/api/boxtop/${created.body.id}`, by)).body).toMatchObject({ name: sku });
      const changed = await reads('PUT', `/api/boxtop/${created.body.id}`, { ...by, parameters: { quantity: 7 } });
      expect(changed.status).toBe(200);
      expect((await writes('GET', `/api/boxtop/${created.body.id}`, by)).body).toMatchObject({ quantity: 7 });
      // D57: the tag is the same, whichever server made the change.
      expect((await new_('GET', `/api/boxtop/${created.body.id}`, by)).headers.get('etag')).toBe('"2"');
      // D60: both repeat the response to a create that one of them executed; the old one shows the version as one more property.
      const published = keyedRequest({ key: `publish-${sku}`, parameters: {}, session: ada.session });
      const first = await writes('POST', `/api/game/${records.game}/public`, published);
      const again = await reads('POST', `/api/game/${records.game}/public`, published);
      const { _version, ...said } = again.body;
      expect([first.status, again.status, said]).toEqual([200, 200, first.body]);
      await sell(address, { admin: root.session, buyer: String(records.user) }, { game: subscriber.game, sku });
      await receiver.until((posts) => posts.find((post) => isOf(hooks.failing.id)(post) && skuOf(post) === sku));
    }
    const named = { session: root.session, parameters: { name: '将棋の駒' } };
    const piece = await old_('POST', '/api/part', named);
    const next = await startOn(recorded);
    // A second after its start, a server rewrites the words that a server of the earlier rule has written.
    for (let found: readonly string[] = []; found.length === 0; )
      found = idsOf((await new_('GET', `/api/part?q=${encodeURIComponent('の駒')}`)).body);
    expect(idsOf((await old_('GET', `/api/part?q=${encodeURIComponent('将棋の駒')}`)).body)).toEqual([piece.body.id]);
    await next.end('SIGTERM');
    for (const server of [before, after]) server.process.kill('SIGTERM');
    const ends = await Promise.all([before.ended, after.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const delivered = receiver.posts.map(({ delivery }) => delivery);
    expect(new Set(delivered).size).toBe(delivered.length);
    await receiver.close();
  });
});

const isOf =
  (hook: string) =>
  ({ said }: Received): boolean =>
    said.id === hook && said.type === 'data';

function idsOf({ items }: Reply['body']): readonly string[] {
  return (items as readonly { readonly id: string }[]).map(({ id }) => id);
}

function skuOf({ said }: Received): string {
  return said.payload.item.sku_id;
}

/** The part of a response that must not change. */
function comparable(answer: Answer): Answer {
  // Messages of refusals may change.
  if (answer.status >= 400) return { ...answer, body: { code: answer.body.code } };
  if (!answer.path.startsWith('/api/webhook/')) return answer;
  const unchanged = Object.entries(answer.body).filter(([name]) => !CHANGED_BY_CALLBACKS.includes(name));
  return { ...answer, body: Object.fromEntries(unchanged) };
}

function circumstances(recorded: RecordedService): Circumstances & { env: Record<string, string> } {
  const { scene, copiedAt, database, files } = recorded;
  const clock = preloading(require.resolve('./clock.js'));
  const offset = String(scene.now + LATER - copiedAt);
  return { env: { ...OURS, DATABASE: database, FILES: files, NODE_OPTIONS: clock, CLOCK_OFFSET: offset } };
}

function startOn(recorded: RecordedService, more: Circumstances = {}): Promise<Server> {
  const options = ['--port', '0', '--rate-limit', '0', '--log-level', 'error'];
  const args = [...options, '--webhook-allow-cidrs', '127.0.0.0/8'];
  const { env } = circumstances(recorded);
  // Another program has a service of its own.
  const [, script] = more.program ?? [];
  const service = script === undefined ? {} : { GENERATED: resolve(script, '..', '..', '..', 'generated') };
  return serveIn(args, recorded.folder, { env: { ...env, ...service }, ...more });
}

function command({ database, files, folder }: RecordedService, args: readonly string[]) {
  return runHere(args, folder, { env: { ...OURS, DATABASE: database, FILES: files } });
}
