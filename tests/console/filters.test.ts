// The filters of a list: a value, or the two ends of a range. The next page keeps them.
import { filterForm, listParameters } from '../../runtime/admin/console/listing.js';
import { BOOK } from '../operations/fixture.js';

test('a filter by range has a field for each end', () => {
  const { fields } = filterForm(BOOK, { 'quantity[gte]': '2', shelf_id: 's1' }) ?? { fields: [] };
  const shown = fields.map(({ name, label, value }) => [name, label, value]);
  expect(shown).toContainEqual(['quantity[gte]', 'Quantity, from', '2']);
  expect(shown).toContainEqual(['quantity[lte]', 'Quantity, to', '']);
  expect(shown.map(([name]) => name)).not.toContain('quantity');
  expect(shown.map(([name, , value]) => [name, value])).toContainEqual(['shelf_id', 's1']);
});

test('the next page keeps the ends of a range', () => {
  const query = { 'quantity[gte]': '2', 'quantity[lt]': '9', 'name[gte]': 'x', other: '1' };
  expect(listParameters(BOOK, query)).toEqual({ 'quantity[gte]': '2', 'quantity[lt]': '9' });
});
