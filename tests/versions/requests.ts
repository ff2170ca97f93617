// The requests of a client of the small spec, and their answers without what differs from run to run.

import { clientOf, type RequestOptions } from '../support/client.js';
import type { TestService } from '../support/service.js';

export interface RecordedAnswer {
  readonly request: string;
  /** Status, what a client reads of the head, and the body. */
  readonly answer: string;
}

const HEADERS = ['ignored-parameters', 'location', 'etag', 'content-type'];
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Client {
  readonly owner: string;
  readonly admin: string;
  readonly call: (method: string, path: string, sent?: RequestOptions) => Promise<Readonly<Record<string, string>>>;
  readonly create: (path: string, parameters: RequestOptions['parameters'], sent?: RequestOptions) => Promise<string>;
  /** This request is not recorded: a cursor differs from run to run. */
  readonly page: (path: string) => Promise<{ readonly paging?: { readonly next_cursor?: string } }>;
  readonly face: string;
}

/** Ids of the records that the client creates. */
type RecordIds = Readonly<Record<'game' | 'other' | 'board' | 'card' | 'sale', string>>;

/** @param headers of every request */
export async function answersOf(
  service: TestService,
  headers: Readonly<Record<string, string>>,
): Promise<RecordedAnswer[]> {
  const send = clientOf(service.address);
  const owner = await service.user('ann');
  const admin = await service.user('root', true);
  const recorded: RecordedAnswer[] = [];
  const plain = withoutChance();
  const call: Client['call'] = async (method, path, sent = {}) => {
    const reply = await send(method, path, {
      session: owner.session,
      ...sent,
      headers: { ...headers, ...sent.headers },
    });
    const head = HEADERS.map((name) => `${name}: ${reply.headers.get(name) ?? ''}`);
    recorded.push({
      request: plain(`${method} ${path} ${JSON.stringify(sent.parameters ?? null)}`),
      answer: plain([reply.status, ...head, reply.text].join('\n')),
    });
    return reply.body?.result ?? reply.body ?? {};
  };
  const { status, text } = await upload(service.address, { ...headers, authorization: `Bearer ${owner.session}` });
  const { id, result } = JSON.parse(text) as { readonly id?: string; readonly result?: { readonly id: string } };
  const face = result?.id ?? id ?? '';
  recorded.push({ request: 'POST /api/file', answer: plain(`${status}\n${text}`) });
  const client: Client = {
    owner: owner.id,
    admin: admin.session,
    call,
    create: async (path, parameters, sent = {}) =>
      (await call('POST', path, { parameters: parameters ?? {}, ...sent })).id ?? '',
    page: async (path) => {
      const { body } = await send('GET', path, { headers });
      return body.result ?? body;
    },
    face,
  };
  const known = await fill(client);
  await read(client, known);
  await change(client, known);
  await provokeErrors(client, known);
  return recorded;
}

/** Uploads a picture. */
export async function upload(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const form = new FormData();
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'face.png');
  const reply = await fetch(`${address}/api/file`, { method: 'POST', body: form, headers });
  return { status: reply.status, text: await reply.text() };
}

async function fill({ create, owner, admin, face }: Client): Promise<RecordIds> {
  const game = await create('/api/game', { name: 'Chess', blurb: 'Old', shared: true });
  const other = await create('/api/game', { name: 'Go' });
  const board = await create('/api/board', {
    ...{ name: 'First', game_id: game, quantity: 3, serial: 'S1', caption: 'North', notes: 'N', height: 12 },
    ...{ edition: 2, folded: 1, issued: '2026-01-31T00:00:00Z', finish: 'gloss', homepage: 'https://example.com/a' },
    ...{ layout: { rows: 3 }, pin: '1234', expands_id: other, face_id: face, weight: '2.50', colour: 'red', bogus: 1 },
  });
  await create('/api/board', { name: 'Second', game_id: game, label: 'South', height: '7' });
  const card = await create('/api/card', { name: 'Ace', game_id: game, identity: 'TarotCard', back_id: face });
  await create('/api/card', { name: 'Two', game_id: game });
  await create('/api/card', { name: 'Three', game_id: game, identity: 'MiniCard' });
  const sale = await create('/api/sale', { user_id: owner, copies: 4 }, { session: admin });
  return { game, other, board, card, sale };
}

