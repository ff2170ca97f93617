// Control: the check of records must notice any difference between record and table.

import { brief } from '../document/behind.js';
import { records } from '../document/resources.js';
import { problems } from './record.js';

const sent = { name: 'Lid', game_id: 'abcd', quantity: 3, top_id: 'wxyz', has_proofed_top: true };
const dated = { date_created: '2024-02-29T12:00:00.000Z', date_updated: '2024-02-29T12:00:00.000Z' };
const typed = { wing_object_type: 'boxtop', object_type: 'boxtop' };
const top = Object.fromEntries(brief.map((name) => [name, 'something']));
const shown = { id: '00id', identity: 'DeckBoxTopAndSide', ...typed, ...dated, ...sent, top };
const check = (record: object, table = records.boxtop, viewer: 'editor' | 'anyone' = 'editor') =>
  problems('boxtop', record as typeof shown, { viewer, sent }, table);

test('a record as documented', () => expect(check(shown)).toEqual([]));

test.each([
  ['a property less', { ...shown, quantity: undefined }, []],
  [
    'a wrong default',
    { ...shown, identity: 'LargeStoutBoxTop' },
    ['identity is "LargeStoutBoxTop", not "DeckBoxTopAndSide"'],
  ],
  ['a wrong constant', { ...shown, object_type: 'lid' }, ['object_type is "lid", not "boxtop"']],
  ['a value that was not sent', { ...shown, quantity: 4 }, ['quantity is 4, not 3']],
  ['a number as text', { ...shown, quantity: '3' }, ['quantity has the wrong form: "3"']],
  ['a date of the other profile', { ...shown, date_created: '2024-02-29 12:00:00' }, [expect.stringContaining('form')]],
  ['a description with less', { ...shown, top: { id: 'wxyz' } }, [expect.stringContaining('top has the wrong form')]],
  ['a property more', { ...shown, secret: 1 }, ['secret is not documented']],
])('Notices/%s', (_, record, expected) => {
  const clean = JSON.parse(JSON.stringify(record));
  expect(check(clean)).toEqual(expected.length > 0 ? expected : ['quantity is missing']);
});

test('notices properties that only editors may see', () => {
  const lines = ['top_id', 'has_proofed_top', 'top'].map((name) => `${name} is not documented`);
  expect([...check(shown, records.boxtop, 'anyone')].sort()).toEqual(lines.sort());
});

test('notices a wrong row of the table', () => {
  const { quantity: _, ...fields } = records.boxtop.fields;
  expect(check(shown, { ...records.boxtop, fields })).toEqual(['quantity is not documented']);
  expect(check(shown, { ...records.boxtop, constant: 'boxlid' })).toHaveLength(2);
  const wrong = { ...records.boxtop.fields, lid: { type: 'text', notes: '' } as const };
  expect(check(shown, { ...records.boxtop, fields: wrong })).toEqual(['lid is missing']);
});
