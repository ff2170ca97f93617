// Where things come from and what lines make: a table made by hand on this project's descriptors, and both ways against each other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainDescriptorLine } from '../../generator/explain/descriptor-line.js';
import { explainGeneratedLine } from '../../generator/explain/generated-line.js';
import { pathAt } from '../../generator/explain/json-line.js';
import { explainName } from '../../generator/explain/name.js';
import { explainRoute } from '../../generator/explain/route.js';
import { routesOf } from '../../generator/explain/routes.js';
import { ranges } from '../../generator/explain/traces.js';
import type { Answer } from '../../generator/explain/words.js';
import { openWorkshop, type Workshop } from '../../generator/explain/workshop.js';
import { readSpec } from '../../generator/io.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';

const shop = open();

function open(): Workshop {
  const opened = openWorkshop(readSpec(join(ROOT, 'spec')), '../runtime/kit.js', (path) => path);
  if ('diagnostics' in opened) throw new Error('the spec has mistakes');
  return opened;
}

/** `spec/resources/boxtop.yaml:15`, the line that holds a text. */
function lineOf(file: string, text: string): string {
  const lines = readFileSync(join(ROOT, 'spec', file), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${file} has no ${text}`);
  return `spec/${file}:${at + 1}`;
}

const TOP = lineOf('resources/boxtop.yaml', '  top:');
const GAME = lineOf('resources/boxtop.yaml', '  game:');
const SHARED_GAME = lineOf('conventions.yaml', '      game:');
const SHARED_NAME = lineOf('conventions.yaml', 'description: Name of the component');
const SHARED_LIST = lineOf('conventions.yaml', '        list: true');

const outputs = new Map(shop.outputs.map(({ path, text }) => [path, text.split('\n')]));
const BOXTOP = 'resources/boxtop.ts';

/** Line number of the first line of an output that holds all the texts, in their order down the file. */
function at(path: string, ...texts: readonly string[]): number {
  const lines = outputs.get(path) ?? [];
  const line = texts.reduce((from, text) => lines.findIndex((one, index) => index >= from && one.includes(text)), 0);
  if (line < 0) throw new Error(`${path} has no ${texts.join(' … ')}`);
  return line + 1;
}

/** The places an answer names, as path:line. */
function places(answer: Answer): readonly string[] {
  const text = 'found' in answer ? answer.found : '';
  return [...text.matchAll(/^(spec\/\S+:\d+):\d+: /gm)].map(([, place]) => place ?? '');
}

const generated = (path: string, line: number): Answer => explainGeneratedLine(shop, { path, line, out: 'generated' });
const route = (method: string, path: string): Answer => explainRoute(shop, { method, path, out: 'generated' });
const descriptor = (place: string): Answer => {
  const [path = '', line] = place.split(':');
  return explainDescriptorLine(shop, { path, line: Number(line), out: 'generated' });
};
const unknown = (answer: Answer): string => ('unknown' in answer ? answer.unknown : '');

describe('names', () => {
  test.each([
    ['boxtop.top_id', [TOP], 'a column, a parameter, a property'],
    ['boxtop.has_proofed_top', [TOP], 'a column, a parameter, a property'],
    ['boxtop.top', [TOP], 'a property'],
    ['boxtop.game_id', [GAME, SHARED_GAME], 'a column, a parameter, a property'],
    ['boxtop.game', [GAME, SHARED_GAME], 'a related record'],
    ['boxtop.name', [SHARED_NAME], 'a column, a parameter, a property'],
    ['boxtop.identity', [lineOf('resources/boxtop.yaml', 'identities:')], 'a column, a parameter, a property'],
    ['boxtop.wing_object_type', [lineOf('resources/boxtop.yaml', 'type_field:')], 'a property'],
    ['boxtop.date_created', [lineOf('resources/boxtop.yaml', 'resource:')], 'a column, a property'],
    ['boxtop.bottom_id', [lineOf('resources/boxtop.yaml', 'ignores:')], 'a parameter that is ignored'],
    ['game.deckboxtopandsides', [lineOf('resources/boxtop.yaml', 'deckboxtopandsides')], 'a list'],
    ['game.boxtops', [SHARED_LIST], 'a list'],
    ['receipt.ship', [lineOf('resources/receipt.yaml', '  ship:')], 'an action'],
    ['scorepad.face_id', [lineOf('resources/scorepad.yaml', '  image:')], 'another name of a parameter'],
  ])('%s', (what, wanted, roles) => {
    const answer = explainName(shop, what);
    expect(places(answer)).toEqual(wanted);
    expect('found' in answer ? answer.found.split('\n')[0] : '').toBe(`${what}: ${roles}`);
  });
  test.each([
    ['boxtp', 'There is no resource "boxtp"; did you mean "boxtop"?'],
    ['boxtop.tpo_id', 'boxtop has no column, parameter, property, list or action "tpo_id"; did you mean "top_id"?'],
    ['boxtop.constructor', 'boxtop has no column, parameter, property, list or action "constructor"'],
  ])('unknown %s', (what, wanted) => expect(unknown(explainName(shop, what))).toBe(wanted));
});

describe('routes', () => {
  test('AreThoseOfTheApiDocument', () => {
    const document = JSON.parse((outputs.get('openapi.json') ?? []).join('\n')) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        // The tags of what no descriptor makes begin with a capital.
        .filter(([, { tags }]) => /^[a-z]/.test(tags[0] ?? ''))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect([...new Set(routesOf(shop).map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(
      documented.sort(),
    );
  });
  test('EachHasAPlaceAndCode', () => {
    const lost = routesOf(shop).filter(({ method, path }) => {
      const answer = route(method, path);
      return (
        places(answer).length === 0 ||
        !('found' in answer) ||
        !/served in +generated\/resources\/\w+\.ts:\d+\n/.test(answer.found)
      );
    });
    expect(lost).toEqual([]);
  });
  test.each([
    ['POST', '/api/boxtop', lineOf('resources/boxtop.yaml', 'resource:')],
    ['GET', '/api/boxtop/{id}', lineOf('resources/boxtop.yaml', 'resource:')],
    ['PUT', '/api/boxtop/0a1?name=x', lineOf('resources/boxtop.yaml', 'resource:')],
    ['HEAD', '/api/boxtop/:id/', lineOf('resources/boxtop.yaml', 'resource:')],
    ['POST', '/api/receipt', lineOf('resources/receipt.yaml', 'operations:')],
    ['GET', '/api/game/1/boxtops', SHARED_LIST],
    ['GET', '/api/game/1/deckboxtopandsides', lineOf('resources/boxtop.yaml', 'deckboxtopandsides')],
    ['POST', '/api/receipt/1/ship', lineOf('resources/receipt.yaml', '  ship:')],
    ['GET', '/api/download/1', lineOf('resources/gamedownload.yaml', 'paths:')],
  ])('%s %s', (method, path, wanted) => expect(places(route(method, path))).toEqual([wanted]));

  test('ParametersAndCode', () => {
    const answer = route('POST', '/api/boxtop');
    const said = 'found' in answer ? answer.found : '';
    expect(said).toContain(`parameters  identity: ${lineOf('resources/boxtop.yaml', 'identities:')}:1\n`);
    expect(said).toContain(`            name, required: ${SHARED_NAME}:7\n`);
    expect(said).toContain(`served in   generated/${BOXTOP}:${at(BOXTOP, 'function create(')}\n`);
  });
  test('TheServicesOwn', () => {
    expect(route('POST', '/api/session')).toEqual({
      found: 'POST /api/session: the service itself; no descriptor makes it\n',
    });
  });
  test.each([
    ['DELETE', '/api/boxtop', '/api/boxtop does not answer DELETE, only POST'],
    ['POST', '/api/boxtp', 'No route answers POST /api/boxtp; did you mean "/api/boxtop"?'],
    ['PATCH', '/api/boxtop/1', '/api/boxtop/1 does not answer PATCH, only GET, PUT, DELETE'],
  ])('unknown %s %s', (method, path, wanted) => expect(unknown(route(method, path))).toBe(wanted));
});

describe('generated lines', () => {
  test.each([
    ['a column of the row', BOXTOP, at(BOXTOP, 'export type BoxtopRow', '  top_id:'), [TOP]],
    ['a statement', BOXTOP, at(BOXTOP, 'INSERT INTO', '  @has_proofed_top'), [TOP]],
    [
      'a line before the last one',
      BOXTOP,
      at(BOXTOP, 'INSERT INTO', '  quantity,'),
      [lineOf('conventions.yaml', '      quantity:')],
    ],
    ['a handler', BOXTOP, at(BOXTOP, 'function create(', 'game_id:'), [GAME, SHARED_GAME]],
    ['a variant', BOXTOP, at(BOXTOP, "  | 'LargeStoutBoxTop'"), [lineOf('resources/boxtop.yaml', 'identities:')]],
    [
      'a right',
      BOXTOP,
      at(BOXTOP, "{ through: 'game_id'"),
      [lineOf('conventions.yaml', 'access: { read: anyone, edit: [game] }')],
    ],
    ['what is ignored', BOXTOP, at(BOXTOP, '  ignored:'), [lineOf('resources/boxtop.yaml', 'ignores:')]],
    ['a validator', 'validators/boxtop.ts', at('validators/boxtop.ts', '"/top_id",schemaPath'), [TOP]],
    ['a table', 'schema.sql', at('schema.sql', 'CREATE TABLE "boxtop"', '  "top_id"'), [TOP]],
    ['an index', 'schema.sql', at('schema.sql', '"boxtop_top_id_idx"'), [TOP]],
    ['the schema', 'schema.json', at('schema.json', '"name": "boxtop"', '"name": "top_id"', '"onDelete"'), [TOP]],
    [
      'the API document',
      'openapi.json',
      at('openapi.json', '"boxtop": {', '"has_proofed_top": {', '"description"'),
      [TOP],
    ],
    [
      'a path of it',
      'openapi.json',
      at('openapi.json', '"/api/receipt/{id}/ship"', '"summary"'),
      [lineOf('resources/receipt.yaml', '  ship:')],
    ],
    ['an event', 'events.ts', at('events.ts', 'ItemSold'), [lineOf('events.yaml', '  ItemSold:')]],
    [
      'a payload',
      'validators/_events.ts',
      at('validators/_events.ts', 'event1', 'data.item'),
      [lineOf('events.yaml', '  ItemSold:')],
    ],
    [
      'a function to write',
      'behaviour.ts',
      at('behaviour.ts', '    ship('),
      [lineOf('resources/receipt.yaml', '  ship:')],
    ],
    ['the index', 'index.ts', at('index.ts', 'definition as boxtop'), [lineOf('resources/boxtop.yaml', 'resource:')]],
  ])('%s', (_, path, line, wanted) => expect(places(generated(path, line))).toEqual(wanted));

  test('WhatEveryResourceHas', () => {
    expect(generated(BOXTOP, at(BOXTOP, '// Handlers'))).toEqual({
      found: `generated/${BOXTOP}:${at(BOXTOP, '// Handlers')}: // Handlers\n\nIt is the same for every resource; no key of spec/resources/boxtop.yaml makes it.\n`,
    });
  });
  test('BehindTheEnd', () =>
    expect(unknown(generated(BOXTOP, 9999))).toMatch(/^generated\/resources\/boxtop.ts has \d+ lines$/));
  test('NoSuchFile', () => {
    expect(unknown(generated('resources/boxtp.ts', 1))).toBe(
      'gen does not make generated/resources/boxtp.ts; did you mean "resources/boxtop.ts"?',
    );
  });
});

