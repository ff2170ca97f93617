// A fixed list of requests that covers every feature of the service. Each is answered by a text that does not depend on when or
// how often it is requested, so that the service during and after a fault can be compared with the service before it.

import { createHash } from 'node:crypto';
import { JPEG, PNG } from '../../files/samples.js';
import { count } from '../../support/counts.js';
import { exchange, type IncomingResponse, multipart, type OutgoingRequest } from '../../support/exchange.js';
import { METRICS_TOKEN } from '../../support/quiet-service.js';
import { ACCOUNT, type World } from './world.js';

export interface Answer {
  /** The status of each response; 0 if the connection was cut. */
  readonly statuses: readonly number[];
  readonly text: string;
}

export type Answers = Readonly<Record<string, Answer>>;

/** The current answers of all features. */
export async function askAll(world: World): Promise<Answers> {
  const answers: Record<string, Answer> = {};
  for (const name of FEATURE_NAMES) answers[name] = await ask(world, name);
  return answers;
}

/** The current answer of a feature. */
export async function ask(world: World, name: string): Promise<Answer> {
  const statuses: number[] = [];
  const text = await (FEATURES[name] as Feature)(contextOf(world, statuses));
  return { statuses, text };
}

/** Acknowledged records and bytes that are missing or differ. */
export async function lost(world: World): Promise<readonly string[]> {
  const context = contextOf(world, []);
  const losses: string[] = [];
  for (const [path, expected] of world.kept) {
    const { status, body } = await context.send('GET', path);
    const actual = body.file_uri === undefined ? body.name : await context.bytes(String(body.file_uri));
    if (status !== 200 || actual !== expected) losses.push(`${path}: ${status} ${actual} instead of ${expected}`);
  }
  return losses;
}

/** @returns the path of a new record */
export async function create(world: World): Promise<string> {
  const { send, people } = contextOf(world, []);
  const { body } = await send('POST', '/api/boxtop', { game_id: people.subscriber.game, name: 'Dated' });
  return `/api/boxtop/${body.id}`;
}

/** Changes the name of a record. @returns its times */
export async function update(
  world: World,
  path: string,
): Promise<Readonly<Record<'date_created' | 'date_updated', string>>> {
  const { body } = await contextOf(world, []).send('PUT', path, { name: 'Changed' });
  return { date_created: String(body.date_created), date_updated: String(body.date_updated) };
}

interface Reply extends IncomingResponse {
  readonly body: Readonly<Record<string, unknown>>;
}

