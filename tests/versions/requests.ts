// The requests of a client of the small spec, and its answers without what differs from run to run.

import { clientOf, type Sent, upload } from '../support/client.js';
import type { TestService } from '../support/service.js';

export interface Called {
  readonly request: string;
  /** Status, what a client reads of the head, and the body. */
  readonly answer: string;
}

const HEADERS = ['ignored-parameters', 'location', 'etag', 'content-type'];
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @param headers of every request */
export async function answersOf(service: TestService, headers: Readonly<Record<string, string>>): Promise<Called[]> {
  const send = clientOf(service.address);
  const owner = await service.user('ann');
  const admin = await service.user('root', true);
  const called: Called[] = [];
  const plain = withoutChance();
  const call = async (method: string, path: string, sent: Sent = {}) => {
    const reply = await send(method, path, {
      session: owner.session,
      ...sent,
      headers: { ...headers, ...sent.headers },
    });
    const head = HEADERS.map((name) => `${name}: ${reply.headers.get(name) ?? ''}`);
    const own = sent.session === admin.session ? ' (admin)' : sent.session === null ? ' (anyone)' : '';
    called.push({
      request: plain(`${method} ${path}${own} ${JSON.stringify(sent.parameters ?? null)}`),
      answer: plain([reply.status, ...head, reply.text].join('\n')),
    });
    return (reply.body?.result ?? reply.body ?? {}) as Readonly<Record<string, string>>;
  };
  const create = (path: string, parameters: Sent['parameters'], sent: Sent = {}) =>
    call('POST', path, { parameters: parameters ?? {}, ...sent });

  const face = (await upload(service.address, owner.session, { name: 'face.png', bytes: PNG })) as string;
  const game = (await create('/api/game', { name: 'Chess', blurb: 'Old', shared: true })).id ?? '';
  const other = (await create('/api/game', { name: 'Go' })).id ?? '';
  const board =
    (
      await create('/api/board', {
        ...{ name: 'First', game_id: game, quantity: 3, serial: 'S1', caption: 'North', notes: 'N', height: 12 },
        ...{
          edition: 2,
          folded: 1,
          issued: '2026-01-31T00:00:00Z',
          finish: 'gloss',
          homepage: 'https://example.com/a',
        },
        ...{
          layout: { rows: 3 },
          pin: '1234',
          expands_id: other,
          face_id: face,
          weight: '2.50',
          colour: 'red',
          bogus: 1,
        },
      })
    ).id ?? '';
  await create('/api/board', { name: 'Second', game_id: game, label: 'South', height: '7' });
  const card =
    (await create('/api/card', { name: 'Ace', game_id: game, identity: 'TarotCard', back_id: face })).id ?? '';
  await create('/api/card', { name: 'Two', game_id: game });
  await create('/api/card', { name: 'Three', game_id: game, identity: 'MiniCard' });
  const sale = (await create('/api/sale', { user_id: owner.id, copies: 4 }, { session: admin.session })).id ?? '';

  const all = '_include_related_objects=1&_include_relationships=1';
  for (const path of [
    ...[`/api/board/${board}`, `/api/board/${board}?${all}`, `/board/${board}`, `/api/card/${card}?${all}`],
    ...[`/api/board/${board}?_include_related_objects=expands&_include_options=1`, `/api/game/${game}?${all}`],
    ...[`/api/game/${game}/boards?_order_by=-height,name&_items_per_page=1`, `/api/game/${game}/cards`],
    ...[`/api/game/${game}/boards?finish=gloss`, `/api/game/${game}/boards?_order_by=nothing`],
    ...[`/api/game/${game}/minicards`, `/api/game/${other}/expansions`, `/api/user/${owner.id}/games?name=Chess`],
    ...['/api/board/_options', '/api/card/_options', `/api/sale/${sale}`, `/api/user/${owner.id}/sales?${all}`],
    ...[`/api/file/${face}`, '/api/nothing', `/api/board/${game}`],
  ]) {
    await call('GET', path);
  }
  await call('GET', `/api/board/${board}`, { session: null });
  const page = (await send('GET', `/api/game/${game}/boards?_items_per_page=1`, { headers })).body;
  const cursor = (page.result ?? page).paging?.next_cursor;
  await call('GET', `/api/game/${game}/boards?_items_per_page=1&_cursor=${cursor}`);
  await call('PUT', `/api/board/${board}`, { parameters: { height: 40, label: 'East', finish: 'matt', bogus: 2 } });
  await call('PUT', `/api/board/${board}`, { parameters: { expands_id: null, has_proofed_face: true, folded: false } });
  await call('PUT', `/api/board/${board}`, { parameters: { caption: 'West', label: 'Other' } });
  await call('PATCH', `/api/card/${card}`, { parameters: { identity: 'PokerCard', quantity: 9 } });
  await call('PUT', `/api/sale/${sale}`, { parameters: { copies: 5 }, session: admin.session });
  await create('/api/board', {});
  await create('/api/board', {
    name: 'Bad',
    game_id: 'none',
    height: 'tall',
    finish: 'rough',
    weight: 'x',
    layout: 'no',
  });
  await create('/api/board', { name: 'Bad', game_id: game, face_id: 'none', expands_id: 'none', serial: 'S1' });
  await create('/api/card', { name: 'Bad', game_id: game, identity: 'NoCard' });
  await create('/api/sale', { user_id: owner.id }, { session: admin.session });
  await create('/api/card', { name: 'Keyed', game_id: game }, { headers: { 'idempotency-key': 'k1' } });
  await create('/api/card', { name: 'Keyed', game_id: game }, { headers: { 'idempotency-key': 'k1' } });
  await create('/api/card', { name: 'Unkeyed', game_id: game }, { headers: { 'idempotency-key': 'k1' } });
  await call('DELETE', `/api/card/${card}`);
  await call('GET', `/api/card/${card}`);
  return called;
}

/** Ids by the order in which they are met, dates and random texts. */
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
