// The project's own descriptors, how they are merged, and how mistakes in them are printed.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { RULES } from '../../generator/check/check.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { print } from '../../generator/diagnostics/print.js';
import { suggest } from '../../generator/diagnostics/suggest.js';
import { descriptorSchema, editorSchema, NO_NAMES } from '../../generator/form/descriptor-schema.js';
import type { Ledger } from '../../generator/ledger/ledger.js';
import type { SourceFile } from '../../generator/load/load.js';
import { diagnose, projectFiles, ROOT } from './project-files.js';

const files = projectFiles();
const textOf = (sources: readonly SourceFile[]) => new Map(sources.map(({ path: at, text }) => [at, text]));

test('the descriptors of this project have no diagnostics', () => {
  expect(print(diagnose(files), textOf(files))).toBe('');
});

test('F46: removals are reported, and a probable rename is suggested', () => {
  const ledger = JSON.parse(readFileSync(path.join(ROOT, 'spec/ledger.json'), 'utf8')) as Ledger;
  const edited = files.map(({ path: at, text }) => ({
    path: at,
    text: at.endsWith('apikey.yaml')
      ? text.replace(/^ {2}reason:/m, '  reasons:').replace(/^ {2}uri:/m, '  uri_id:')
      : text,
  }));
  const { diagnostics } = compileSpec({ files: edited, ledger });
  expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
    ['W0604', '"uri_id" is new and "uri" is gone', 'if it was renamed, write "was: uri", and it keeps its values'],
    [
      'W0604',
      '"reasons" is new and "reason" is gone',
      'if it was renamed, write "was: reason", and it keeps its values',
    ],
  ]);
  expect(compileSpec({ files, ledger }).diagnostics).toEqual([]);
});

describe('merging', () => {
  const { spec } = compileSpec({ files: files, ledger: null });
  const named = (name: string) => spec.resources.find(({ resource }) => resource === name);

  test('resources are sorted by name', () => {
    const names = spec.resources.map(({ resource }) => resource);
    expect(names).toEqual([...names].sort());
    expect(names).toContain('twosidedsluggedset');
  });
  test('the fields of the convention come first', () => {
    expect([...(named('twosidedbox')?.fields.keys() ?? [])]).toEqual([
      'identity',
      'name',
      'game',
      'quantity',
      'top',
      'bottom',
    ]);
  });
  test('a resource can override one key of a field', () => {
    expect(named('bookletpage')?.fields.get('sequence_number')).toMatchObject({
      kind: 'integer',
      min: 1,
      max: 20,
      default: 1,
    });
  });
  test('access is merged key by key', () => {
    expect([...(named('designer')?.access.rights ?? [])]).toEqual([
      ['read', ['anyone']],
      ['edit', ['user']],
    ]);
  });
  test('a condition has the value that its column stores', () => {
    const dated = files.map(({ path: at, text }) => ({
      path: at,
      text: at.endsWith('receipt.yaml')
        ? text.replace('list: true', 'lists: { old: { where: { date_created: "2030-01-31T12:00:00Z" } } }')
        : text,
    }));
    const compiled = compileSpec({ files: dated, ledger: null });
    const lists = compiled.ok ? compiled.model.resources.flatMap((resource) => resource.lists) : [];
    expect(lists).toContainEqual(expect.objectContaining({ name: 'old', where: { date_created: 1896091200000 } }));
  });
  test('a single path becomes a list', () => {
    expect(named('gamedownload')?.paths).toEqual({ fetch: ['/api/download'] });
  });
  test('the order of files does not matter', () => {
    const shuffled = compileSpec({ files: [...files].reverse(), ledger: null }).spec;
    expect(shuffled).toEqual(spec);
  });
});

