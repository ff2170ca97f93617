// A spec of a wholly different domain works: readers who borrow books.

import { join } from 'node:path';
import { visitorOf } from '../console/visitor.js';
import { clientOf, type Send } from '../support/client.js';
import { HERE, type ServedSpec, serveSpec } from './generated.js';

let served: ServedSpec;
let send: Send;
let librarian: { readonly id: string; readonly session: string };
let reader: { readonly id: string; readonly session: string };

beforeAll(async () => {
  served = await serveSpec(join(HERE, 'library'));
  send = clientOf(served.server.address);
  librarian = await served.user('librarian', true);
  reader = await served.user('reader');
});

afterAll(() => served?.stop());

const DUE = '2026-12-24T18:00:00.000Z';

async function book(title: string): Promise<string> {
  const author = await send('POST', '/api/author', { session: librarian.session, parameters: { name: 'Anon' } });
  const created = await send('POST', '/api/book', {
    session: librarian.session,
    parameters: { title, author_id: author.body.id, group: 'poetry' },
  });
  expect(created.body).toMatchObject({ title, group: 'poetry', fine_per_day: '0.20', loan_count: 0 });
  return created.body.id;
}

describe('a library', () => {
  test('readers register themselves', async () => {
    const created = await send('POST', '/api/reader', {
      parameters: { username: 'newcomer', password: 'long enough', admin: true },
    });
    expect(created.status).toBe(403);
    const again = await send('POST', '/api/reader', { parameters: { username: 'newcomer', password: 'long enough' } });
    expect(again.status).toBe(201);
    expect(again.text).not.toContain('long enough');
  });

  test('only librarians add books', async () => {
    const refused = await send('POST', '/api/author', { session: reader.session, parameters: { name: 'Me' } });
    expect(refused.status).toBe(403);
    expect((await send('POST', '/api/author', { parameters: { name: 'Me' } })).status).toBe(401);
  });

  test('readers borrow and return', async () => {
    const parameters = { book_id: await book('Odes'), due: DUE };
    const loan = await send('POST', '/api/loan', { session: reader.session, parameters });
    expect(loan.body).toMatchObject({ reader_id: reader.id, due: DUE, returned: null });
    const back = await send('PUT', `/api/loan/${loan.body.id}`, {
      session: reader.session,
      parameters: { returned: '2026-12-20 09:30:00' },
    });
    expect(back.body.returned).toBe('2026-12-20T09:30:00.000Z');
    const path = `/api/book/${parameters.book_id}`;
    // Loans are private: only those who may read all of them see how many there are (D21).
    expect((await send('GET', path, { session: librarian.session })).body.loan_count).toBe(1);
    for (const { session } of [reader, { session: null }]) {
      expect((await send('GET', path, { session })).body).not.toHaveProperty('loan_count');
    }
  });

  test('librarians see the pages of operators', async () => {
    const { address } = served.server;
    const [librarians, readers] = [librarian, reader].map(({ session }) => visitorOf(address, session));
    const id = await book('Epigrams');
    const path = `/console/records/book/${id}`;
    expect((await readers?.get(path))?.status).toBe(403);
    const page = await librarians?.get(path);
    expect(page?.text).toMatch(/<h1>Epigrams<\/h1>/);
    expect(page?.text).toMatch(/<a href="\/console\/records\/author\/\w+">Anon<\/a>/);
    const token = (await librarians?.token()) ?? '';
    const wrong = await librarians?.post(path, { fine_per_day: '9' }, token);
    expect(wrong?.text).toContain('Fine per day must be a decimal number within its limits.');
    expect((await librarians?.post(path, { title: 'Satires' }, token))?.status).toBe(303);
    expect((await send('GET', `/api/book/${id}`)).body).toMatchObject({ title: 'Satires', group: 'poetry' });
    // The project has no web hooks, and neither has the menu.
    expect(page?.text).not.toContain('/console/webhooks');
  });

  test("loans are nobody else's business", async () => {
    const parameters = { book_id: await book('Elegies'), due: DUE };
    const loan = await send('POST', '/api/loan', { session: reader.session, parameters });
    const other = await served.user('curious');
    expect((await send('GET', `/api/loan/${loan.body.id}`, { session: other.session })).status).toBe(403);
    expect((await send('GET', `/api/loan/${loan.body.id}`)).status).toBe(401);
    expect((await send('GET', `/api/loan/${loan.body.id}`, { session: librarian.session })).status).toBe(200);
  });

  test('authors with books stay', async () => {
    const id = await book('Sonnets');
    const { body } = await send('GET', `/api/book/${id}`);
    const removal = await send('DELETE', `/api/author/${body.author_id}`, { session: librarian.session });
    expect(removal.status).toBe(409);
  });

  test('every limit is that of the descriptors', async () => {
    const author = await send('POST', '/api/author', {
      session: librarian.session,
      parameters: { name: 'Anon', homepage: 'gopher://x' },
    });
    expect(author.body.errors).toMatchObject([{ field: 'homepage', code: 'invalid' }]);
    const wrong = await send('POST', '/api/book', {
      session: librarian.session,
      parameters: { title: '', author_id: 'nobody', fine_per_day: '5.01', group: 'comics' },
    });
    expect(wrong.body.errors.map(({ field, code }: { field: string; code: string }) => [field, code]).sort()).toEqual([
      ['author_id', 'reference_not_found'],
      ['fine_per_day', 'invalid'],
      ['group', 'invalid'],
      ['title', 'required'],
    ]);
  });
});