async function read({ call, page, owner, face }: Client, { game, other, board, card, sale }: RecordIds): Promise<void> {
  const all = '_include_related_objects=1&_include_relationships=1';
  for (const path of [
    ...[`/api/board/${board}`, `/api/board/${board}?${all}`, `/board/${board}`, `/api/card/${card}?${all}`],
    ...[`/api/board/${board}?_include_related_objects=expands&_include_options=1`, `/api/game/${game}?${all}`],
    ...[`/api/game/${game}/boards?_order_by=-height,name&_items_per_page=1`, `/api/game/${game}/cards`],
    ...[`/api/game/${game}/boards?finish=gloss`, `/api/game/${game}/boards?_order_by=nothing`],
    ...[`/api/game/${game}/boards?height[gte]=8&finish[gte]=a`, `/api/game/${game}/boards?_order_by=-issued,edition`],
    ...[`/api/game/${game}/boards?_order_by=finish,-name`, `/api/game/${game}/cards?_order_by=-identity`],
    ...[`/api/game/${game}/minicards`, `/api/game/${other}/expansions`, `/api/user/${owner}/games?name=Chess`],
    ...['/api/board/_options', '/api/card/_options', `/api/sale/${sale}`, `/api/user/${owner}/sales?${all}`],
    ...[`/api/file/${face}`, '/api/nothing', `/api/board/${game}`],
    // Refused where the spec has no catalogue.
    ...['/api/products', '/api/products?active_only=1', '/api/products/PokerCard', '/api/products/TarotCard'],
  ]) {
    await call('GET', path);
  }
  await call('GET', `/api/board/${board}`, { session: null });
  const list = `/api/game/${game}/boards?_items_per_page=1`;
  await call('GET', `${list}&_cursor=${(await page(list)).paging?.next_cursor}`);
}

async function change({ call, create, admin }: Client, { game, board, card, sale }: RecordIds): Promise<void> {
  const put = (parameters: RequestOptions['parameters']) =>
    call('PUT', `/api/board/${board}`, { ...(parameters && { parameters }) });
  await put({ height: 40, label: 'East', finish: 'matt', bogus: 2 });
  await put({ expands_id: null, has_proofed_face: true, folded: false });
  await put({ caption: 'West', label: 'Other' });
  await put({});
  await put({ quantity: null, finish: null, edition: null, weight: null, height: null, layout: null, face_id: null });
  await put({ name: null, game_id: null });
  await call('PATCH', `/api/card/${card}`, { parameters: { identity: 'PokerCard', quantity: 9 } });
  await call('PUT', `/api/sale/${sale}`, { parameters: { copies: 5 }, session: admin });
  await call('POST', `/api/sale/${sale}/ship`, { parameters: { carrier: 'Mail', parcel: 1 }, session: admin });
  const keyed = { headers: { 'idempotency-key': 'k1' } };
  await create('/api/card', { name: 'Keyed', game_id: game }, keyed);
  await create('/api/card', { name: 'Keyed', game_id: game }, keyed);
  await create('/api/card', { name: 'Unkeyed', game_id: game }, keyed);
  await call('DELETE', `/api/card/${card}`);
  await call('GET', `/api/card/${card}`);
}

async function provokeErrors({ create, owner, admin }: Client, { game }: RecordIds): Promise<void> {
  const board = { name: 'Bad', game_id: game };
  await create('/api/board', {});
  await create('/api/board', { ...board, game_id: 'none', height: 'tall', finish: 'rough', weight: 'x', layout: 'no' });
  await create('/api/board', { ...board, face_id: 'none', expands_id: 'none', serial: 'S1' });
  // Two names of one parameter.
  await create('/api/board', { game_id: game, caption: 'West', label: 'Other', height: 'tall', bogus: 1 });
  await create('/api/board', { ...board, name: 'Named once', caption: null, label: 'Up' });
  await create('/api/board', { ...board, name: 'Named twice', caption: 'Down', label: 'Down' });
  await create('/api/card', { ...board, identity: 'NoCard' });
  await create('/api/sale', { user_id: owner }, { session: admin });
}

/** Replaces ids by the order in which they appear, and hides dates and random texts. */
function withoutChance(): (text: string) => string {
  const ids = new Map<string, string>();
  return (text) =>
    text
      .replace(/\b[0-9a-z]{2}01[0-9a-hjkmnp-tv-z]{22,24}\b/g, (id) => {
        const known = ids.get(id) ?? `id${ids.size + 1}`;
        ids.set(id, known);
        return known;
      })
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z)?/g, (date) => (/00:00:00/.test(date) ? date : 'DATE'))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replace(/"file_uri":"[^"]*"/g, '"file_uri":"URI"')
      .replace(/"next_cursor":"[^"]*"/g, '"next_cursor":"CURSOR"')
      .replace(/_cursor=[\w-]+/g, '_cursor=CURSOR');
}
