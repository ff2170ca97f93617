// A fixed list of requests over every feature of the service. What each answers is a text that does not depend on when or how
// often it was asked, so that a service after a fault can be compared with itself before.

import { createHash } from 'node:crypto';
import { visitorOf } from '../../console/visitor.js';
import { JPEG, PNG } from '../../files/samples.js';
import { clientOf, type Reply } from '../../support/client.js';
import { exchange, multipart } from '../../support/exchange.js';
import { METRICS_TOKEN } from '../../support/quiet-service.js';
import { sell } from '../../webhooks/subscriber.js';
import { ACCOUNT, type World } from './world.js';

export type Answers = Readonly<Record<string, string>>;

/** What every feature answers now. */
export async function ask(world: World): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const [name, feature] of Object.entries(FEATURES)) answers[name] = await feature(contextOf(world));
  return answers;
}

interface Context extends World {
  /** As the owner of the game. */
  send(method: string, path: string, parameters?: object): Promise<Reply>;
  /** Without a session. @returns status and type */
  open(path: string): Promise<string>;
  /** On the operators' pages. @returns status and title */
  page(path: string): Promise<string>;
}

type Feature = (context: Context) => Promise<string>;

const FEATURES: Readonly<Record<string, Feature>> = {
  async login({ server }) {
    const send = clientOf(server.address);
    const { status, body } = await send('POST', '/api/session', { parameters: ACCOUNT });
    return `${status} ${(await send('DELETE', `/api/session/${body.id}`, { session: body.id })).status}`;
  },
  async 'a record'({ send, people: { subscriber } }) {
    const values = { game_id: subscriber.game, name: 'Top', quantity: 3 };
    const { status, body } = await send('POST', '/api/boxtop', values);
    const path = `/api/boxtop/${body.id}`;
    const changed = await send('PUT', path, { quantity: 4 });
    const fetched = await send('GET', path);
    const removed = await send('DELETE', path);
    const gone = await send('GET', path);
    return [status, changed.status, fetched.body.quantity, removed.status, gone.status].join(' ');
  },
  async 'a form'({ server, people: { subscriber } }) {
    const { session, game } = subscriber;
    const form = multipart([
      ['session_id', session],
      ['game_id', game],
      ['name', 'Formed'],
    ]);
    const { status, text } = await exchange(`${server.address}/api/boxtop`, { method: 'POST', ...form });
    return `${status} ${JSON.parse(text).name}`;
  },
  'an image': (context) => uploadOf(context, 'dot.png', PNG),
  'a photograph': (context) => uploadOf(context, 'dot.jpg', JPEG),
  'a drawing': (context) => uploadOf(context, 'dot.svg', Buffer.from(SVG)),
  async 'bulk creation'({ send, people: { subscriber } }) {
    const deck = await send('POST', '/api/deck', { game_id: subscriber.game, name: 'Deck' });
    const cards = [{ name: 'One' }, { name: 'Two' }];
    const { body } = await send('POST', `/api/deck/${deck.body.id}/bulk-cards`, { cards });
    return `${deck.status} ${body.cards?.length} ${body.errors}`;
  },
  async 'a list'({ send, people: { subscriber } }) {
    const { status, body } = await send('GET', `/api/game/${subscriber.game}/boxtops?_items_per_page=1`);
    return `${status} ${body.items?.length}`;
  },
  async 'a copy'({ send, people: { subscriber } }) {
    const { status, body } = await send('POST', `/api/game/${subscriber.game}/copy`, { name: 'Copied' });
    return `${status} ${body.name}`;
  },
  'the API document': ({ open }) => open('/openapi.json'),
  'the docs page': ({ open }) => open('/docs'),
  'a script of pages': ({ open }) => open('/assets/docs.js'),
  'the first page': ({ open }) => open('/'),
  health: ({ open }) => open('/healthz'),
  readiness: ({ open }) => open('/readyz'),
  async metrics({ server }) {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { status, text } = await exchange(`${server.address}/metrics`, { method: 'GET', headers });
    const names = ['punchboard_build_info', 'process_cpu_seconds_total', 'webhook_mails_due'];
    return [status, ...names.map((name) => text.includes(name))].join(' ');
  },
  ...Object.fromEntries(
    ['', '/schema', '/errors', '/webhooks', '/users', '/audit', '/records/boxtop'].map((path) => [
      `operators' page ${path}`,
      ({ page }: Context) => page(`/console${path}`),
    ]),
  ),
  async 'a test of a web hook'({ send, people: { hook } }) {
    const { status, text } = await send('POST', `/api/webhook/${hook}/test`, { payload: PAYLOAD });
    return `${status} ${text}`;
  },
  async 'a sale'({ server, receiver, people: { user, subscriber } }) {
    const sku = `sku ${receiver.posts.length}`;
    const { session, game } = subscriber;
    await sell(server.address, { admin: session, buyer: user }, { game, sku });
    const post = await receiver.until((posts) => posts.find(({ said }) => said.payload?.item?.sku_id === sku));
    return `${post.said.event} ${post.said.type}`;
  },
};

const PAYLOAD = { item: { quantity: 1, name: 'Harbour' }, shipping_address: { city: 'Lyon' } };
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>';

function contextOf(world: World): Context {
  const { address } = world.server;
  const { session } = world.people.subscriber;
  const client = clientOf(address);
  return {
    ...world,
    send: (method, path, parameters) =>
      client(method, path, { session, ...(parameters && { parameters: { ...parameters } }) }),
    async open(path) {
      const { status, headers, text } = await exchange(`${address}${path}`, {
        method: 'GET',
        headers: { accept: 'text/html' },
      });
      return `${status} ${headers.get('content-type')} ${text === '' ? 'empty' : 'with text'}`;
    },
    async page(path) {
      const { status, text } = await visitorOf(address, session).get(path);
      return `${status} ${/<h1[^>]*>([^<]*)/.exec(text)?.[1]}`;
    },
  };
}

/** Also that the bytes come back. */
async function uploadOf({ server, people: { subscriber } }: Context, name: string, bytes: Buffer): Promise<string> {
  const form = multipart([['session_id', subscriber.session]], { part: 'file', name, bytes });
  const { status, text } = await exchange(`${server.address}/api/file`, { method: 'POST', ...form });
  const body = JSON.parse(text) as Record<string, unknown>;
  const shape = [status, body.file_type ?? body.type, body.image_width, body.image_height];
  if (status !== 201) return shape.join(' ');
  const download = await fetch(`${server.address}${body.file_uri}`);
  const hash = (of: Uint8Array) => createHash('sha256').update(of).digest('hex');
  const same = hash(new Uint8Array(await download.arrayBuffer())) === hash(bytes);
  return [...shape, download.status, same].join(' ');
}
