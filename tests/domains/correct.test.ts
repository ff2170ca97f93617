// Correct descriptors whose generated tests once failed, each kept as a domain. The short form tries one of three.
import { stringify } from 'yaml';
import type { SourceFile } from '../../generator/load/load.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { sourceFile } from '../support/source-files.js';
import { compileAll, type Domain, makeDomain, prepare, wrongIn } from './bench.js';

const text = { kind: 'text' };
const owner = { kind: 'reference', to: 'person', default: 'session.user', need: 'edit', place: true, list: true };
const game = {
  kind: 'reference',
  to: 'game',
  required: true,
  need: 'edit',
  place: true,
  on_delete: 'cascade',
  list: true,
};
const part = { kind: 'reference', to: 'part', required: true, need: 'edit', on_delete: 'cascade' };
const owned = { read: 'anyone', edit: ['owner'] };
const within = { read: 'anyone', edit: ['game'] };

/** Every printable ASCII character that is not a letter, and texts that are hard to quote. */
const SIGNS = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at)).filter(
  (sign) => !/[A-Za-z]/.test(sign),
);
const ODD = [
  'A | B',
  "' | '",
  '*/ //',
  "\\'",
  '\u0024{x}',
  '{{x}}',
  '$&',
  '<b>&lt;</b>',
  'a,b; c',
  'Größe 日本 🎲',
  '[x](y)',
  '| a |',
];
const WORDS = [...SIGNS, ...ODD];

/** The resources that every case has besides its own and refers to. */
const AROUND: Readonly<Record<string, object>> = {
  person: {
    principal: true,
    operations: { create: 'admin', delete: false },
    fields: {
      username: { ...text, required: true, unique: true },
      password: { kind: 'password', required: true },
      admin: { kind: 'boolean', default: false, set: 'admin', view: 'editor' },
      nick: { ...text, max: 11 },
    },
    access: { read: 'anyone', edit: ['self'] },
  },
  sheet: {
    upload: { part: 'bytes', max_bytes: 1000 },
    fields: {
      name: { ...text, default: 'upload.name' },
      owner,
      file_type: { ...text, from: 'upload.type' },
      content_hash: { ...text, from: 'upload.hash', view: 'nobody' },
      access_key: { ...text, from: 'random', view: 'nobody' },
    },
    brief: ['id', 'name', 'file_type'],
    access: { read: ['owner'], edit: ['owner'] },
  },
  game: { fields: { owner, name: text }, access: owned },
  part: { fields: { owner, name: text }, access: owned, brief: ['id', 'name'] },
};

const READABLE = 'a hidden record that everybody may read: only its editors may refer to it, and others get forbidden';
const PATHS = 'paths by unique values of several kinds';
const N17 = 'N17: identities and values of every printable character';

/** Every object of JavaScript has a property of this name. */
const INHERITED = 'a resource called constructor';

