// Parameters reach every create by every transport, and the session in each of its ways (D10, D11, D20).

import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import { shared } from '../support/shared.js';
import { problems } from './record.js';
import { ignored, refusal } from './replies.js';
import { everything } from './samples.js';
import { transports } from './transports.js';
import { makeWorld, type SentParameters } from './world.js';

const names: readonly RecordName[] = documentedNames.filter((name) => name !== 'webhook');
const ways = Object.keys(transports) as (keyof typeof transports)[];

const world = shared(makeWorld);

const url = (name: RecordName, id = '') => `${world.address}${records[name].base}${id === '' ? '' : `/${id}`}`;

describe.each(ways)('%s', (way) => {
  test.each(names)('a create with all parameters/%s', async (name) => {
    const sent = await everything(world, name);
    const session_id = world.owner.session;
    const reply = await transports[way]({ method: 'POST', url: url(name), parameters: { ...sent, session_id } });
    expect([reply.status, ignored(reply)]).toEqual([201, []]);
    expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
  });

  test('update and delete', async () => {
    const { id } = await world.make('boxtop');
    const session_id = world.owner.session;
    const sent = { method: 'PUT', url: url('boxtop', id), parameters: { session_id, quantity: 7 } };
    expect((await transports[way](sent)).body).toMatchObject({ id, quantity: 7 });
    const removal = { method: 'DELETE', url: url('boxtop', id), parameters: { session_id } };
    expect((await transports[way](removal)).body).toEqual({ success: 1 });
  });

  test('an empty value clears', async () => {
    const top_id = (await world.file()).id;
    const { id } = await world.make('boxtop', { top_id, quantity: 5 });
    const parameters = { session_id: world.owner.session, top_id: '', quantity: '' };
    const reply = await transports[way]({ method: 'PUT', url: url('boxtop', id), parameters });
    expect(reply.body).toMatchObject({ top_id: null, quantity: 1 });
  });
});

