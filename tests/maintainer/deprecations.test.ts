// Deprecated fields and resources (D38), from descriptors to headers and metrics: generated, compiled and served.

import { join } from 'node:path';
import request from 'supertest';
import { pngSquare } from '../../runtime/admin/demo/images.js';
import { clientOf, type Reply, type Send } from '../support/client.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { copied, generate, HERE } from './generated.js';

const HEADERS = ['deprecation', 'sunset', 'link'] as const;
const deprecationHeaders = ({ headers }: Pick<Reply, 'headers'>) => HEADERS.map((name) => headers.get(name));
const LINK = '</openapi.json>; rel="deprecation"; type="application/json"';
const NOTHING = [null, null, null];
const FINE = ['@1767225600', 'Wed, 01 Jul 2026 00:00:00 GMT', LINK];
const GROUP = ['@1767139200', null, LINK];
const LOAN = ['@1762819200', 'Sun, 01 Mar 2026 00:00:00 GMT', LINK];
const SCAN = [null, 'Wed, 01 Jul 2026 00:00:00 GMT', null];

const folder = copied(join(HERE, 'library'), join(HERE, 'deprecations'));

beforeAll(() => generate(folder));

describe.each(['plain', 'wing'] as const)('%s', (wire) => {
  let service: TestService;
  let send: Send;
  let admin: { readonly id: string; readonly session: string };
  let author: string;
  let book: string;

  beforeAll(async () => {
    const handwritten = { behaviours: {}, actions: {} };
    service = await startService({ generated: join(folder, 'generated'), wire, handwritten });
    send = clientOf(service.address);
    admin = await service.user('librarian', true);
    author = idIn(await post('/api/author', { name: 'Anon' }));
    book = idIn(await post('/api/book', { title: 'Odes', author_id: author }));
  });
  afterAll(() => service?.stop());

  const post = (path: string, parameters: object) =>
    send('POST', path, { session: admin.session, parameters: { ...parameters } });
  const put = (parameters: object) =>
    send('PUT', `/api/book/${book}`, { session: admin.session, parameters: { ...parameters } });
  const idIn = ({ body }: Reply): string => (wire === 'wing' ? body.result.id : body.id);

  /** The uses that were counted since the last call. */
  const before = new Map<string, number>();
  async function counted(): Promise<Readonly<Record<string, number>>> {
    const { text } = await send('GET', '/metrics', { session: METRICS_TOKEN });
    const lines = [...text.matchAll(/^punchboard_deprecated_use_total[{]resource="(.*)",field="(.*)"[}] (\d+)$/gm)];
    return Object.fromEntries(
      lines.flatMap(([, resource, field, count]) => {
        const [name, more] = [`${resource}.${field}`, Number(count)];
        const growth = more - (before.get(name) ?? 0);
        before.set(name, more);
        return growth === 0 ? [] : [[name, growth]];
      }),
    );
  }

  test('the headers are absent where nothing deprecated is sent', async () => {
    await counted();
    expect(deprecationHeaders(await put({ title: 'Odes again' }))).toEqual(NOTHING);
    // The record shows every deprecated field.
    const shown = await send('GET', `/api/book/${book}`, { session: admin.session });
    expect(shown.text).toContain('"loan_count":0');
    expect(deprecationHeaders(shown)).toEqual(NOTHING);
    expect(deprecationHeaders(await send('GET', `/api/author/${author}/books?title=Odes`))).toEqual(NOTHING);
    expect(await counted()).toEqual({});
  });

  test('a deprecated field that is sent has headers', async () => {
    await counted();
    expect(deprecationHeaders(await put({ fine_per_day: '0.30' }))).toEqual(FINE);
    expect(deprecationHeaders(await put({ fine: '0.40' }))).toEqual(FINE);
    expect(deprecationHeaders(await put({ group: 'poetry' }))).toEqual(GROUP);
    expect(deprecationHeaders(await put({ group: 'poetry', fine: '0.50' }))).toEqual([GROUP[0], FINE[1], LINK]);
    expect(await counted()).toEqual({ 'book.fine_per_day': 3, 'book.group': 2 });
  });

  test('a deprecated value has headers where it is sent', async () => {
    await counted();
    expect(deprecationHeaders(await put({ binding: 'leather' }))).toEqual(GROUP);
    expect(deprecationHeaders(await put({ binding: 'cloth' }))).toEqual(NOTHING);
    expect(await counted()).toEqual({ 'book.binding=leather': 1 });
  });

  test('filters and orders', async () => {
    await counted();
    const list = `/api/author/${author}/books`;
    expect(deprecationHeaders(await send('GET', `${list}?group=poetry`))).toEqual(GROUP);
    expect(deprecationHeaders(await send('HEAD', `${list}?_order_by=group`))).toEqual(GROUP);
    expect(await counted()).toEqual({ 'book.group': 2 });
  });

  test('a path by a value of the field', async () => {
    await put({ code: 'B 12' });
    await counted();
    const known = await send('GET', '/api/book/code/B%2012');
    expect([known.status, ...deprecationHeaders(known)]).toEqual([200, ...GROUP]);
    const none = await send('GET', '/api/book/code/B%2013');
    expect([none.status, ...deprecationHeaders(none)]).toEqual([404, ...GROUP]);
    expect(await counted()).toEqual({ 'book.code': 2 });
  });

  test('refusals have headers too', async () => {
    await counted();
    const invalid = await put({ fine_per_day: '9' });
    expect([invalid.status, ...deprecationHeaders(invalid)]).toEqual([wire === 'wing' ? 442 : 422, ...FINE]);
    const stranger = await send('PUT', `/api/book/${book}`, { parameters: { fine_per_day: '1' } });
    expect([stranger.status, ...deprecationHeaders(stranger)]).toEqual([wire === 'wing' ? 450 : 401, ...FINE]);
    const missing = await send('GET', '/api/loan/nothing', { session: admin.session });
    expect([missing.status, ...deprecationHeaders(missing)]).toEqual([404, ...LOAN]);
    const method = await send('POST', '/api/loan/nothing');
    expect([method.status, ...deprecationHeaders(method)]).toEqual([405, ...NOTHING]);
    expect(await counted()).toEqual({ 'book.fine_per_day': 2, 'loan.': 1 });
  });

  test('a deprecated resource', async () => {
    await counted();
    const created = await post('/api/loan', { book_id: book, due: '2026-12-24 18:00:00' });
    expect(deprecationHeaders(created)).toEqual(LOAN);
    const path = `/api/loan/${idIn(created)}`;
    const session = admin.session;
    expect(deprecationHeaders(await send('GET', path, { session }))).toEqual(LOAN);
    expect(deprecationHeaders(await send('HEAD', path, { session }))).toEqual(LOAN);
    expect(deprecationHeaders(await send('GET', `/api/book/${book}/loans`, { session }))).toEqual(LOAN);
    expect(deprecationHeaders(await send('DELETE', path, { session }))).toEqual(LOAN);
    expect(await counted()).toEqual({ 'loan.': 5 });
  });

  test('bytes have the headers of their resource', async () => {
    await counted();
    const form = new FormData();
    form.set('session_id', admin.session);
    form.set('file', new Blob([Uint8Array.from(pngSquare(200, 10, 10))]), 'page.png');
    const created = await fetch(`${service.address}/api/scan`, { method: 'POST', body: form });
    expect(deprecationHeaders(created)).toEqual(SCAN);
    const text = await created.text();
    const path = /"file_uri":"([^"]+)"/.exec(text)?.[1] ?? text;
    const bytes = await send('GET', path);
    expect([bytes.status, ...deprecationHeaders(bytes)]).toEqual([200, ...SCAN]);
    const again = await request(service.address)
      .get(path)
      .set('If-None-Match', bytes.headers.get('etag') ?? '');
    expect([again.status, again.get('Deprecation'), again.get('Sunset')]).toEqual([304, undefined, SCAN[1]]);
    const wrong = await send('GET', `${path}x`);
    expect([wrong.status, ...deprecationHeaders(wrong)]).toEqual([404, ...SCAN]);
    expect(await counted()).toEqual({ 'scan.': 4 });
  });
});
