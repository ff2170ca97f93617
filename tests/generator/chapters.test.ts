// The chapters of the API document that the docs page shows before the operations.

import { chapters } from '../../generator/emit/openapi/chapters.js';
import { errors } from '../document/errors.js';
import { generated } from './openapi-document.js';

const { model } = generated();
const titles = (text: string): readonly string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

const ALWAYS = [
  'Parameters',
  'Sessions',
  'Methods',
  'Retries',
  'Updates',
  'Concurrent edits',
  'Lists',
  'Limits',
  'Client',
  'Wire profile',
];

test('the chapters cover all that a client has to know', () => {
  const all = [...ALWAYS, 'Tokens', 'Uploads', 'Web hooks', 'Old names', 'Errors'];
  expect([...titles(chapters(model))].sort()).toEqual(all.sort());
});

test('features that the service does not have get no chapter', () => {
  const resources = model.resources.filter(({ name }) => ['user', 'designer'].includes(name));
  const text = chapters({ ...model, resources });
  expect([...titles(text)].sort()).toEqual([...ALWAYS, 'Errors'].sort());
  expect(text).not.toMatch(/\/api\/(file|webhook)/);
});

test('ranges are explained where a list takes bounds', () => {
  const resources = model.resources.map((each) =>
    each.name === 'gamepart' ? { ...each, ranges: ['quantity'] } : each,
  );
  const text = chapters({ ...model, resources });
  expect([...titles(text)]).toContain('Ranges');
  expect(text).toContain('such as `quantity` of a game part: `quantity[gte]` and\n`quantity[lte]` include the value');
});

test('the chapter on uploads names the resource, its part and its limit', () => {
  expect(chapters(model)).toContain(
    '`POST /api/file` takes multipart/form-data: the bytes in the part `file`, at most 52428800',
  );
});

test('the table has a row for each error code (D04)', () => {
  const rows = [...chapters(model).matchAll(/^\| `(\w+)` \| (\d{3}) \| \S.+ \|$/gm)];
  const listed = rows.map(([, code, status]) => `${status} ${code}`);
  const sent = Object.entries(errors).map(([code, { plain, plainCode = code }]) => `${plain} ${plainCode}`);
  expect(listed.sort()).toEqual([...new Set(sent)].sort());
});