describe('together', () => {
  const create = async (query: string, body?: string) => {
    const session_id = world.owner.session;
    const { game_id } = await world.minimal('boxtop');
    return fetch(`${url('boxtop')}?session_id=${session_id}&game_id=${game_id}&${query}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    });
  };

  test('the body takes precedence over the query', async () => {
    const reply = await create('name=Query&quantity=3', 'name=Body');
    expect(await reply.json()).toMatchObject({ name: 'Body', quantity: 3 });
  });

  test.each([
    ['query', 'name=one&name=two&quantity=1&quantity=2', undefined],
    ['body', '', 'name=one&name=two&quantity=1&quantity=2'],
  ])('TwiceIsInvalid/%s', async (_, query, body) => {
    const reply = await create(query, body);
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      errors: [
        { field: 'name', code: 'invalid' },
        { field: 'quantity', code: 'invalid' },
      ],
    });
  });

  test('the session as a bearer token', async () => {
    const { session } = world.owner;
    const sent = await world.minimal('boxtop');
    const reply = await world.send('POST', '/api/boxtop', { session, parameters: sent });
    expect(reply.status).toBe(201);
    const fetched = await world.send('GET', `/api/boxtop/${reply.body.id}`, { session });
    expect(fetched.body).toEqual(reply.body);
    const asParameter = await world.send('GET', `/api/boxtop/${reply.body.id}?session_id=${session}`);
    expect(asParameter.body).toEqual(reply.body);
  });

  test('a file that no parameter takes is named', async () => {
    const form = new FormData();
    const sent = { ...(await world.minimal('boxtop')), session_id: world.owner.session };
    for (const [name, value] of Object.entries(sent)) form.set(name, String(value));
    form.set('top', new Blob(['bytes']), 'top.png');
    const response = await fetch(url('boxtop'), { method: 'POST', body: form });
    expect([response.status, response.headers.get('ignored-parameters')]).toEqual([201, 'top']);
  });
});

/** D30: the names that clients of similar services use. */
describe('synonyms', () => {
  const rows = names.flatMap((name) =>
    Object.entries(parameters[name].synonyms).map(([other, own]) => ({ name, other, own })),
  );

  test.each(rows)('$name $other is $own', async ({ name, other, own }) => {
    const all = await everything(world, name);
    const sent = { ...(await world.minimal(name)), [own]: all[own] };
    const { [own]: value, ...rest } = sent;
    const session_id = world.owner.session;
    const under = await transports.json({
      method: 'POST',
      url: url(name),
      parameters: { ...rest, [other]: value, session_id },
    });
    expect([under.status, ignored(under)]).toEqual([201, []]);
    expect(problems(name, under.body, { viewer: 'editor', sent })).toEqual([]);
    const id = under.body.id;
    const wrong = await transports.json({ method: 'PUT', url: url(name, id), parameters: { [other]: {}, session_id } });
    expect(refusal(wrong)).toEqual([`${own}: invalid`]);
  });

  test.each(rows)('F13: $name $other together with $own (D42)', async ({ name, other, own }) => {
    const { [own]: value } = await everything(world, name);
    const { id } = await world.make(name);
    const differing = value === true ? false : value === false ? true : `${String(value)}1`;
    const session_id = world.owner.session;
    for (const [encoding, send] of Object.entries(transports)) {
      const update = (parameters: SentParameters) => send({ method: 'PUT', url: url(name, id), parameters });
      const equal = await update({ [own]: value, [other]: value, session_id });
      expect([encoding, equal.status]).toEqual([encoding, 200]);
      const refused = await update({ [own]: value, [other]: differing, session_id });
      expect([encoding, refusal(refused)]).toEqual([encoding, [`${own}: invalid`]]);
      expect(refused.body.detail).toContain(`${own} and ${other}`);
      const sent = { ...(await world.minimal(name)), [other]: differing, [own]: value, session_id };
      const create = await send({ method: 'POST', url: url(name), parameters: sent });
      expect([encoding, refusal(create)]).toEqual([encoding, [`${own}: invalid`]]);
    }
  });
});

/** D40, D41: the names that clients of similar services use. */
test.each(ways)('F14: a folder accepts and shows parent_id, a coil book page coilbook_id: %s', async (way) => {
  const session_id = world.owner.session;
  const outer = await world.make('folder');
  const parameters = { name: 'Inner', parent_id: outer.id, session_id };
  const inner = await transports[way]({ method: 'POST', url: url('folder'), parameters });
  expect([inner.status, ignored(inner)]).toEqual([201, []]);
  expect(inner.body).toMatchObject({ folder_id: outer.id, parent_id: outer.id });
  const listed = await world.send('GET', `/api/folder/${outer.id}/folders`, { session: session_id });
  expect(listed.body.items).toEqual([inner.body]);
  const refused = await transports[way]({
    method: 'PUT',
    url: url('folder', inner.body.id),
    parameters: { parent_id: outer.id, folder_id: '', session_id },
  });
  expect(refusal(refused)).toEqual(['folder_id: invalid']);

  const { book_id, ...page } = await world.minimal('coilbookpage');
  const created = await transports[way]({
    method: 'POST',
    url: url('coilbookpage'),
    parameters: { ...page, coilbook_id: book_id, session_id },
  });
  expect([created.status, ignored(created)]).toEqual([201, []]);
  expect(created.body).toMatchObject({ book_id, coilbook_id: book_id });
});

/** D30: one share under two names, as decimal text in the notation in which it was sent. */
test('a share is shown under both names', async () => {
  const created = await world.make('designerassociate', { profit_share: '33.3333' });
  expect(created).toMatchObject({ share_percent: '33.3333', profit_share: '33.3333' });
  expect(created).not.toHaveProperty('identity');
  const guest = await world.send('GET', `/api/user/${created.user_id}`);
  expect(created.name).toBe(guest.body.username);
});

test('missing records are not found by any method', async () => {
  for (const name of names) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const reply = await world.send(method, `${records[name].base}/nobody`, { session: world.owner.session });
      expect([name, method, refusal(reply)]).toEqual([name, method, ['not_found']]);
    }
  }
});
