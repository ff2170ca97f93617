// Every descriptor in the READMEs is generated, started and used, as by a reader who copies it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../generator/load/load.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { run } from '../cli/processes.js';
import { type ServedSpec, SPEC, serveSpec } from '../maintainer/generated.js';
import { clientOf, type Send } from '../support/client.js';
import { count } from '../support/counts.js';
import { fewerTypes } from '../support/fewer-types.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { descriptors } from './descriptors.js';

/** A spec folder with the descriptors that a page shows, added to others. */
function writeSpec(page: string, others: readonly SourceFile[] = []): string {
  const folder = temporaryFolder('examples');
  writeFiles(folder, [...others, ...descriptors(readFileSync(join(ROOT, page), 'utf8'))]);
  return join(folder, 'spec');
}

const paths = (page: string): readonly string[] =>
  descriptors(readFileSync(join(ROOT, page), 'utf8')).map(({ path }) => path);

interface Creating {
  readonly send: Send;
  readonly session: string;
}

async function create({ send, session }: Creating, resource: string, parameters: object): Promise<string> {
  const { status, body } = await send('POST', `/api/${resource}`, { session, parameters: { ...parameters } });
  expect([resource, status, body.object_type]).toEqual([resource, 201, resource]);
  return body.id;
}

describe('F05: the project of four files in spec/README.md', () => {
  let served: ServedSpec;
  beforeAll(async () => {
    served = await serveSpec(writeSpec('spec/README.md'));
  });
  afterAll(() => served?.stop());

  test('the page shows exactly these files', () =>
    expect(paths('spec/README.md')).toEqual([
      'spec/conventions.yaml',
      'spec/resources/user.yaml',
      'spec/resources/game.yaml',
      'spec/resources/board.yaml',
      // Files that the page adds to the project further down.
      'spec/resources/club.yaml',
      'spec/resources/membership.yaml',
      'spec/resources/notice.yaml',
      'spec/resources/loan.yaml',
      'spec/resources/note.yaml',
    ]));

  test('a user logs in and creates a game with a board', async () => {
    const send = clientOf(served.server.address);
    const { id: user, session } = await served.user('ada');
    const game = await create({ send, session }, 'game', { name: 'Chess' });
    const board = await create({ send, session }, 'board', { name: 'Folding', game_id: game, folded: true });
    expect((await send('GET', `/board/${board}`)).body).toMatchObject({ owner: 'Chess', finish: 'matt', quantity: 1 });
    expect((await send('GET', `/api/game/${game}`)).body).toMatchObject({ user_id: user, board_count: 1 });
    const { body: rows } = await send('GET', '/api/products?active_only=1');
    expect(rows).toMatchObject([
      { identity: 'SmallBoard', name: 'Small Board', create_api: '/api/board', relationship: 'smallboards' },
      { identity: 'LargeBoard', name: 'Large Board', create_api: '/api/board', relationship: 'largeboards' },
    ]);
  });

  test('any user joins an open club, and the owner any club', async () => {
    const send = clientOf(served.server.address);
    const [owner, other] = [await served.user('olga'), await served.user('otto')];
    const { session } = owner;
    const club = await create({ send, session }, 'club', { name: 'Friday' });
    const join = () => send('POST', '/api/membership', { session: other.session, parameters: { club_id: club } });
    expect((await join()).body).toMatchObject({
      code: 'forbidden',
      errors: [{ field: 'club_id', code: 'forbidden', message: 'you may not join this club' }],
    });
    await send('PUT', `/api/club/${club}`, { session, parameters: { open: true } });
    expect((await join()).status).toBe(201);
    await send('PUT', `/api/club/${club}`, { session, parameters: { open: false } });
    expect((await join()).status).toBe(403);
    await create({ send, session }, 'membership', { club_id: club });
  });

  test('a club counts its members, adds up their payments, and shows when the last one left', async () => {
    const send = clientOf(served.server.address);
    const [{ session }, other] = [await served.user('cora'), await served.user('carl')];
    const club = await create({ send, session }, 'club', { name: 'Sunday', open: true });
    const shows = async () => (await send('GET', `/api/club/${club}`)).body;
    expect(await shows()).toMatchObject({ member_count: 0, paid: 0, last_left: null });
    await create({ send, session }, 'membership', { club_id: club, paid: 1500 });
    const former = { club_id: club, paid: 500, left: '2026-11-27 12:00:00' };
    await create({ send, session: other.session }, 'membership', former);
    expect(await shows()).toMatchObject({ member_count: 1, paid: 2000, last_left: '2026-11-27T12:00:00.000Z' });
  });

  test('members of a club read its notices, and other users do not', async () => {
    const send = clientOf(served.server.address);
    const [owner, other] = [await served.user('nora'), await served.user('nils')];
    const { session } = owner;
    const club = await create({ send, session }, 'club', { name: 'Saturday', open: true });
    const notice = await create({ send, session }, 'notice', { club_id: club, text: 'We meet at 7.' });
    const read = () => send('GET', `/api/notice/${notice}`, { session: other.session });
    expect((await read()).status).toBe(403);
    await create({ send, session: other.session }, 'membership', { club_id: club });
    expect((await read()).body).toMatchObject({ text: 'We meet at 7.' });
    const write = await send('PUT', `/api/notice/${notice}`, { session: other.session, parameters: { text: 'x' } });
    expect(write.status).toBe(403);
  });

  test('pages for owners of web hooks are refused, since the project has no web hooks', async () => {
    const data = ['--database', 'portal.db', '--files', 'portal'];
    const { code, stderr } = await run(
      ['serve', '--port', '0', '--generated', 'generated', ...data, '--portal'],
      served.folder,
    );
    expect([code, stderr]).toEqual([
      1,
      'punchboard: --portal is for web hooks, which this project does not have: leave it out\n',
    ]);
  });

  test('a club is at the path of its slug', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('dee');
    const club = await create({ send, session }, 'club', { name: 'Chess', slug: 'chess' });
    expect((await send('GET', '/api/club/named/chess')).text).toBe((await send('GET', `/api/club/${club}`)).text);
    expect((await send('GET', '/api/club/named/go')).status).toBe(404);
  });

  test('a note is changed only with the tag of its current version', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('nell');
    const game_id = await create({ send, session }, 'game', { name: 'Go' });
    const board_id = await create({ send, session }, 'board', { name: 'Folding', game_id, folded: true });
    const id = await create({ send, session }, 'note', { board_id, content: 'One' });
    const update = (headers: Record<string, string>) =>
      send('PUT', `/api/note/${id}`, { session, headers, parameters: { content: 'Two' } });
    expect((await update({})).body).toMatchObject({ status: 428, code: 'precondition_required' });
    expect((await update({ 'if-match': '"1"' })).status).toBe(200);
    expect((await update({ 'if-match': '"1"' })).body).toMatchObject({ status: 412, code: 'precondition_failed' });
  });

  test('a board can be lent again after it was returned', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('lena');
    const game_id = await create({ send, session }, 'game', { name: 'Go' });
    const board_id = await create({ send, session }, 'board', { name: 'Folding', game_id, folded: true });
    const lend = (borrower: string, more = {}) =>
      send('POST', '/api/loan', { session, parameters: { board_id, borrower, ...more } });
    const returned = '2026-11-27 12:00:00';
    const first = await lend('Ada');
    expect(first.status).toBe(201);
    const refused = { code: 'not_unique', errors: [{ field: 'board_id', message: 'board_id is already taken' }] };
    expect((await lend('Grace')).body).toMatchObject(refused);
    const past = await lend('Grace', { returned });
    expect(past.status).toBe(201);
    const give = (id: string, value: string | null) =>
      send('PUT', `/api/loan/${id}`, { session, parameters: { returned: value } });
    expect((await give(past.body.id, null)).body).toMatchObject(refused);
    expect((await give(first.body.id, returned)).status).toBe(200);
    expect((await lend('Grace')).status).toBe(201);
    expect((await give(first.body.id, null)).body).toMatchObject(refused);
    const loans = async (bounds: object) =>
      (await send('GET', `/api/board/${board_id}/loans?${new URLSearchParams({ ...bounds })}`)).body.items.length;
    expect(await loans({ 'returned[gte]': '2026-11-01T00:00:00Z', 'returned[lt]': '2026-12-01T00:00:00Z' })).toBe(2);
    expect(await loans({ 'returned[gt]': returned })).toBe(0);
  });

  test('without the field `admin` nobody is an administrator', async () => {
    await expect(served.user('root', true)).rejects.toThrow(/user has no field "admin" that can be set/);
    const { session } = await served.user('grace');
    const refused = await clientOf(served.server.address)('POST', '/api/user', {
      session,
      parameters: { username: 'x', password: 'long enough', admin: true },
    });
    expect(refused.status).toBe(403);
  });

  test('N28: the generated tests pass although nobody can be an administrator', async () => {
    const all = ['user', 'game', 'club', 'board', 'membership', 'notice', 'loan', 'note'];
    const tried = all.slice(0, count(3, all.length));
    const { code, stderr } = await run(['test', ...tried], served.folder);
    expect(stderr).toContain(`Test Suites: ${tried.length} passed, ${tried.length} total`);
    expect(code).toBe(0);
  });
});

test('the first descriptor in README.md is that of the service', () => {
  const [first] = descriptors(readFileSync(join(ROOT, 'README.md'), 'utf8'));
  expect(first?.text).toBe(readFileSync(join(ROOT, first?.path ?? ''), 'utf8'));
});

describe('F05: the descriptors in README.md', () => {
  let served: ServedSpec;
  beforeAll(async () => {
    served = await serveSpec(writeSpec('README.md', fewerTypes(readSpec(SPEC).files, ['boxtop'])));
  });
  afterAll(() => served?.stop());

  test('the page shows exactly these files', () =>
    expect(paths('README.md')).toEqual(['spec/resources/boxtop.yaml', 'spec/resources/tinbox.yaml']));

  test('a record of each type is created', async () => {
    const send = clientOf(served.server.address);
    const { session } = await served.user('ada');
    const designer_id = await create({ send, session }, 'designer', { name: 'Acme' });
    const game_id = await create({ send, session }, 'game', { name: 'Chess', designer_id });
    await create({ send, session }, 'boxtop', { name: 'Outer box', game_id, quantity: 2 });
    await create({ send, session }, 'tinbox', { name: 'Shop box', game_id, window: true });
  });
});