/** The resource under test, by title. */
const CASES: Readonly<Record<string, object>> = {
  'F49: two references that together are unique': {
    fields: { game, part },
    unique: [['game', 'part']],
    access: within,
  },
  'F49: a file of one type': {
    fields: { game, plan: { kind: 'file', types: ['application/pdf'], required: true } },
    access: within,
  },
  'F49: a set without a required text that is unique': {
    fields: { owner, name: { ...text, default: 'plain' }, size: { kind: 'integer' } },
    unique: [['name', 'owner']],
    access: owned,
  },
  'F49: one of each kind for a user, and two sets with a field in common': {
    fields: {
      owner,
      use: { kind: 'enum', values: ['home', 'work'], required: true },
      name: { ...text, required: true },
    },
    unique: [
      ['use', 'owner'],
      ['use', 'name'],
    ],
    access: owned,
  },
  'D25: references that are described, one of them optional and for editors alone': {
    fields: {
      game,
      part: { ...part, describe: true, shown_as: ['component_id'] },
      other: { kind: 'reference', to: 'part', need: 'exists', describe: true, view: 'editor' },
    },
    access: within,
  },
  'short forms: a parent, and repeated fields of several kinds': {
    fields: {
      game: { kind: 'reference', parent: true, list: 'halves' },
      'side{n}': { kind: 'image', times: 3 },
      side2: { view: 'anyone' },
      'note_{n}': { kind: 'text', times: 2, synonyms: ['remark_{n}'], default: 'note {n}' },
      of: { kind: 'computed', copy: 'parent.name' },
    },
    unique: [['parent', 'note_1']],
  },
  'decimals with negative limits, and limits with digits after the point': {
    fields: {
      owner,
      delta: { kind: 'decimal', min: -12.5, max: 0.25 },
      debt: { kind: 'decimal', min: -3, max: -1.5, scale: 1, required: true },
      share: { kind: 'decimal', min: 0.001, max: 1.25, scale: 3, default: '1.05', unique: false },
      exact: { kind: 'decimal', min: -1, max: 1, scale: 0, default: -1 },
    },
    access: owned,
  },
  'dates in a text, by their day': {
    fields: {
      owner,
      held: { kind: 'date', default: '2030-01-31T23:59:59Z' },
      label: { kind: 'computed', text: 'held on {held}, noted {date_created}' },
    },
    access: owned,
  },
  'fields filled in rows that are there': {
    fields: {
      game,
      name: { ...text, required: true },
      title: { ...text, required: true, fill: { copy: 'name' } },
      label: { ...text, fill: { copy: 'game.name' } },
      size: { kind: 'integer', required: true, fill: 3 },
      grade: { kind: 'decimal', default: 1, fill: 2.5 },
      shape: { kind: 'json', fill: { copy: ['not', 'a', 'name'] } },
      given: { ...text, required: true, fill: { words: 'name', part: 'first' } },
      family: { ...text, fill: { words: 'name', part: 'rest' } },
      full: { ...text, max: 2000, required: true, fill: { join: ['name', 'hue'], with: ', ' } },
      hue: text,
      maker: { kind: 'reference', to: 'person', required: true, need: 'exists', fill: { copy: 'game.owner' } },
    },
    access: within,
  },
  'records that are made with it, and counted': {
    fields: {
      owner,
      bag: {
        kind: 'reference',
        make: { name: 'first', size: 3, soft: true, weight: 0.5, held: '2030-01-31T12:00:00Z' },
        describe: false,
      },
      spare: { kind: 'reference', to: 'bag', make: { name: 'spare', size: 1 }, view: 'editor' },
      bags: { kind: 'computed', count: 'bags' },
    },
    access: owned,
  },
  'a create for anyone, of a record that belongs to its creator unless it says whose it is': {
    operations: { create: 'anyone' },
    fields: { owner, name: text },
    access: owned,
  },
  'a reference inside, beside the one that decides the owner': {
    fields: { game, other: { kind: 'reference', to: 'part', required: true, need: 'edit', inside: true } },
    access: within,
  },
  'members of the record itself': {
    fields: { owner, name: text, secret: { ...text, view: 'editor' } },
    access: { read: 'anyone', edit: ['owner', { member: 'helper', by: 'piece' }] },
  },
  'a create that updates what exists': {
    operations: { create: { existing: 'update' }, fetch: true, update: true, delete: true },
    fields: { game: { kind: 'reference', parent: true }, part, count: { kind: 'integer', default: 1 } },
    unique: [['parent', 'part']],
    access: within,
  },
  'actions that set fields of several kinds, and their opposites': {
    fields: {
      game: { kind: 'reference', parent: true },
      open: { kind: 'boolean', read_only: true },
      size: { kind: 'integer', view: 'editor', default: 3 },
      held: { kind: 'day' },
      grade: { kind: 'decimal', set: 'admin' },
    },
    actions: {
      publish: {
        title: 'Publish',
        sets: { open: true, size: 5, held: '2030-01-31' },
        undo: { title: 'Withdraw', sets: { open: false, held: null } },
      },
      rate: { title: 'Rate', by: 'admin', sets: { grade: 7.5 } },
    },
    access: within,
  },
  'actions that copy, of what has parts with references to each other': {
    fields: {
      game: { kind: 'reference', parent: true },
      name: { ...text, max: 10, required: true },
      note: { ...text, set: 'admin', default: 'none' },
      seal: { ...text, from: 'random' },
      maker: { kind: 'reference', to: 'person', from: 'session.user', need: 'exists' },
      open: { kind: 'boolean', read_only: true },
      face: { kind: 'image' },
      held: { kind: 'day', default: '2030-01-31' },
      like: { kind: 'reference', to: 'piece', need: 'exists', on_delete: 'set_null' },
    },
    actions: {
      publish: { title: 'Publish', sets: { open: true, held: '2030-02-01' } },
      copy: { title: 'Copy', copies: 'name' },
    },
    access: within,
  },
  'D54: rows of a catalogue with attributes of their own, sizes that do not follow, and pieces': {
    extends: 'listed',
    identities: {
      Sheet36: { size: '60x1500', catalogue: { active: false, finished_inches: [1, 2, 3] } },
      "o'clock / 9": { catalogue: { groups: ['<b>', { of: 2 }] } },
      Gone: { catalogue: false, deprecated: '2030-01-31' },
      USPlan: { size: '825x1125', title: 'Plan' },
    },
    catalogue: { title: '{words} ({digits} sheets)', groups: ['all'], weight: 2.5 },
    fields: { owner, front_side: { kind: 'image' }, plan: { kind: 'image', proof: false }, cover: { kind: 'image' } },
    access: owned,
  },
  'F49: a date that is unique': {
    fields: { owner, held: { kind: 'date', required: true, unique: true } },
    access: owned,
  },
  'days: required, unique, with a default, filtered, ordered by and copied': {
    fields: {
      owner,
      held: { kind: 'day', required: true, unique: true, filter: true },
      until: { kind: 'day', default: '2030-01-31' },
      again: { kind: 'day' },
      shown: { kind: 'computed', copy: 'held' },
    },
    order: ['held'],
    access: owned,
  },
  [PATHS]: {
    fields: {
      owner: { ...owner, unique: 'of' },
      name: { ...text, required: true, unique: 'named' },
      number: { kind: 'integer', unique: 'number' },
      held: { kind: 'date', unique: 'held' },
      due: { kind: 'day', unique: 'due', set: 'admin' },
      site: { kind: 'url', unique: 'site' },
      weight: { kind: 'decimal', unique: 'weight' },
      other: { kind: 'reference', to: 'part', need: 'exists', unique: 'by_other' },
      word: { ...text, from: 'random', unique: 'word' },
      none: { ...text, read_only: true, unique: 'none' },
    },
    access: { read: ['owner'], edit: ['owner'], hidden: true },
    old_names: ['oldpiece'],
  },
  [READABLE]: {
    fields: { owner, next: { kind: 'reference', to: 'piece', need: 'edit' } },
    access: { edit: ['owner'], hidden: true },
  },
  'filters by what callers cannot send': {
    fields: {
      owner,
      size: { kind: 'integer', read_only: true, filter: 'range', default: 3 },
      open: { kind: 'boolean', read_only: true, filter: true, default: true },
      held: { kind: 'date', read_only: true, filter: 'range', default: '2030-01-31T12:00:00Z' },
      due: { kind: 'day', read_only: true, filter: 'range', default: '2030-01-31' },
      grade: { kind: 'decimal', read_only: true, filter: true, default: '1.50' },
      state: { kind: 'enum', values: ['new', 'old'], read_only: true, filter: true, default: 'new' },
      maker: { kind: 'reference', to: 'person', from: 'session.user', need: 'exists', filter: true },
    },
    access: owned,
    operations: { list: 'anyone' },
  },
  'an action that sets what decides whether few values are unique': {
    fields: {
      owner,
      place: { kind: 'integer', min: 9, max: 11, required: true },
      state: { ...text, required: true, default: 'waiting' },
    },
    unique: [{ fields: ['place'], where: { state: 'here' } }],
    actions: { seat: { title: 'Seat', by: 'admin', sets: { state: 'here' } } },
    access: owned,
  },
  'an action that sets what decides whether numbers without an end are unique': {
    fields: {
      owner,
      place: { kind: 'integer', min: 9, required: true },
      state: { ...text, required: true, default: 'waiting' },
    },
    unique: [{ fields: ['place'], where: { state: 'here' } }],
    actions: { seat: { title: 'Seat', by: 'admin', sets: { state: 'here' } } },
    access: owned,
  },
  'F49: set by administrators alone': {
    fields: {
      owner,
      grade: { ...text, required: true, set: 'admin' },
      cover: { kind: 'image', set: 'admin' },
      plan: { kind: 'file', set: 'admin', required: true },
      patron: { kind: 'reference', to: 'person', need: 'exists', set: 'admin' },
    },
    access: owned,
  },
  'F49: JSON whose schema requires a property': {
    fields: {
      owner,
      size: {
        kind: 'json',
        required: true,
        schema: { type: 'object', required: ['x'], properties: { x: { type: 'integer', minimum: 1 } } },
      },
    },
    access: owned,
  },
  'F49: all again, beside what is not shown and what administrators set': {
    operations: { create: true, fetch: true, update: { required: 'all' }, delete: true },
    fields: {
      owner,
      secret: { ...text, view: 'nobody' },
      once: { kind: 'date', default: '2030-01-31T12:00:00Z', view: 'created' },
      cover: { kind: 'image', set: 'admin' },
      front: { kind: 'image' },
      open: { kind: 'boolean' },
    },
    access: owned,
  },
  [N17]: {
    title: ODD.join(' '),
    summary: ODD.join(' '),
    identities: WORDS,
    fields: {
      game: { ...game, lists: { odd: { where: { word: "' | '" } }, back: { where: { word: '\\', two: 'A | B' } } } },
      word: { kind: 'enum', values: WORDS, default: 'A | B', filter: true, description: ODD.join(' ') },
      three: { kind: 'enum', values: ["'", "' | '", '\\'], required: true },
      two: { kind: 'enum', values: ['A | B', 'C'] },
      copied: { kind: 'computed', copy: 'word' },
    },
    unique: [['game', 'word', 'identity']],
    actions: { mark: { title: '*/', sets: { word: '*/ //' }, undo: { title: '`', sets: { word: "\\'" } } } },
    access: within,
  },
  'a list for everyone who is logged in': {
    operations: { list: 'session' },
    fields: { owner, name: text },
    access: owned,
  },
  'hidden records that anyone may try to change': {
    operations: { update: 'anyone', delete: 'anyone' },
    fields: { owner, name: text },
    actions: { mark: { title: 'Mark', by: 'admin', sets: { name: 'marked' } } },
    access: { read: ['owner'], edit: ['owner'], hidden: true },
  },
  'read by everyone who may read what it refers to, and many at a time whose names differ': {
    fields: { game: { ...game, bulk: true }, name: { ...text, required: true, unique: true } },
    access: { read: [{ read: 'game' }], edit: ['game'] },
  },
  'unique among those that are not done, with ranges': {
    fields: {
      game,
      name: text,
      code: { kind: 'integer', filter: 'range' },
      done: { kind: 'day', filter: 'range' },
      held: { kind: 'date', filter: 'range', read_only: true },
    },
    unique: [
      { fields: ['game', 'name'], where: { done: null } },
      { fields: ['code'], where: { done: null, held: null } },
    ],
    access: within,
  },
  // These are seeds 3017, 12001, 30012, 36015, 3023, 12005, 12009 and 3025 of the random domains.
  'made by anyone but for what administrators send': {
    operations: { create: 'anyone' },
    fields: { owner, code: { kind: 'integer', required: true, set: 'admin' } },
    access: owned,
  },
  'a file that administrators send': {
    fields: { game, plan: { kind: 'file', set: 'admin' }, sketch: { kind: 'file' } },
    access: within,
  },
  'members who send everything, whose files are their own': {
    operations: { update: { required: 'all' } },
    fields: { game, plan: { kind: 'file', required: true, view: 'nobody' }, name: text },
    access: { read: 'anyone', edit: [{ member: 'helper', by: 'piece' }] },
  },
  'a value that nobody is shown and no two records have': {
    operations: { create: 'admin', update: 'admin', delete: 'admin' },
    fields: { since: { kind: 'date', required: true, unique: true, view: 'nobody' } },
    access: { read: 'anyone', edit: [] },
  },
  'a copy of what users seldom send': {
    fields: { owner, nick: { kind: 'computed', copy: 'owner.nick' } },
    access: owned,
  },
  'many at a time that may not be many in one list': {
    fields: { game: { ...game, bulk: true }, row: { kind: 'integer', max: 856, required: true } },
    unique: [['row', 'game']],
    access: within,
  },
  'many at a time that differ by a text': {
    fields: { game: { ...game, bulk: true }, name: { ...text, required: true } },
    unique: [['name', 'game']],
    access: within,
  },
  'read in two ways by the same callers': {
    fields: { game, name: text },
    access: { read: ['game', { read: 'game' }], edit: ['game'], hidden: true },
  },
  [INHERITED]: { resource: 'constructor', fields: { owner, name: text }, access: owned },
  'in the order of a text that not all have': { fields: { owner, name: text }, order: ['name'], access: owned },
};

