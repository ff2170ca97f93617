// The origin of names and routes, compared with tables written by hand for this project's descriptors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainName } from '../../generator/commands/explain/name.js';
import { explainRoute } from '../../generator/commands/explain/route.js';
import { type Explanation, openSpecContext, type SpecContext } from '../../generator/commands/explain/spec-context.js';
import { compileSpec } from '../../generator/compile-spec.js';
import type { Output } from '../../generator/emit/output.js';
import { render } from '../../generator/emit/render.js';
import { withoutCache } from '../../generator/emit/validators.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { createPages } from '../../runtime/pages/pages.js';
import { allPaths } from '../support/document-paths.js';
import { ROOT } from '../support/paths.js';

const context = open();

function open(): SpecContext {
  const source = readSpec(join(ROOT, 'spec'));
  const compiled = compileSpec(source);
  if (!compiled.ok) throw new Error('the spec has mistakes');
  return openSpecContext(compiled, source, { kit: '../runtime/contract/kit.js', pathOf: (path) => path });
}

function outputsOf({ model, kit }: SpecContext): readonly Output[] {
  return render(model, {
    ...{ kit, isOwn: true, remember: withoutCache, functions: null, versions: [] },
    ...{ copied: () => ({ code: '', types: '' }), licence: '' },
  });
}