describe('lines of descriptors', () => {
  /** The lines an answer names in an output, one by one. */
  const made = (answer: Answer, path: string): readonly number[] => {
    const text = 'found' in answer ? answer.found : '';
    const found = new RegExp(`generated/${path.replace('.', '\\.')}: (.*)$`, 'm').exec(text)?.[1]?.split(', ') ?? [];
    return found.flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
  };

  test('AField', () => {
    const answer = descriptor(TOP);
    expect(places(answer)).toEqual([TOP]);
    const said = 'found' in answer ? answer.found : '';
    expect(said).toContain('columns     boxtop.top_id, boxtop.has_proofed_top\n');
    expect(said).toContain('parameters  top_id, has_proofed_top\n');
    expect(said).toContain('properties  top_id, has_proofed_top, top\n');
    expect(made(answer, BOXTOP)).toContain(at(BOXTOP, 'function update(', 'has_proofed_top:'));
    expect(made(answer, BOXTOP)).not.toContain(at(BOXTOP, 'function update(', 'quantity:'));
    expect(made(answer, 'schema.sql')).toContain(at('schema.sql', 'CREATE TABLE "boxtop"', '"has_proofed_top"'));
  });
  test('AKeyOfAConvention', () => {
    const answer = descriptor(lineOf('conventions.yaml', '        on_delete: cascade'));
    const said = 'found' in answer ? answer.found : '';
    const users = /^resources +(.*)$/m.exec(said)?.[1]?.split(', ');
    expect(users).toContain('boxtop');
    expect(users).toContain('twosidedsluggedset');
    expect(users).not.toContain('bookletpage');
    expect(made(answer, BOXTOP)).toEqual([at(BOXTOP, "{ column: 'game_id'")]);
  });
  test('WhatAResourceOverridesIsNotTheConventions', () => {
    const answer = descriptor(lineOf('conventions.yaml', 'on_delete: restrict'));
    const said = 'found' in answer ? answer.found : '';
    expect(said).toMatch(/^resources .*\bfolder\b/m);
    expect(said).not.toMatch(/^resources .*\bwebhook\b/m);
  });
  test('WhatAResourceSaysOverItsConvention', () => {
    const webhook = 'resources/webhook.ts';
    const hidden = descriptor(lineOf('resources/webhook.yaml', 'access: { hidden: true }'));
    expect(made(hidden, webhook)).toEqual([at(webhook, '    hidden: true')]);
    const first = at(BOXTOP, "name: 'deckboxtopandsides'");
    expect(made(descriptor(GAME), BOXTOP)).toEqual([first, first + 1, first + 2]);
  });
  test('TheTitleOfTheService', () => {
    expect(made(descriptor('spec/conventions.yaml:2'), 'index.ts')).toEqual([at('index.ts', '  api: {')]);
  });
  test('AnEvent', () => {
    expect(made(descriptor(lineOf('events.yaml', '  ItemSold:')), 'events.ts')).not.toEqual([]);
  });
  test('AnItemOfAList', () =>
    expect(places(descriptor(lineOf('resources/game.yaml', '  edit: [')))).toEqual([
      lineOf('resources/game.yaml', '  edit: ['),
    ]));
  test.each([
    ['a comment', lineOf('resources/boxtop.yaml', '# Listed'), 'holds no key: it is empty or a comment'],
    ['behind the end', 'spec/resources/boxtop.yaml:999', /^spec\/resources\/boxtop\.yaml has \d+ lines$/],
    ['nothing like it', 'spec/resources/nothing.yaml:1', /is no descriptor$/],
    ['no such file', 'spec/resources/boxtp.yaml:1', 'is no descriptor; did you mean "spec/resources/boxtop.yaml"?'],
  ])('%s', (_, place, wanted) => expect(unknown(descriptor(place))).toMatch(wanted));

  test('BothWaysAgree', () => {
    const fields = ['boxtop', 'gamedownload', 'user', ...(count(0, 1) === 1 ? shop.project.byName.keys() : [])].flatMap(
      (name) => {
        const subject = shop.project.byName.get(name);
        return [...(subject?.raw.fields.keys() ?? [])].flatMap((field) => {
          const pointer = ['fields', field];
          if (subject === undefined || !subject.document.has(pointer)) return [];
          const { start } = subject.document.locate(pointer, 'key');
          const line = (shop.texts.get(subject.document.path) ?? '').slice(0, start).split('\n').length;
          return [{ path: `resources/${name}.ts`, place: `${subject.document.path}:${line}` }];
        });
      },
    );
    const astray = fields.flatMap(({ path, place }) => {
      const lines = made(descriptor(place), path);
      const some = [lines[0], lines[Math.floor(lines.length / 2)], lines.at(-1)].filter((line) => line !== undefined);
      return some
        .filter((line) => !places(generated(path, line)).includes(place))
        .map((line) => `${place} ${path}:${line}`);
    });
    expect(astray).toEqual([]);
  }, 120_000);
});

describe('json lines', () => {
  const value = { a: [{ b: 1, c: [2, 3] }, {}], 'd"': { e: null } };
  const text = JSON.stringify(value, null, 2);
  // 1 {, 2 a, 3 {, 4 b, 5 c, 6 2, 7 3, 8 ], 9 }, 10 {}, 11 ], 12 d", 13 e, 14 }, 15 }
  test.each([
    [1, []],
    [2, ['a']],
    [4, ['a', 0, 'b']],
    [7, ['a', 0, 'c', 1]],
    [8, ['a', 0, 'c']],
    [9, ['a', 0]],
    [10, ['a', 1]],
    [11, ['a']],
    [13, ['d"', 'e']],
    [15, []],
  ])('%d', (line, wanted) => expect(pathAt(text, line)).toEqual(wanted));
});

test.each([
  [[], ''],
  [[4], '4'],
  [[1, 2, 3, 7, 9, 10], '1-3, 7, 9-10'],
])('ranges of %j', (lines, wanted) => expect(ranges(lines)).toBe(wanted));