/** The members of the piece under test, for the case of members only. */
const HELPER = {
  fields: {
    piece: { kind: 'reference', parent: true },
    person: { kind: 'reference', required: true, need: 'exists', on_delete: 'cascade' },
  },
  access: { edit: ['piece'] },
};

/** A record that is created with a piece. */
const BAG = {
  fields: {
    piece: { kind: 'reference', parent: true },
    name: { ...text, required: true },
    size: { kind: 'integer', required: true, min: 1 },
    soft: 'boolean',
    weight: 'decimal',
    held: 'date',
  },
};

/** What the catalogue lists, and the pieces of the piece under test, for the case of a catalogue only. */
const LISTED = {
  conventions: { listed: {} },
  catalogue: {
    path: '/api/shop/things',
    of: 'listed',
    attributes: {
      active: { kind: 'boolean', default: true },
      groups: { kind: 'json', default: [] },
      weight: { kind: 'decimal', scale: 1 },
      finished_inches: { kind: 'json', schema: { type: 'array', items: { type: 'number' } } },
      note: 'text',
    },
  },
};
const CHIP = {
  fields: { piece: { kind: 'reference', parent: true }, inner: { kind: 'image' }, cover: { kind: 'image' } },
};

/** The resource under test. */
function nameOf({ resource = 'piece' }: { readonly resource?: string }): string {
  return resource;
}

