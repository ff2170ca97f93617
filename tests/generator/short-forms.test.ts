// Short forms of fields and their long forms generate the same files and the same numbers.

import { type Generation, generate } from '../../generator/generate.js';
import type { SourceFile } from '../../generator/load/load.js';
import { withoutIdentity } from '../support/identified.js';

const KIT = '../runtime/contract/kit.js';

const BASE: Readonly<Record<string, string>> = {
  user: 'principal: true\nfields: { username: { kind: text, required: true }, password: password }\n',
  file: `upload: { part: file, max_bytes: 1000 }
fields:
  user: { kind: reference, default: session.user, place: true }
  name: { kind: text, default: upload.name }
access: { edit: [user] }
`,
  set: `identities: [Small, Large]
fields:
  user: { kind: reference, to: user, default: session.user, place: true }
  name: { kind: text, required: true }
access: { edit: [user] }
`,
};

/** All that gen writes, except the facts about the descriptors, whose order differs. */
function outputsOf(conventions: string, piece: string): Readonly<Record<string, string>> {
  const files = Object.entries({ ...BASE, piece }).map(([name, keys]) => ({
    path: `spec/resources/${name}.yaml`,
    text: `resource: ${name}\ntitle: T\nsummary: S.\nplural: ${name}s\n${keys}`,
  }));
  const head = 'title: T\nversion: 1.0.0\nsummary: S.\n';
  const all: readonly SourceFile[] = [...files, { path: 'spec/conventions.yaml', text: head + conventions }];
  const generation: Generation = generate({ files: all, ledger: null }, KIT);
  if (!generation.ok) throw new Error(JSON.stringify(generation.diagnostics, null, 2));
  const compared = [...withoutIdentity(generation), ...generation.specOutputs].filter(
    ({ path }) => !path.startsWith('tests/') && path !== 'descriptor.schema.json',
  );
  return Object.fromEntries(compared.map(({ path, text }) => [path, text]));
}

interface Pair {
  readonly form: string;
  readonly conventions?: string;
  readonly short: string;
  readonly long: string;
}

const PARENT = 'required: true, need: edit, on_delete: cascade, place: true';

const PAIRS: readonly Pair[] = [
  {
    form: 'a reference named after its target',
    short: 'fields: { set: reference }\n',
    long: 'fields: { set: { kind: reference, to: set } }\n',
  },
  {
    form: 'parent',
    short: 'fields: { set: { kind: reference, parent: true } }\n',
    long: `fields: { set: { kind: reference, to: set, ${PARENT}, list: true } }\naccess: { edit: [set] }\n`,
  },
  {
    form: 'parent with keys of its own, and the word parent in a copy, a right, a unique set and the order',
    short: `fields:
  pack: { kind: reference, to: set, parent: true, list: members, on_delete: restrict }
  style: { kind: computed, copy: parent.identity }
  number: { kind: integer, default: 1 }
  parents: text
unique: [[parent, number]]
order: [parent, number]
access: { read: [editor], edit: [parent], peek: [parent] }
`,
    long: `fields:
  pack: { kind: reference, to: set, required: true, need: edit, on_delete: restrict, place: true, list: members }
  style: { kind: computed, copy: pack.identity }
  number: { kind: integer, default: 1 }
  parents: text
unique: [[pack, number]]
order: [pack, number]
access: { read: [editor], edit: [pack], peek: [pack] }
`,
  },
  {
    form: 'place: false, which changes nothing for a reference inside',
    short:
      'fields: { user: { kind: reference, parent: true }, set: { kind: reference, place: false, inside: true } }\n',
    long: 'fields: { user: { kind: reference, parent: true }, set: { kind: reference, inside: true } }\n',
  },
  {
    form: 'parent: false over a convention',
    conventions: 'conventions: { member: { fields: { set: { kind: reference, parent: true } } } }\n',
    short: 'extends: member\nfields: { set: { parent: false, list: true } }\n',
    long: 'extends: member\nfields: { set: { parent: false, to: set, list: true } }\naccess: {}\n',
  },
  {
    form: 'several incomplete conventions, and null',
    conventions: `conventions:
  named: { fields: { name: { kind: text, required: true, max: 255 }, note: text }, order: [name] }
  placed: { fields: { pack: { kind: reference, parent: true, description: Pack. } }, access: { read: [parent] } }
`,
    short: 'extends: [named, placed]\nfields: { note: null, pack: { to: set }, name: { max: 60 } }\n',
    long: `extends: [named, placed]
order: [name]
fields:
  name: { kind: text, required: true, max: 60 }
  note: null
  pack: { kind: reference, to: set, ${PARENT}, list: true, description: Pack. }
access: { read: [pack], edit: [pack] }
`,
  },
  {
    form: 'repeated fields of any kind, their number in every text, and keys beside them',
    conventions: 'conventions: { die: { fields: { "side{n}": { kind: image, description: "Side {n}." } } } }\n',
    short: `extends: die
fields:
  side{n}: { times: 3 }
  side2: { view: anyone, synonyms: [back] }
  note_{n}: { kind: text, times: 2, max: 30, default: "note {n}", synonyms: ["remark{n}"] }
  shown{n}: { kind: computed, times: 2, text: "{note_{n}} of {id}" }
  box{n}: { kind: reference, to: set, times: 2, lists: { "small{n}": { where: { note_1: "{n}" } } } }
`,
    long: `extends: die
fields:
  side{n}: null
  side1: { kind: image, description: Side 1. }
  side2: { kind: image, description: Side 2., view: anyone, synonyms: [back] }
  side3: { kind: image, description: Side 3. }
  note_1: { kind: text, max: 30, default: note 1, synonyms: [remark1] }
  note_2: { kind: text, max: 30, default: note 2, synonyms: [remark2] }
  shown1: { kind: computed, text: "{note_1} of {id}" }
  shown2: { kind: computed, text: "{note_2} of {id}" }
  box1: { kind: reference, to: set, lists: { small1: { where: { note_1: "1" } } } }
  box2: { kind: reference, to: set, lists: { small2: { where: { note_1: "2" } } } }
`,
  },
];

describe('a short form generates what it stands for', () => {
  test.each(PAIRS.map((pair) => [pair.form, pair] as const))('%s', (_, { conventions = '', short, long }) => {
    expect(outputsOf(conventions, short)).toEqual(outputsOf(conventions, long));
  });

  test('a long form of another meaning differs', () => {
    const [, parent] = PAIRS;
    const other = parent?.long.replace('on_delete: cascade', 'on_delete: restrict') ?? '';
    expect(outputsOf('', parent?.short ?? '')).not.toEqual(outputsOf('', other));
  });
});
