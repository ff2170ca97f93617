// The names under which requests use a deprecated field (D38), for each kind of field, derived by hand from spec/README.md.
import { generate } from '../../generator/generate.js';
import type { Resource } from '../../generator/model/model.js';

const FILES = {
  'conventions.yaml': 'title: Test\nversion: 1.0.0\nsummary: Test.\nimage_types: [image/png]\n',
  'resources/user.yaml':
    'resource: user\ntitle: User\nsummary: Somebody.\nplural: users\nprincipal: true\nfields:\n  username: { kind: text, required: true }\n',
  'resources/file.yaml':
    'resource: file\ntitle: File\nsummary: A file.\nplural: files\nupload: { part: file, max_bytes: 1000 }\n',
};

/** A resource with one field, which is to be removed on 2030-01-31. */
function piece(field: string, more = ''): Resource {
  const head = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\naccess: { read: anyone, edit: [] }\n';
  const text = `${head}${more}fields:\n  size: { ${field}, sunset: 2030-01-31 }\n`;
  const files = Object.entries({ ...FILES, 'resources/piece.yaml': text }).map(([path, content]) => ({
    path: `spec/${path}`,
    text: content,
  }));
  const generation = generate({ files, ledger: null }, '../kit.js');
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
  const resource = generation.model.resources.find(({ name }) => name === 'piece');
  if (resource === undefined) throw new Error('there is no piece');
  return resource;
}

test.each([
  ['kind: text', ['size']],
  ['kind: text, synonyms: [width, breadth]', ['size', 'width', 'breadth']],
  ['kind: password', ['size', 'old_size']],
  // Lists may be ordered by the field.
  ['kind: integer, read_only: true', ['size']],
  ['kind: reference, to: user', ['size_id', 'size']],
  ['kind: reference, to: user, from: session.user, list: true', ['size_id', 'size']],
  ['kind: reference, to: user, from: session.user, filter: true', ['size_id', 'size']],
  ['kind: reference, to: user, from: session.user', ['size']],
  ['kind: image', ['size_id', 'has_proofed_size']],
  ['kind: image, proof: false, synonyms: [width]', ['size_id', 'width_id']],
  ['kind: image, synonyms: [width]', ['size_id', 'width_id', 'has_proofed_size', 'has_proofed_width']],
  // The record describes the file itself, so there is nothing to include.
  ['kind: file', ['size_id']],
])('%s', (field, names) => {
  expect(piece(field).deprecations).toEqual([{ field: 'size', sunset: '2030-01-31', names }]);
});

test.each([
  'kind: integer, read_only: true, view: editor',
  'kind: json, read_only: true',
  'kind: computed, text: "/pieces/{id}"',
])('no request can use %s', (field) => {
  const resource = piece(field);
  expect(resource.deprecations).toEqual([]);
  expect(resource.properties.find(({ name }) => name === 'size')).toMatchObject({
    description: 'To be removed on 2030-01-31.',
    deprecation: { sunset: '2030-01-31' },
  });
});

test('deprecated values are listed with their field', () => {
  const actions =
    'actions:\n  cut: { title: Cut, by: admin, parameters: { at: { kind: enum, values: { end: { deprecated: 2029-01-31 } } } } }\n';
  const identities = 'identities: { Small: {}, Large: { deprecated: 2028-01-31, sunset: 2029-01-31 } }\n';
  const field = 'kind: enum, synonyms: [width], values: { wide: {}, narrow: { sunset: 2027-01-31 } }';
  expect(piece(field, identities + actions).deprecations).toEqual([
    {
      field: 'identity=Large',
      deprecated: '2028-01-31',
      sunset: '2029-01-31',
      names: ['identity'],
      value: 'Large',
    },
    { field: 'size', sunset: '2030-01-31', names: ['size', 'width'] },
    { field: 'size=narrow', sunset: '2027-01-31', names: ['size', 'width'], value: 'narrow' },
    { field: 'cut.at=end', action: 'cut', deprecated: '2029-01-31', names: ['at'], value: 'end' },
  ]);
});

test('a deprecated resource comes before its fields and actions', () => {
  const actions =
    'actions:\n  cut: { title: Cut, by: admin, parameters: { at: { kind: text, deprecated: 2029-01-31 } } }\n';
  expect(piece('kind: text', `deprecated: 2028-01-31\n${actions}`).deprecations).toEqual([
    { field: null, deprecated: '2028-01-31', names: [] },
    { field: 'size', sunset: '2030-01-31', names: ['size'] },
    { field: 'cut.at', action: 'cut', deprecated: '2029-01-31', names: ['at'] },
  ]);
});
