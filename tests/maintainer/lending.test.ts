// A lending library whose functions publish events, and whose readers receive them by web hooks (N10, N11).

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf, type Send } from '../support/client.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { copied, generate, HERE, type ServedSpec, serveGenerated } from './generated.js';

const FUNCTIONS = `import { type Actions, type Event, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

const DAY = 86_400_000;

export const lifecycles: Lifecycles = {
  loan: {
    afterCreate(_old, row, now) {
      const of = { resource: 'loan', id: row.id } as const;
      const lent: Event = { event: 'BookLent', of, payload: { book: row.book_id, days: Math.max(0, Math.ceil((row.due - now) / DAY)) } };
      return { events: [lent] };
    },
  },
};

export const actions: Actions = {
  loan: {
    return(row, _input, now) {
      if (row.returned !== null) throw new ServiceError('conflict', 'The book is back already.');
      return { changes: { returned: now }, events: [{ event: 'BookReturned', of: { resource: 'loan', id: row.id }, payload: 'record' }] };
    },
  },
};
`;

const folder = copied(join(HERE, 'library'), join(HERE, 'lending'));
mkdirSync(join(folder, 'spec', 'functions'));
writeFileSync(join(folder, 'spec', 'functions', 'index.ts'), FUNCTIONS);
// Before the tests, since those that it writes are declared below.
generate(folder);

let served: ServedSpec;
let receiver: HttpReceiver;
let send: Send;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  served = await serveGenerated(folder);
  send = clientOf(served.server.address);
});

afterAll(async () => {
  await served?.stop();
  await receiver?.close();
});

test('N10: without owner_classes, readers subscribe to events of their own and receive them', async () => {
  const librarian = (await served.user('librarian', true)).session;
  const reader = await served.user('reader');
  const make = async (resource: string, session: string, parameters: Record<string, unknown>) => {
    const { status, body } = await send('POST', `/api/${resource}`, { session, parameters });
    expect([resource, status]).toEqual([resource, 201]);
    return body;
  };
  const author = await make('author', librarian, { name: 'Anon' });
  const book = await make('book', librarian, { title: 'Odes', author_id: author.id });
  const key = await make('apikey', reader.session, {});
  for (const event of ['BookLent', 'BookReturned']) {
    const subject = { owner_class: 'Reader', owner_id: reader.id, event };
    const callback = { callback_uri: `${receiver.address}/${event}`, api_key_id: key.id };
    await make('webhook', reader.session, { ...subject, ...callback });
  }
  const due = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const loan = await make('loan', reader.session, { book_id: book.id, due });
  const give = () => send('POST', `/api/loan/${loan.id}/return`, { session: reader.session });
  expect((await give()).status).toBe(200);
  expect((await give()).body.detail).toBe('The book is back already.');
  const received = (event: string) =>
    receiver.until((posts) => posts.find(({ path, said }) => path === `/${event}` && said.type === 'data'));
  expect((await received('BookLent')).said).toMatchObject({ event: 'BookLent', payload: { book: book.id, days: 7 } });
  expect((await received('BookReturned')).said.payload).toMatchObject({ id: loan.id, returned: expect.any(String) });
});

describe('N28: the tests that gen wrote pass', () => {
  const tests = join(folder, 'generated', 'tests');
  const files = readdirSync(tests).filter((name) => name.endsWith('.test.js'));

  test('each resource has one', () =>
    expect(files.sort()).toEqual(
      ['apikey', 'author', 'book', 'loan', 'reader', 'webhook'].map((name) => `${name}.test.js`),
    ));

  // `punchboard test` would take two seconds more to start jest; readme/examples runs that command.
  for (const file of files) require(join(tests, file));
});
