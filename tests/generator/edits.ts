// One-line edits of the project's own descriptors, and the other resources that each edit reaches.

export interface LineEdit {
  readonly name: string;
  /** The descriptor, and the resource that the edit changes. */
  readonly resource: string;
  readonly from: string;
  /** Lines that are added end with a line break. */
  readonly to: string;
  /** Other resources whose own files mention it, and why; nearly every edit has none. */
  readonly reaches?: { readonly files: readonly string[]; readonly because: string };
}

const FIELDS = 'fields:\n';
const GAMES = 'the client of games has the lists below them';

export const LINE_EDITS: readonly LineEdit[] = [
  { name: 'summary', resource: 'boxtop', from: 'Box with a top only.', to: 'Box without a bottom.' },
  { name: 'title', resource: 'boxtop', from: 'title: Box top', to: 'title: Lid' },
  { name: 'title of a referenced resource', resource: 'game', from: 'title: Game', to: 'title: Tabletop game' },
  { name: 'description', resource: 'boxtop', from: 'Image printed on the top part.', to: 'What is on top.' },
  {
    name: 'description in a set',
    resource: 'twosidedslugged',
    from: 'Image printed on the face.',
    to: 'Image of the face.',
  },
  { name: 'description of a user’s name', resource: 'user', from: 'Name to log in with.', to: 'Name of the account.' },
  { name: 'greatest length', resource: 'apikey', from: 'max: 1000', to: 'max: 2000' },
  { name: 'greatest number', resource: 'coilbookpage', from: 'max: 1000', to: 'max: 500' },
  { name: 'least length', resource: 'user', from: 'min: 1, max: 60', to: 'min: 3, max: 60' },
  { name: 'numbers to choose from', resource: 'scorepad', from: '[40, 60, 80, 100]', to: '[40, 60, 80, 100, 120]' },
  { name: 'default', resource: 'scorepad', from: 'default: 60', to: 'default: 80' },
  { name: 'default of a flag', resource: 'twosidedslugged', from: 'default: true', to: 'default: false' },
  {
    name: 'identity',
    resource: 'boxtop',
    from: '{ DeckBoxTopAndSide:',
    to: '{ TinTop: { size: 100x100, title: Tin }, DeckBoxTopAndSide:',
    reaches: { files: ['game'], because: GAMES },
  },
  { name: 'value of an enum', resource: 'webhook', from: '[Designer, User]', to: '[Designer, User, Guest]' },
  {
    name: 'required',
    resource: 'apikey',
    from: '{ kind: url, description',
    to: '{ kind: url, required: true, description',
  },
  { name: 'no longer required', resource: 'apikey', from: 'kind: text, required: true', to: 'kind: text' },
  { name: 'synonym', resource: 'boxtop', from: '{ kind: image,', to: '{ kind: image, synonyms: [face],' },
  { name: 'shown as', resource: 'apikey', from: '{ kind: url,', to: '{ kind: url, shown_as: [homepage],' },
  { name: 'shown to fewer', resource: 'apikey', from: 'max: 1000,', to: 'max: 1000, view: editor,' },
  { name: 'filter', resource: 'apikey', from: 'max: 1000,', to: 'max: 1000, filter: true,' },
  { name: 'read only', resource: 'apikey', from: 'max: 1000,', to: 'max: 1000, read_only: true,' },
  { name: 'one proof fewer', resource: 'boxtop', from: '{ kind: image,', to: '{ kind: image, proof: false,' },
  { name: 'new text', resource: 'boxtop', from: FIELDS, to: `${FIELDS}  note: { kind: text, max: 80 }\n` },
  { name: 'new number', resource: 'user', from: FIELDS, to: `${FIELDS}  age: { kind: integer, min: 0 }\n` },
  { name: 'new flag', resource: 'game', from: FIELDS, to: `${FIELDS}  adult: { kind: boolean, default: false }\n` },
  {
    name: 'new enum',
    resource: 'boxtop',
    from: FIELDS,
    to: `${FIELDS}  finish: { kind: enum, values: [matte, gloss] }\n`,
  },
  { name: 'new image', resource: 'boxtop', from: FIELDS, to: `${FIELDS}  inside: { kind: image }\n` },
  { name: 'new date', resource: 'folder', from: FIELDS, to: `${FIELDS}  closed: { kind: date }\n` },
  { name: 'new reference', resource: 'apikey', from: FIELDS, to: `${FIELDS}  game: { kind: reference, to: game }\n` },
  {
    name: 'new list',
    resource: 'boxtop',
    from: FIELDS,
    to: `${FIELDS}  game: { lists: { tops: { where: { identity: LargeStoutBoxTop } } } }\n`,
    reaches: { files: ['game'], because: GAMES },
  },
  {
    name: 'new copy',
    resource: 'boxtop',
    from: FIELDS,
    to: `${FIELDS}  game_name: { kind: computed, copy: game.name }\n`,
  },
  {
    name: 'new count',
    resource: 'game',
    from: FIELDS,
    to: `${FIELDS}  top_count: { kind: computed, count: boxtops }\n`,
  },
  {
    name: 'one field fewer',
    resource: 'customcolord6',
    from: 'identities: { CustomColorD6: { size: 180x180, title: Custom Full Color 16mm D6 } }',
    to: 'identities: { CustomColorD6: { size: 180x180, title: Custom Full Color 16mm D6 } }\nfields:\n  side{n}: { times: 5 }\n',
  },
  { name: 'order', resource: 'coilbookpage', from: FIELDS, to: `order: [name]\n${FIELDS}` },
  { name: 'unique', resource: 'designerassociate', from: 'unique: [[designer, user]]\n', to: '' },
  { name: 'another path', resource: 'scorepad', from: '{ all: /scorepad }', to: '{ all: /pad }' },
  {
    name: 'two operations fewer',
    resource: 'designer',
    from: 'access: {',
    to: 'operations: { update: false, delete: false }\naccess: {',
  },
  { name: 'right to read', resource: 'designer', from: '{ read: anyone }', to: '{ read: [user] }' },
  { name: 'right to edit', resource: 'game', from: 'edit: [parent,', to: 'edit: [' },
  { name: 'lifecycle', resource: 'boxtop', from: FIELDS, to: `lifecycle: [beforeCreate]\n${FIELDS}` },
  {
    name: 'action',
    resource: 'boxtop',
    from: FIELDS,
    to: `actions: { open: { title: Open it, by: editor } }\n${FIELDS}`,
  },
  { name: 'deprecated', resource: 'apikey', from: 'max: 1000,', to: 'max: 1000, deprecated: "2026-12-01",' },
  {
    name: 'brief description',
    resource: 'file',
    from: 'file_size, image_width',
    to: 'image_width',
    reaches: { files: [], because: 'types of other resources name the brief description instead of repeating it' },
  },
];
