// Both ends of every limit and one step outside, as JSON and as a form, on create and on update (Must hold 1; D20).

import { type Limit, limits } from '../document/limits.js';
import { records } from '../document/resources.js';
import type { Field } from '../document/table.js';
import { refusal } from './replies.js';
import { transports } from './transports.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

type Value = Limit['accepts'][number];

/** A value sent in any notation, as the record shows it: numbers as numbers, decimals as text. */
const SHOWN: Readonly<Partial<Record<Field['type'], (value: Value) => Value>>> = {
  integer: Number,
  decimal: String,
  bit: (value) => (value === true || value === 1 || value === '1' ? 1 : 0),
};

describe.each(limits)('$resource $parameter', ({ resource, parameter, accepts, refuses, code }) => {
  const { base, fields } = records[resource];
  const shown = (value: Value) => SHOWN[fields[parameter]?.type ?? 'text']?.(value) ?? value;

  const create = async (transport: 'json' | 'urlencoded', value: Value) => {
    const sent = { ...(await world.minimal(resource)), [parameter]: value, session_id: world.owner.session };
    return transports[transport]({ method: 'POST', url: `${world.address}${base}`, parameters: sent });
  };
  const update = (id: string, value: Value) =>
    transports.json({
      method: 'PUT',
      url: `${world.address}${base}/${id}`,
      parameters: { [parameter]: value, session_id: world.owner.session },
    });

  test.each(['json', 'urlencoded'] as const)('Create/%s', async (transport) => {
    const accepted = await Promise.all(accepts.map((value) => create(transport, value)));
    expect(accepted.map(({ status, body }) => [status, body[parameter]])).toEqual(
      accepts.map((value) => [201, shown(value)]),
    );
    const refused = await Promise.all(refuses.map((value) => create(transport, value)));
    expect(refused.map((reply, place) => [refuses[place], refusal(reply)])).toEqual(
      refuses.map((value) => [value, [`${parameter}: ${code}`]]),
    );
  });

  test('Update', async () => {
    const { id } = await world.make(resource);
    for (const value of accepts) {
      const reply = await update(id, value);
      expect([reply.status, reply.body[parameter]]).toEqual([200, shown(value)]);
    }
    for (const value of refuses)
      expect([value, refusal(await update(id, value))]).toEqual([value, [`${parameter}: ${code}`]]);
    const { body } = await world.send('GET', `${base}/${id}`, { session: world.owner.session });
    expect(body[parameter]).toEqual(shown(accepts.at(-1) ?? ''));
  });
});

test('EveryFailureAtOnce', async () => {
  const { session } = world.owner;
  const { top_id, ...rest } = {
    top_id: 'nobody',
    game_id: 'nobody',
    quantity: 0,
    identity: 'Crate',
    has_proofed_top: 2,
  };
  const reply = await world.send('POST', '/api/boxtop', { session, parameters: { ...rest, top_id } });
  expect(refusal(reply)).toEqual([
    'game_id: reference_not_found',
    'has_proofed_top: invalid',
    'identity: invalid',
    'name: required',
    'quantity: invalid',
    'top_id: reference_not_found',
  ]);
});

/** Text of forms and values of JSON that are no value of the type: never taken for 0, false or empty (D20). */
test.each([
  ['quantity', ['1.0', '1,5', ' 1', '1 ', '+1', 'NaN', 'Infinity', true, [1], [1, 2], {}, '٣']],
  ['has_proofed_top', ['yes', 'on', 2, -1, 'TRUE', [true], {}]],
  ['name', [5, true, ['a', 'b'], {}, '\ud800', 'a\udc00b', 'a\u0000']],
  ['top_id', [5, true, ['a'], {}]],
])('NeverGuessed/%s', async (parameter, values) => {
  const { session } = world.owner;
  const sent = await world.minimal('boxtop');
  for (const value of values) {
    const reply = await world.send('POST', '/api/boxtop', { session, parameters: { ...sent, [parameter]: value } });
    expect([value, refusal(reply)]).toEqual([value, [`${parameter}: invalid`]]);
  }
});