interface Context extends World {
  request(path: string, outgoing: OutgoingRequest): Promise<Reply>;
  /** Sends a request as the owner of the game. */
  send(method: string, path: string, parameters?: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  form(path: string, form: ReturnType<typeof multipart>): Promise<Reply>;
  /** Opens a page or document without a session. @returns its type, and whether it is empty */
  open(path: string): Promise<string>;
  /** Opens a page of operators. @returns its title */
  page(path: string): Promise<string>;
  /** The hash of the downloaded bytes. */
  bytes(path: string): Promise<string>;
}

type Feature = (context: Context) => Promise<string>;

const PAGES = ['', '/schema', '/errors', '/webhooks', '/users', '/audit', '/records/boxtop'];
const PAYLOAD = { item: { quantity: 1, name: 'Harbour' }, shipping_address: { city: 'Lyon' } };
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>');

const FEATURES: Readonly<Record<string, Feature>> = {
  async login({ send }) {
    const { body } = await send('POST', '/api/session', ACCOUNT);
    return String((await send('DELETE', `/api/session/${body.id}`)).body.success);
  },
  async 'a record'({ send, people: { subscriber } }) {
    const { body } = await send('POST', '/api/boxtop', { game_id: subscriber.game, name: 'Top', quantity: 3 });
    const path = `/api/boxtop/${body.id}`;
    await send('PUT', path, { quantity: 4 });
    const fetched = await send('GET', path);
    await send('DELETE', path);
    return `${fetched.body.quantity} ${(await send('GET', path)).body.code}`;
  },
  // It is sent again with its key until it is acknowledged, as a client does: then the record exists once.
  async 'a record with a key'({ send, kept, people: { subscriber } }) {
    const name = `Once ${kept.size}`;
    const create = () =>
      send('POST', '/api/boxtop', { game_id: subscriber.game, name }, { 'idempotency-key': name.replace(' ', '-') });
    let reply = await create();
    for (let retries = 0; reply.status !== 201 && retries < 3; retries += 1) reply = await create();
    if (reply.status === 201) kept.set(`/api/boxtop/${reply.body.id}`, name);
    const { body } = await send(
      'GET',
      `/api/game/${subscriber.game}/boxtops?_items_per_page=100&_order_by=-date_created`,
    );
    const items = (body.items ?? []) as readonly { readonly name: string }[];
    return String(items.filter((one) => one.name === name).length);
  },
  async 'a form'({ form, kept, people: { subscriber } }) {
    const fields = [
      ['session_id', subscriber.session],
      ['game_id', subscriber.game],
      ['name', 'Formed'],
    ] as const;
    const { status, body } = await form('/api/boxtop', multipart(fields));
    if (status === 201) kept.set(`/api/boxtop/${body.id}`, 'Formed');
    return String(body.name);
  },
  'an image': (context) => uploadOf(context, 'dot.png', PNG),
  'a photograph': (context) => uploadOf(context, 'dot.jpg', JPEG),
  'a drawing': (context) => uploadOf(context, 'dot.svg', SVG),
  'a file that is there once': (context) => uploadOf(context, 'once.txt', Buffer.from(`text ${context.kept.size}`)),
  async 'bulk creation'({ send, people: { subscriber } }) {
    const deck = await send('POST', '/api/deck', { game_id: subscriber.game, name: 'Deck' });
    const cards = [{ name: 'One' }, { name: 'Two' }];
    const { body } = await send('POST', `/api/deck/${deck.body.id}/bulk-cards`, { cards });
    await send('DELETE', `/api/deck/${deck.body.id}`);
    return `${(body.cards as readonly unknown[] | undefined)?.length}`;
  },
  async 'a list'({ send, people: { subscriber } }) {
    const { body } = await send('GET', `/api/game/${subscriber.game}/boxtops?_items_per_page=1`);
    return `${(body.items as readonly unknown[] | undefined)?.length}`;
  },
  async 'a copy'({ send, people: { subscriber } }) {
    const game = await send('POST', '/api/game', { name: 'Short', designer_id: subscriber.designer });
    await send('POST', '/api/boxtop', { game_id: game.body.id, name: 'Top' });
    const { body } = await send('POST', `/api/game/${game.body.id}/copy`, { name: 'Copied' });
    for (const { id } of [body, game.body]) await send('DELETE', `/api/game/${id}`);
    return String(body.name);
  },
  'the API document': ({ open }) => open('/openapi.json'),
  'the docs page': ({ open }) => open('/docs'),
  'a script of pages': ({ open }) => open('/assets/docs.js'),
  'the first page': ({ open }) => open('/'),
  health: ({ open }) => open('/healthz'),
  readiness: ({ open }) => open('/readyz'),
  async metrics({ request }) {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { text } = await request('/metrics', { method: 'GET', headers });
    const names = ['punchboard_build_info', 'process_cpu_seconds_total', 'webhook_mails_due'];
    return names.map((name) => text.includes(name)).join(' ');
  },
  ...Object.fromEntries(
    PAGES.map((path) => [`operators' page ${path}`, ({ page }: Context) => page(`/console${path}`)]),
  ),
  async 'a test of a web hook'({ send, people: { hook } }) {
    return (await send('POST', `/api/webhook/${hook}/test`, { payload: PAYLOAD })).text;
  },
  'a sale': sale,
  // Only in the long form, since another process makes it, which takes a second. PostgreSQL has its own tools.
  ...(count(0, 1) === 1 ? { 'a backup': backup } : {}),
};

export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);

