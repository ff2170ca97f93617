// What an editor shows for descriptors: no problems in the existing ones, fitting completions, and helpful texts.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import { type EditorHelp, type LanguageServer, startLanguageServer } from './language-server.js';

const FOLDER = join(ROOT, 'spec', 'resources');
const HEAD = '# yaml-language-server: $schema=../descriptor.schema.json\ntitle: Crate\nsummary: A crate.\n';

/** A text with `|` for the cursor, and a check of what the editor shows there. */
type Row = readonly [text: string, check: (shown: EditorHelp) => void];

const offers = (text: string, ...labels: readonly string[]): Row => [
  text,
  ({ offered }) => assert.deepEqual([...offered.keys()], labels),
];
const explains = (text: string, label: string, expected: RegExp = /^/): Row => [
  text,
  ({ offered }) => {
    assert.ok(offered.has(label), `${text} does not offer ${label}`);
    assert.match(offered.get(label) ?? '', expected);
  },
];
const says = (text: string, expected: RegExp, unexpected: RegExp): Row => [
  text,
  ({ hover }) => {
    assert.match(hover, expected);
    assert.doesNotMatch(hover, unexpected);
  },
];
const refuses = (text: string, expected: RegExp): Row => [
  text,
  ({ problems }) => assert.match(problems.join('\n'), expected),
];

const NOISE = /Descriptor|\(D\d+|a name/;
const MADE = /`top_id` and `has_proofed_top`/;
// biome-ignore format: one kind a line
const OF_ALL = ['description', 'times', 'required', 'example', 'read_only', 'view', 'set', 'synonyms', 'shown_as', 'filter', 'unique', 'was', 'deprecated', 'sunset'];
const WHO = ['true', 'false', 'anyone', 'session', 'admin'];

const ROWS: readonly Row[] = [
  explains('fields:\n  top: |', 'image', MADE),
  explains('fields:\n  top:\n    kind: |', 'image', MADE),
  explains('fields:\n  top: { kind: i| }', 'image', MADE),
  explains('fields:\n  top: { kind: image, p| }', 'proof', /has_proofed/),
  offers('fields:\n  top: { kind: image, p| }', ...OF_ALL, 'on_delete', 'types', 'proof'),
  offers('fields:\n  top:\n    kind: image\n    |', ...OF_ALL, 'on_delete', 'types', 'proof'),
  explains('fields:\n  set: { t| }', 'proof', /has_proofed/),
  explains('fields:\n  box: { kind: reference, to: b| }', 'boxtop', /refers|points/),
  explains('extends: |', 'component'),
  offers('operations: { c| }', 'create', 'fetch', 'update', 'delete', 'list'),
  offers('operations: { create: a| }', ...WHO),
  offers('access: { read: a| }', 'anyone'),
  offers('access: { read: [{ m| }] }', 'member'),
  explains('access: { edit: [ | ] }', 'designer'),
  explains('access:\n  edit:\n    - |', 'designer'),
  refuses('fields:\n  box: { kind: reference, to: boxtpo }|', /Valid values: .*"boxtop"/),
  says('fields:\n  top: { kind: im|age }', MADE, NOISE),
  says('fields:\n  size: { kind: text, requ|ired: true }', /Must be sent on create/, NOISE),
  says('fields:\n  box: { kind: reference, t|o: boxtop }', /Resource that the reference points to/, NOISE),
  refuses('fields:\n  top: { kind: image, min: 3 }|', /Property min is not allowed/),
  refuses('fields:\n  top: imag|', /Valid values: "text"/),
  refuses('operations: { create: nobody }|', /Valid values: true, false, "anyone"/),
];

export async function useEditor(tools: string): Promise<void> {
  const server = await startLanguageServer(tools);
  try {
    // The texts are sent together, since the server waits a moment before it validates a text.
    await Promise.all(readdirSync(FOLDER).map((file) => expectNoProblems(server, join(FOLDER, file))));
    await Promise.all(ROWS.map((row, at) => expectRow(server, join(FOLDER, `crate${at}.yaml`), row)));
  } finally {
    server.stop();
  }
}

async function expectRow(server: LanguageServer, path: string, [text, check]: Row): Promise<void> {
  const whole = `${HEAD}${text}\n`;
  const cursor = whole.indexOf('|');
  check(await server.show(path, whole.slice(0, cursor) + whole.slice(cursor + 1), cursor));
}

async function expectNoProblems(server: LanguageServer, path: string): Promise<void> {
  const { problems } = await server.show(path, readFileSync(path, 'utf8'), 0);
  assert.deepEqual(problems, [], path);
}