describe('print', () => {
  test('shows position, line, carets, suggestion and count', () => {
    const text = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\nfields:\n\tx: 1\n';
    const typo = 'resource: boxtop\ntitle: Box top\nsummary: Box.\nplural: boxtops\nextends: compnent\n';
    const changed = [
      ...files.filter(({ path: at }) => at !== 'spec/resources/boxtop.yaml'),
      { path: 'spec/resources/piece.yaml', text },
      { path: 'spec/resources/boxtop.yaml', text: typo },
    ];
    expect(print(diagnose(changed), textOf(changed))).toBe(
      [
        'spec/resources/boxtop.yaml:5:10: error E0304: unknown convention "compnent"',
        '5 | extends: compnent',
        '  |          ^^^^^^^^',
        '  = did you mean "component"?',
        '',
        'spec/resources/piece.yaml:6:1: error E0103: a tab is used for indentation',
        '6 | \tx: 1',
        '  | ^',
        '  = indent with spaces',
        '',
        '2 errors in 2 files',
        '',
      ].join('\n'),
    );
  });
  test('columns count characters, not UTF-16 units', () => {
    const text =
      'resource: piece\ntitle: Piece\nsummary: 😀\nplural: pieces\nfields: { a: { description: 😀, kind: txt } }\n';
    const changed = [...files, { path: 'spec/resources/piece.yaml', text }];
    expect(print(diagnose(changed), textOf(changed))).toContain('spec/resources/piece.yaml:5:38: error E0203');
  });
  test('prints nothing without diagnostics', () => expect(print([], new Map())).toBe(''));
});

test.each([
  ['kind', ['king', 'colour'], 'king'],
  ['nmae', ['name', 'note'], 'name'],
  ['Name', ['name'], 'name'],
  ['game', ['xylophone'], null],
  ['x', [], null],
  ['mn', ['min', 'max'], 'min'],
])('suggestion for %s among %j', (word, names, wanted) => expect(suggest(word, names)).toBe(wanted));

test('every rule is a sentence', () => {
  const sentences = Object.keys(RULES);
  expect(sentences.length).toBeGreaterThan(45);
  for (const sentence of sentences) expect(sentence).toMatch(/^\S+ .*\S$/);
});

describe('descriptor schema', () => {
  const names = {
    resources: ['game', 'file'],
    conventions: ['component'],
    events: ['ItemSold'],
    references: ['owner'],
  };
  const schema = editorSchema(names);

  test('is valid draft 07', () => {
    expect(addFormats(new Ajv({ strict: false })).validateSchema(schema)).toBe(true);
  });
  test('knows the names of the project', () => {
    const validate = addFormats(new Ajv({ strict: false })).compile(schema);
    const descriptor = (to: string, base: string) => ({
      resource: 'piece',
      title: 'Piece',
      summary: 'One.',
      plural: 'pieces',
      extends: base,
      fields: { owner: { kind: 'reference', to } },
    });
    expect(validate(descriptor('game', 'component'))).toBe(true);
    expect(validate(descriptor('gmae', 'component'))).toBe(false);
    expect(validate(descriptor('game', 'part'))).toBe(false);
  });
  test('refuses keys that do not fit the kind', () => {
    const validate = addFormats(new Ajv({ strict: false })).compile(schema);
    const descriptor = (field: object) => ({ title: 'Piece', summary: 'One.', fields: { top: field } });
    expect(validate(descriptor({ kind: 'image', proof: false }))).toBe(true);
    expect(validate(descriptor({ kind: 'image', min: 1 }))).toBe(false);
    // The kind may come from a convention.
    expect(validate(descriptor({ min: 1 }))).toBe(true);
    expect(validate(descriptor({ mni: 1 }))).toBe(false);
  });
  test('every key is explained', () => {
    const { properties, definitions } = descriptorSchema(names) as Record<
      string,
      Record<string, Record<string, unknown>>
    >;
    const field = definitions?.field_map?.properties as Record<string, { description?: string }>;
    for (const [key, { description }] of Object.entries({ ...properties, ...field })) {
      expect([key, typeof description]).toEqual([key, 'string']);
    }
  });
});

describe('spec/README.md', () => {
  const page = readFileSync(path.join(ROOT, 'spec/README.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)];
  const examples = blocks.map(([, at = '', text = '']) => ({ path: at, text }));

  test('its examples form a project without diagnostics', () => {
    expect(examples.length).toBeGreaterThan(3);
    expect(print(diagnose(examples), textOf(examples))).toBe('');
  });
  test('it names every key', () => {
    const schema = descriptorSchema(NO_NAMES);
    const { properties, definitions } = schema as Record<string, Record<string, Record<string, unknown>>>;
    const keys = [...Object.keys(properties ?? {}), ...Object.keys(definitions?.field_map?.properties ?? {})];
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });
});
