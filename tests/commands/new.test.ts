// `new`: the descriptor that it writes passes check immediately, and nothing is ever overwritten.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSpec } from '../../generator/commands/check.js';
import { newDescriptor } from '../../generator/commands/new.js';
import { count } from '../support/counts.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { filesOf } from './example.js';

const folder = temporaryFolder('new');

let specs = 0;

/** A spec folder with the files of an example. */
function specOf(example: string): string {
  const root = join(folder, String(specs++));
  writeFiles(root, filesOf(example));
  return join(root, 'spec');
}

function written(spec: string, name: string): string {
  return readFileSync(join(spec, 'resources', `${name}.yaml`), 'utf8');
}

const clean = (spec: string) => checkSpec({ spec, format: 'text' }, false);
const GAME = `# spec/resources/game.yaml
resource: game
title: Game
summary: A game.
plural: games
fields:
  user: { kind: reference, to: user, default: session.user, place: true }
`;

describe('a blank descriptor', () => {
  const spec = specOf(GAME);
  const result = newDescriptor('story', { spec });

  test('is written', () => {
    expect(result).toEqual({
      code: 0,
      stdout: `created ${spec}/resources/story.yaml\n1 line is marked TODO\n`,
      stderr: '',
    });
    expect(written(spec, 'story')).toContain('\ntitle: Story\n');
    expect(written(spec, 'story')).toContain('\nplural: stories\n');
  });
  test('passes check', () => expect(clean(spec)).toMatchObject({ code: 0, stderr: '' }));
  test('is not overwritten', () => {
    const before = written(spec, 'story');
    expect(newDescriptor('story', { spec })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${spec}/resources/story.yaml already exists; nothing was written\n`,
    });
    expect(written(spec, 'story')).toBe(before);
  });
});

describe('refused', () => {
  const spec = specOf(GAME);
  test.each(['Story', 'two words', '1st', 'box_top', '', 'a'.repeat(61), '../up', 'class'])('name %j', (name) => {
    const before = readdirSync(join(spec, 'resources'));
    const result = newDescriptor(name, { spec });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(`"${name}" cannot be the name of a resource`);
    expect(readdirSync(join(spec, 'resources'))).toEqual(before);
  });
  test('an unknown resource to copy from', () => {
    expect(newDescriptor('story', { spec, like: 'gmae' }).stderr).toBe(
      'There is no resource "gmae" to copy; did you mean "game"?\n',
    );
  });
  test('a folder that does not exist', () =>
    expect(newDescriptor('story', { spec: join(folder, 'none') }).code).toBe(2));
  test('a name that clashes with another resource', () => {
    const taken = specOf(
      `${GAME}# spec/resources/zebra.yaml\nresource: zebra\ntitle: Zebra\nsummary: One.\nplural: zebras\nfields:\n  user: { kind: reference, to: user, list: stories }\n`,
    );
    const result = newDescriptor('story', { spec: taken });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('E0309');
    expect(existsSync(join(taken, 'resources/story.yaml'))).toBe(false);
  });
});

/** The long run tries all resources. */
const SHORT = ['file', 'gamedownload', 'receipt', 'scorepad', 'user'];

describe('like', () => {
  test('resources of this project', () => {
    const spec = join(folder, 'project', 'spec');
    cpSync(join(ROOT, 'spec'), spec, { recursive: true });
    const names = readdirSync(join(spec, 'resources')).map((file) => file.replace('.yaml', ''));
    const some = names.filter((name) => SHORT.includes(name) || count(0, 1) === 1);
    const failed = some.filter((name) => newDescriptor(`other${name}`, { spec, like: name }).code !== 0);
    expect(failed).toEqual([]);
    expect(clean(spec)).toEqual({
      code: 0,
      stdout: `No mistakes in ${names.length + some.length + 2} files.\n`,
      stderr: '',
    });
  });

  test('fields and comments are taken over', () => {
    const spec = specOf(
      `${GAME}# spec/resources/piece.yaml
resource: piece
title: Piece
summary: One.
plural: pieces
type_name: Piece
identities: [Small, Large]
fields:
  # What it says on the box.
  name: { kind: text, max: 40 }
  game:
    kind: reference
    to: game
    list: parts
    lists: { smalls: { where: { identity: Small } } }
paths: { fetch: /piece }
`,
    );
    expect(newDescriptor('token', { spec, like: 'piece' }).code).toBe(0);
    expect(written(spec, 'token')).toBe(`# Not copied from piece: type_name, paths.
title: Token
summary: One token. # TODO one sentence, which becomes documentation
# TODO the variants; each record is one of them
identities: [Token]
fields:
  # What it says on the box.
  name: { kind: text, max: 40 }
  game:
    kind: reference
    to: game
    list: tokens_by_game
`);
    expect(clean(spec).code).toBe(0);
  });
});
