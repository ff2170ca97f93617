// A copy is borrowed by one reader at a time and comes back once; other readers do not learn whose it is.

import { startService } from 'punchboard/testing';

test('a loan, from the desk to the shelf', async () => {
  const service = await startService();
  try {
    const librarian = await service.login('librarian', { admin: true });
    const [ada, bob] = [await service.login('ada'), await service.login('bob')];
    const book = await service.ask(librarian, 'POST', '/api/book', { title: 'Odes', group: 'poetry' });
    const copy = await service.ask(librarian, 'POST', '/api/copy', { book_id: book.body.id });
    const due = '2020-01-31T12:00:00.000Z';
    const lend = (reader: typeof ada) => service.ask(reader, 'POST', '/api/loan', { copy_id: copy.body.id, due });
    const loan = await lend(ada);
    expect((await lend(bob)).said).toBe('copy_id not_unique');
    expect((await service.ask(bob, 'GET', `/api/loan/${loan.body.id}`)).status).toBe(403);
    const back = () => service.ask(ada, 'POST', `/api/loan/${loan.body.id}/return`);
    expect((await back()).body).toMatchObject({ returned: expect.any(String) });
    expect((await back()).said).toBe('conflict');
    expect((await lend(bob)).said).toBe('ok');
    expect((await service.ask(bob, 'GET', `/api/book/${book.body.id}`)).body).toMatchObject({ copy_count: 1 });
  } finally {
    await service.stop();
  }
});