/** @returns the state of the backup that the operators' pages show in the end */
async function backup(context: Context): Promise<string> {
  const { session } = context.people.subscriber;
  const headers = { cookie: `punchboard_console=${session}`, 'content-type': 'application/x-www-form-urlencoded' };
  const token = await context.request('/console', { method: 'GET', headers });
  const body = `_csrf=${/name="_csrf" value="([^"]+)"/.exec(token.text)?.[1]}`;
  await context.request('/console/backups', { method: 'POST', headers, body });
  const quiet = contextOf(context, []);
  for (;;) {
    const { text } = await quiet.request('/console/backups', { method: 'GET', headers });
    if (!text.includes('under way')) return String(/>\s*(made|failed)\s*</.exec(text)?.[1]);
  }
}

/** Sells a game and waits until its event is delivered, or administrators see that an attempt has failed. */
async function sale(context: Context): Promise<string> {
  const { send, receiver, people } = context;
  const { user, subscriber, hook } = people;
  // These requests only observe the outcome; their statuses are not part of the answer.
  const quiet = contextOf(context, []);
  const failures = async () =>
    Number((await quiet.send('GET', `/api/webhook/${hook}`)).body.failures_since_last_success);
  const before = await failures();
  const sku_id = `sku ${receiver.posts.length}`;
  const items = [
    { game_id: subscriber.game, quantity: 1, name: 'Harbour', sku_id, price_each: '1.00', shop_uri: '/h' },
  ];
  const shipping_address = { city: 'Lyon', state: '69', country: 'FR' };
  const { status } = await send('POST', '/api/receipt', { user_id: user, items, shipping_address });
  if (status !== 201) return 'refused';
  for (;;) {
    if (receiver.posts.some(({ said }) => said.payload?.item?.sku_id === sku_id)) return 'delivered';
    if ((await failures()) > before) return 'failed';
  }
}

function contextOf(world: World, statuses: number[]): Context {
  const { address } = world.server;
  const { session } = world.people.subscriber;
  const request = async (path: string, outgoing: OutgoingRequest): Promise<Reply> => {
    const reply = await exchange(`${address}${path}`, outgoing).catch(() => CUT);
    statuses.push(reply.status);
    return { ...reply, body: bodyOf(reply.text) };
  };
  return {
    ...world,
    request,
    send: (method, path, parameters, headers = {}) => {
      const body = parameters === undefined ? undefined : JSON.stringify(parameters);
      const type = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
      return request(path, { method, headers: { ...type, ...headers }, body });
    },
    form: (path, form) => request(path, { method: 'POST', ...form }),
    async open(path) {
      const { headers, text } = await request(path, { method: 'GET', headers: { accept: 'text/html' } });
      return `${headers.get('content-type')} ${text === '' ? 'empty' : 'with text'}`;
    },
    async page(path) {
      const { text } = await request(path, { method: 'GET', headers: { cookie: `punchboard_console=${session}` } });
      return String(/<h1[^>]*>([^<]*)/.exec(text)?.[1]);
    },
    async bytes(path) {
      const downloaded = await fetch(`${address}${path}`).catch(() => null);
      statuses.push(downloaded?.status ?? 0);
      const whole = await downloaded?.arrayBuffer().catch(() => null);
      if (whole === null || whole === undefined) statuses.push(0);
      return hashOf(new Uint8Array(whole ?? new ArrayBuffer(0)));
    },
  };
}

const CUT: IncomingResponse = { status: 0, headers: new Headers(), text: '' };

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Uploads a file and checks that the same bytes can be downloaded. */
async function uploadOf(context: Context, name: string, bytes: Buffer): Promise<string> {
  const { session } = context.people.subscriber;
  const file = { part: 'file', name, bytes };
  const { status, body } = await context.form('/api/file', multipart([['session_id', session]], file));
  if (status !== 201) return 'refused';
  context.kept.set(`/api/file/${body.id}`, hashOf(bytes));
  const { file_type, image_width, image_height } = body;
  const isSame = (await context.bytes(String(body.file_uri))) === hashOf(bytes);
  return [file_type, image_width, image_height, isSame].join(' ');
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