function spec(keys: object): readonly SourceFile[] {
  const named = (name: string) => JSON.stringify(keys).includes(`"${name}"`);
  const used = Object.entries({ helper: HELPER, bag: BAG }).filter(([name]) => named(name));
  const chip = named('listed') ? { chip: CHIP } : {};
  const around = { ...AROUND, ...Object.fromEntries(used), ...chip };
  const resources = Object.entries({ ...around, [nameOf(keys)]: keys }).map(([resource, own]) => {
    const whole = { resource, title: resource, summary: resource, plural: `${resource}s`, ...own };
    return sourceFile(`spec/resources/${resource}.yaml`, stringify(whole, { aliasDuplicateObjects: false }));
  });
  const conventions = { title: 'T', version: '1.0.0', summary: 'T', ...(named('listed') ? LISTED : {}) };
  return [sourceFile('spec/conventions.yaml', stringify(conventions)), ...resources];
}

/** The cases that PostgreSQL stores as well. */
const ON_BOTH = [N17, PATHS, READABLE];
const TRIED = Object.keys(CASES).filter(
  (title, at) => [...ON_BOTH, INHERITED].includes(title) || at % count(3, 1) === 0,
);

const folder = temporaryFolder('correct');
const domains = new Map<string, Domain>();
beforeAll(() => {
  prepare(folder);
  for (const [at, title] of TRIED.entries()) {
    const domain = makeDomain(at, folder, spec(CASES[title] ?? {}));
    if (domain === null) throw new Error(`${title}: check finds mistakes`);
    domains.set(title, domain);
  }
  expect(compileAll([...domains.values()])).toBe('');
});

test.each(TRIED)('%s', async (title) => {
  expect(await wrongIn(domains.get(title) as Domain, nameOf(CASES[title] ?? {}))).toEqual([]);
});

onPostgres(() => {
  // The texts of a descriptor become SQL on PostgreSQL too.
  test.each(ON_BOTH)('%s', async (title) => {
    expect(await wrongIn(domains.get(title) as Domain, nameOf(CASES[title] ?? {}))).toEqual([]);
  });
});