/** The place of the first line that contains the text: `spec/resources/boxtop.yaml:15`. */
function lineOf(file: string, text: string): string {
  const lines = readFileSync(join(ROOT, 'spec', file), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${file} has no ${text}`);
  return `spec/${file}:${at + 1}`;
}

const TOP = lineOf('resources/boxtop.yaml', '  top:');
const SHARED_GAME = lineOf('conventions.yaml', '      game:');
const SHARED_NAME = lineOf('conventions.yaml', 'description: Name of the component');

const outputs = new Map(outputsOf(context).map(({ path, text }) => [path, text.split('\n')]));
const BOXTOP = 'resources/boxtop.ts';

/** The number of the line of an output that contains the last text, after lines with the texts before it. */
function at(path: string, ...texts: readonly string[]): number {
  const lines = outputs.get(path) ?? [];
  const line = texts.reduce((from, text) => lines.findIndex((one, index) => index >= from && one.includes(text)), 0);
  if (line < 0) throw new Error(`${path} has no ${texts.join(' … ')}`);
  return line + 1;
}

/** The places that an answer names, as path:line. */
function places(answer: Explanation): readonly string[] {
  const text = 'text' in answer ? answer.text : '';
  return [...text.matchAll(/^(spec\/\S+:\d+):\d+: /gm)].map(([, place]) => place ?? '');
}

const route = (method: string, path: string): Explanation => explainRoute(context, { method, path, out: 'generated' });
const unknown = (answer: Explanation): string => ('unknown' in answer ? answer.unknown : '');

describe('names', () => {
  test.each([
    ['boxtop.top_id', [TOP], 'a column, a parameter, a property'],
    ['boxtop.has_proofed_top', [TOP], 'a column, a parameter, a property'],
    ['boxtop.top', [TOP], 'a property'],
    ['boxtop.game_id', [SHARED_GAME], 'a column, a parameter, a property'],
    ['boxtop.game', [SHARED_GAME], 'a related record'],
    ['boxtop.name', [SHARED_NAME], 'a column, a parameter, a property'],
    ['boxtop.identity', [lineOf('resources/boxtop.yaml', 'identities:')], 'a column, a parameter, a property'],
    ['boxtop.wing_object_type', [lineOf('resources/boxtop.yaml', 'type_field:')], 'a property'],
    ['boxtop.date_created', [lineOf('resources/boxtop.yaml', 'title:')], 'a column, a property'],
    ['boxtop.bottom_id', [lineOf('resources/boxtop.yaml', 'ignores:')], 'a parameter that is ignored'],
    ['game.deckboxtopandsides', [SHARED_GAME], 'a list'],
    ['game.boxtops', [SHARED_GAME], 'a list'],
    ['receipt.ship', [lineOf('resources/receipt.yaml', '  ship:')], 'an action'],
    ['scorepad.face_id', [lineOf('resources/scorepad.yaml', '  image:')], 'another name of a parameter'],
  ])('%s', (what, wanted, roles) => {
    const answer = explainName(context, what);
    expect(places(answer)).toEqual(wanted);
    expect('text' in answer ? answer.text.split('\n')[0] : '').toBe(`${what}: ${roles}`);
  });
  test.each([
    ['boxtp', 'There is no resource "boxtp"; did you mean "boxtop"?'],
    ['boxtop.tpo_id', 'boxtop has no column, parameter, property, list or action "tpo_id"; did you mean "top_id"?'],
    ['boxtop.constructor', 'boxtop has no column, parameter, property, list or action "constructor"'],
  ])('unknown %s', (what, wanted) => expect(unknown(explainName(context, what))).toBe(wanted));
});

/** Routes of web hooks that do not come from their descriptor (D48). */
const brought = ['GET deliveries', 'GET message', 'POST retry', 'POST pause', 'POST resume'].map((one) =>
  one.replace(' ', ' /api/webhook/{id}/'),
);

describe('routes', () => {
  test('are those of the API document', () => {
    const document = JSON.parse((outputs.get('openapi.json') ?? []).join('\n')) as {
      tags: { name: string }[];
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    const documented = allPaths(document).flatMap(([path, methods]) =>
      Object.entries(methods)
        // Tags of operations that do not come from a descriptor begin with a capital letter.
        .filter(([, { tags }]) => /^[a-z]/.test(tags[0] ?? ''))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const routes = new Set(context.routes.map(({ method, path }) => `${method} ${path}`));
    expect([...routes, ...brought].sort()).toEqual(documented.sort());
    expect(brought.filter((one) => routes.has(one))).toEqual([]);
  });
  test('each has a place and code', () => {
    const unexplained = context.routes.filter(({ method, path }) => {
      const answer = route(method, path);
      return (
        places(answer).length === 0 ||
        !('text' in answer) ||
        !/served in +generated\/resources\/\w+\.ts:\d+\n/.test(answer.text)
      );
    });
    expect(unexplained).toEqual([]);
  });
  test.each([
    ['POST', '/api/boxtop', lineOf('resources/boxtop.yaml', 'title:')],
    ['GET', '/api/boxtop/{id}', lineOf('resources/boxtop.yaml', 'title:')],
    ['PUT', '/api/boxtop/0a1?name=x', lineOf('resources/boxtop.yaml', 'title:')],
    ['HEAD', '/api/boxtop/:id/', lineOf('resources/boxtop.yaml', 'title:')],
    ['POST', '/api/receipt', lineOf('resources/receipt.yaml', 'operations:')],
    ['GET', '/api/game/1/boxtops', SHARED_GAME],
    ['GET', '/api/game/1/deckboxtopandsides', SHARED_GAME],
    ['POST', '/api/receipt/1/ship', lineOf('resources/receipt.yaml', '  ship:')],
    ['GET', '/api/download/1', lineOf('resources/gamedownload.yaml', 'paths:')],
  ])('%s %s', (method, path, wanted) => expect(places(route(method, path))).toEqual([wanted]));

  test.each([
    ['GET', '/openapi.json', /the service itself/],
    ['GET', '/', /first page/],
    ['GET', '/docs', /shows the API document/],
    ['GET', '/docs/game', /operations of a tag/],
    ['GET', '/assets/style.css', /pages of the service load/],
    ['GET', '/console', /operators' pages, with `serve --console`/],
    ['POST', '/console/users/0a1', /operators' pages/],
    ['GET', '/files/0a1/key', /the service itself/],
    ['GET', '/metrics', /the service itself/],
    ['GET', '/api/status', /the service itself/],
    ['GET', '/healthz', /the service itself/],
  ])('N33: %s %s is explained once', (method, path, wanted) => {
    const answer = route(method, path);
    const text = 'text' in answer ? answer.text : '';
    expect(text).toMatch(wanted);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });

  test('N33: every page that is served is explained', () => {
    const { paths } = createPages({ title: '', version: '', console: true, portal: true });
    const asked = Object.keys(paths).map((path) => route('GET', path));
    expect(asked.filter((answer) => !('text' in answer))).toEqual([]);
  });

  test('parameters and code', () => {
    const answer = route('POST', '/api/boxtop');
    const text = 'text' in answer ? answer.text : '';
    expect(text).toContain(`parameters  identity: ${lineOf('resources/boxtop.yaml', 'identities:')}:1\n`);
    expect(text).toContain(`            name, required: ${SHARED_NAME}:7\n`);
    expect(text).toContain(`served in   generated/${BOXTOP}:${at(BOXTOP, 'function create(')}\n`);
  });
  test('the catalogue', () => {
    expect(route('GET', '/api/tgc/products/PokerDeck')).toEqual({
      text: 'GET /api/tgc/products/{identity}: the catalogue; "catalogue" in conventions.yaml declares it\n',
    });
  });

  test('the operations of the service', () => {
    expect(route('POST', '/api/session')).toEqual({
      text: 'POST /api/session: the service itself; it comes from no descriptor\n',
    });
  });
  test.each([
    ['DELETE', '/api/boxtop', '/api/boxtop does not support DELETE, only POST, GET'],
    ['POST', '/api/boxtp', 'No route answers POST /api/boxtp; did you mean "/api/boxtop"?'],
    ['POST', '/api/boxtop/1', '/api/boxtop/1 does not support POST, only GET, PUT, DELETE, PATCH'],
  ])('unknown %s %s', (method, path, wanted) => expect(unknown(route(method, path))).toBe(wanted));
});
