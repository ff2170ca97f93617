// `list` and `graph` on a small spec, whose expected tables and diagram are written by hand.

import { graph } from '../../generator/commands/graph.js';
import { list } from '../../generator/commands/list.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { filesOf } from './example.js';

const FILES = filesOf(`# spec/resources/box.yaml
resource: box
title: Big box
summary: Holds pieces.
plural: boxes
identities: [Small, Large]
fields:
  user: { kind: reference, to: user, default: session.user, place: true, list: true }
  top: image
  bottom: image
  pieces: { kind: computed, count: pieces }
access: { read: [user], edit: [user, { member: piece, by: user }] }
operations: { create: admin, fetch: true }
actions: { close: { title: Close, by: editor } }
# spec/resources/piece.yaml
resource: piece
title: Piece
summary: Lies in a box.
plural: pieces
fields:
  name: { kind: text, required: true, max: 40 }
  size: { kind: integer, min: 1, max: 9, default: 2, view: editor }
  box: { kind: reference, to: box, list: true }
  user: { kind: reference, to: user, required: true }
# spec/resources/o.yaml
resource: o
title: O
summary: Refers to nothing, and is named as part of a line.
plural: os
`);
const { spec } = compileSpec({ files: FILES, ledger: null });
const shuffled = compileSpec({ files: [...FILES].reverse(), ledger: null }).spec;

describe('list', () => {
  test('resources', () => {
    expect(list(spec, undefined).stdout.split('\n')).toEqual([
      'RESOURCE  TITLE    FIELDS  READ    EDIT         OPERATIONS',
      'box       Big box  5       user    user, piece  create (admin), fetch, update, delete, close',
      'file      File     4       anyone  -            create, fetch, update, delete',
      'o         O        0       anyone  -            create, fetch, update, delete',
      'piece     Piece    4       anyone  -            create, fetch, update, delete',
      'user      User     2       anyone  -            create, fetch, update, delete',
      '',
    ]);
  });
  test('fields', () => {
    expect(list(spec, 'piece').stdout.split('\n')).toEqual([
      'Piece: Lies in a box.',
      'spec/resources/piece.yaml',
      '',
      'FIELD  KIND               RULES           DEFAULT  SEEN BY',
      'name   text               required, ..40  -        anyone',
      'size   integer            1..9            2        editor',
      'box    reference to box   -               -        anyone',
      'user   reference to user  required        -        anyone',
      '',
      'operations: create, fetch, update, delete',
      '',
    ]);
  });
  test('identity is a field', () => {
    expect(list(spec, 'box').stdout).toContain(
      '\nidentity  enum               2 values         Small         anyone\n',
    );
  });
  test('an unknown resource', () => {
    expect(list(spec, 'peice')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no resource "peice"; did you mean "piece"?\n',
    });
  });
});

describe('graph', () => {
  const LINES = [
    'erDiagram',
    '  o',
    '  user ||--o{ box : "user"',
    '  file |o--o{ box : "top, bottom"',
    '  box |o--o{ piece : "box"',
    '  user ||--o{ piece : "user"',
    '',
  ];
  test('relations', () => expect(graph(spec, false).split('\n')).toEqual(LINES));
  test('order of files does not matter', () => expect(graph(shuffled, true)).toBe(graph(spec, true)));
  test('fields', () => {
    const box = [
      '  box {',
      '    id id PK',
      '    enum identity',
      '    id user_id FK',
      '    id top_id FK',
      '    id bottom_id FK',
      '  }',
    ];
    expect(graph(spec, true)).toContain(`erDiagram\n${box.join('\n')}\n  file {\n    id id PK\n    text name\n`);
  });
});
