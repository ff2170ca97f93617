// One typo in each kind of name, and the name that is suggested for it. The table is written by hand.
import { diagnose } from '../generator/project-files.js';
import { filesOf } from './example.js';

const CONVENTIONS = `# spec/conventions.yaml
title: Example
version: 1.0.0
summary: An example.
conventions:
  component: { fields: { name: text } }
`;
const EVENTS = `# spec/events.yaml
events:
  Joined: { owner_class: User, summary: Somebody has joined. }
  Left: { owner_class: User, summary: Somebody has left. }
owner_classes: { User: user }
`;
const PIECE = '# spec/resources/piece.yaml\nresource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';
const SIDE =
  '# spec/resources/side.yaml\nresource: side\ntitle: Side\nsummary: One.\nplural: sides\nfields:\n  piece: { kind: reference, to: piece, list: true }\n';
const LEDGER =
  '# spec/ledger.json\n{"next": 7, "resources": {"piece": {"number": 1, "columns": {"id": 2, "date_created": 3, "date_updated": 4, "name": 5, "label": 6}}}}\n';

describe('suggestions', () => {
  test.each([
    ['a resource, of a reference', 'fields:\n  owner: { kind: reference, to: usre }\n', 'E0303', 'user'],
    ['a resource, of a membership', 'access: { edit: [{ member: usr, by: user }] }\n', 'E0303', 'user'],
    ['a resource, of an owner class', EVENTS.replace('User: user', 'User: uesr'), 'E0303', 'user'],
    ['a resource, of a payload', EVENTS.replace('joined. }', 'joined., payload: { record: usser } }'), 'E0303', 'user'],
    ['a convention', `${CONVENTIONS}${PIECE}extends: compnent\n`, 'E0304', 'component'],
    ['a field, of an order', 'fields:\n  colour: text\norder: [color]\n', 'E0305', 'colour'],
    ['a field, of a unique', 'fields:\n  colour: text\nunique: [[clour]]\n', 'E0305', 'colour'],
    ['a field, of a brief', 'fields:\n  colour: text\nbrief: [colours]\n', 'E0305', 'colour'],
    ['a field, of a copy', 'fields:\n  name: text\n  label: { kind: computed, copy: nmae }\n', 'E0305', 'name'],
    ['a field, of a text', 'fields:\n  name: text\n  label: { kind: computed, text: "{nam}" }\n', 'E0305', 'name'],
    [
      'a field, of a condition',
      'fields:\n  free: boolean\n  owner: { kind: reference, to: user, lists: { some: { where: { fre: true } } } }\n',
      'E0305',
      'free',
    ],
    ['a field of a convention', `${CONVENTIONS}${PIECE}extends: component\norder: [nam]\n`, 'E0305', 'name'],
    ['a list', `${PIECE}fields:\n  total: { kind: computed, count: side }\n${SIDE}`, 'E0308', 'sides'],
    ['a word of access', 'access: { edit: [editro] }\n', 'E0312', 'editor'],
    [
      'a reference in access',
      'fields:\n  maker: { kind: reference, to: user }\naccess: { edit: [makre] }\n',
      'E0312',
      'maker',
    ],
    [
      'a right, of a view',
      'fields:\n  code: { kind: text, view: buyer }\naccess: { buyers: anyone }\n',
      'E0313',
      'buyers',
    ],
    ['a right, of an action', 'actions: { turn: { title: Turn, by: admn } }\n', 'E0313', 'admin'],
    ['an identity', 'identities: [Small, Large]\ndefault_identity: small\n', 'E0403', 'Small'],
    [
      'an earlier field',
      `${PIECE}fields:\n  title: { kind: text, was: nmae }\n  label: text\n${LEDGER}`,
      'E0318',
      'name',
    ],
    ['a key of a resource', 'feilds: {}\n', 'E0201', 'fields'],
    ['a key of a field', 'fields:\n  name: { kind: text, requird: true }\n', 'E0201', 'required'],
    ['a key of an action', 'actions: { turn: { title: Turn, by: editor, paramters: {} } }\n', 'E0201', 'parameters'],
    ['a key of a convention', CONVENTIONS.replace('fields', 'field'), 'E0201', 'fields'],
    [
      'a key of an event',
      EVENTS.replace('summary: Somebody has left', 'sumary: Somebody has left'),
      'E0201',
      'summary',
    ],
    ['a key of another kind', 'fields:\n  owner: { kind: reference, to: user, lst: true }\n', 'E0201', 'list'],
    ['a kind', 'fields:\n  when: dat\n', 'E0203', 'date'],
    ['a kind, written out', 'fields:\n  when: { kind: boolena }\n', 'E0203', 'boolean'],
    ['a word of a key', 'fields:\n  owner: { kind: reference, to: user, on_delete: cascaed }\n', 'E0203', 'cascade'],
    ['an operation', 'operations: { create: sesion }\n', 'E0203', 'session'],
    ['a key of an operation', 'operations: { crate: true }\n', 'E0201', 'create'],
    [
      'an event, of a value',
      `${EVENTS}${PIECE}fields:\n  event: { kind: enum, values: [Joined, Lefft] }\n`,
      'W0602',
      'Left',
    ],
    ['a class of an event', EVENTS.replace('Left: { owner_class: User', 'Left: { owner_class: Usr'), 'E0326', 'User'],
  ])('%s', (_, example, code, wanted) => {
    const matches = diagnose(filesOf(example)).filter((one) => one.code === code);
    expect(matches.map(({ suggestion }) => suggestion)).toContain(wanted);
  });
});
