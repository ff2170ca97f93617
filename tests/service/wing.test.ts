// The wing profile end to end: envelopes, statuses, dates and booleans of every documented resource (D01 to D06).

import type { ErrorCode } from '../../runtime/contract/errors.js';
import { errors, wingBody } from '../document/errors.js';
import { limits } from '../document/limits.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import type { Reply } from '../support/client.js';
import { shared } from '../support/shared.js';
import { problems } from './record.js';
import { closed, everything } from './samples.js';
import { makeWorld, type SentParameters } from './world.js';

const names: readonly RecordName[] = documentedNames.filter((name) => name !== 'webhook');

const world = shared(() => makeWorld('wing'));

const own = (parameters: SentParameters = {}) => ({ session: world.owner.session, parameters });
/** The result of a success, which always has the status 200 (D02). */
function result({ status, headers, body }: Reply): SentParameters {
  expect([status, Object.keys(body), headers.get('location')]).toEqual([200, ['result'], null]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  return body.result;
}

function expectError({ status, headers, body }: Reply, code: ErrorCode, data?: string | null): void {
  expect([code, status, Object.keys(body)]).toEqual([code, errors[code].wing, ['error']]);
  expect(headers.get('content-type')).toBe(wingBody.contentType);
  expect(Object.keys(body.error)).toEqual(wingBody.keys);
  expect(body.error).toMatchObject({ code: errors[code].wing, message: expect.any(String) });
  if (data !== undefined) expect(body.error.data).toBe(data);
}

describe.each(names)('%s', (name) => {
  const { base } = records[name];

  test('create, fetch, update and delete', async () => {
    const sent = { ...(await everything(world, name)), ...closed[name] };
    const wire = 'wing';
    const created = result(await world.send('POST', base, own(sent)));
    expect(problems(name, created, { viewer: 'editor', sent, wire })).toEqual([]);
    const path = `${base}/${created.id}`;
    expect(result(await world.send('GET', path, { session: world.owner.session }))).toEqual(created);
    const again = result(await world.send('PUT', path, own(sent)));
    expect(problems(name, again, { viewer: 'editor', sent, wire })).toEqual([]);
    const open = result(await world.send('GET', path));
    expect(problems(name, open, { viewer: 'anyone', sent, wire })).toEqual([]);
    expect(result(await world.send('DELETE', path, { session: world.owner.session }))).toEqual({ success: 1 });
    expectError(await world.send('DELETE', path, { session: world.owner.session }), 'not_found');
  });

  test('a create with the required parameters', async () => {
    const sent = await world.minimal(name);
    const created = result(await world.send('POST', base, own(sent)));
    expect(problems(name, created, { viewer: 'editor', sent, wire: 'wing' })).toEqual([]);
  });

  test('errors', async () => {
    const sent = await world.minimal(name);
    const [required = ''] = Object.keys(sent);
    expectError(await world.send('POST', base, { parameters: sent }), 'forbidden');
    expectError(await world.send('POST', base, own({ ...sent, [required]: null })), 'required', required);
    const parent = Object.keys(sent).find((parameter) => parameter.endsWith('_id')) ?? '';
    expectError(await world.send('POST', base, own({ ...sent, [parent]: 'nobody' })), 'reference_not_found', parent);
    const { id } = await world.make(name);
    const path = `${base}/${id}`;
    const { session } = world.stranger;
    expectError(
      await world.send('PUT', path, { session, parameters: { name: 'Mine', share_percent: 1 } }),
      'forbidden',
    );
    expectError(await world.send('DELETE', path, { session }), 'forbidden');
    expectError(await world.send('GET', `${base}/nobody`), 'not_found');
    expectError(await world.send('PATCH', base), 'method');
    expectError(await world.send('POST', `${base}?%`, own(sent)), 'malformed');
  });
});

test.each(limits.filter(({ parameter }) => parameter !== 'name'))('invalid/$resource $parameter', async (limit) => {
  const { resource, parameter, refuses } = limit;
  for (const value of refuses) {
    const sent = { ...(await world.minimal(resource)), [parameter]: value };
    expectError(await world.send('POST', records[resource].base, own(sent)), 'invalid', parameter);
  }
});

test('conflict, not unique, unsupported file', async () => {
  const { user_id, designer_id } = await world.make('designerassociate');
  expectError(
    await world.send('POST', '/api/designerassociate', own({ user_id, designer_id })),
    'not_unique',
    'user_id',
  );
  const game = await world.make('game', { designer_id });
  expectError(await world.send('DELETE', `/api/designer/${designer_id}`, own()), 'conflict');
  const top_id = (await world.file('image/svg+xml')).id;
  const box = { name: 'Lid', game_id: game.id, top_id };
  expectError(await world.send('POST', '/api/boxtop', own(box)), 'unsupported_file', 'top_id');
});

test('lists and options are in the envelope, too', async () => {
  const game_id = (await world.make('game')).id;
  const box = await world.make('boxtop', { game_id });
  const list = await world.send('GET', `/api/game/${game_id}/boxtops`, { session: world.owner.session });
  expect(result(list)).toMatchObject({ paging: { total_items: 1, page_number: 1 }, items: [box] });
  expect(result(await world.send('GET', '/api/boxtop/_options'))).toEqual({
    identity: records.boxtop.identities,
    _identity: {
      DeckBoxTopAndSide: 'Deck Box (Top And Sides Printed)',
      LargeStoutBoxTop: 'Large Stout Box (Only Top Printed)',
      MediumStoutBoxTopAndSide: 'Medium Stout Box (Top And Sides Printed)',
    },
    _sizes: {
      DeckBoxTopAndSide: '3675x4950',
      LargeStoutBoxTop: '3450x3450',
      MediumStoutBoxTopAndSide: '3675x4575',
    },
  });
  const related = await world.send(
    'GET',
    `/api/boxtop/${box.id}?_include_related_objects=game&_include_relationships=1`,
  );
  expect(result(related)).toMatchObject({ game: { id: game_id }, _relationships: { game: `/api/game/${game_id}` } });
});

test('only the first failure is shown', async () => {
  const reply = await world.send('POST', '/api/boxtop', own({ quantity: 0, identity: 'Crate' }));
  expect(Object.keys(reply.body.error)).toEqual(wingBody.keys);
  expect([440, 441, 442]).toContain(reply.status);
});
