// The docs pages without a browser: they show all of the API document, their links lead somewhere, and their commands work.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROFILES, type Profile } from '../../runtime/http/profiles.js';
import { createDocsView, type DocsRequest } from '../../runtime/pages/docs/docs.js';
import {
  type ApiDocument,
  type ListedOperation,
  operationsOf,
  type Schema,
} from '../../runtime/pages/docs/document.js';
import { propertiesOf } from '../../runtime/pages/docs/schema.js';
import { createTemplates } from '../../runtime/pages/templates.js';
import { clientOf } from '../support/client.js';
import { ROOT } from '../support/paths.js';
import { startService } from '../support/service.js';

const render = createTemplates(join(ROOT, 'dist', 'runtime', 'pages'));
const PLAIN = readFileSync(join(ROOT, 'generated', 'openapi.json'));
const documentOf = (wire: Profile['name']) => JSON.parse(PROFILES[wire].document(PLAIN).toString()) as ApiDocument;

function show(document: ApiDocument, request: Partial<DocsRequest>, date: string | null = null): string {
  const dates = date === null ? [] : [date];
  const all = { tag: null, find: null, origin: 'http://here', ...request };
  return render('docs', { title: 'Games', ...createDocsView(document, { date, dates })(all) });
}

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const linksOf = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&#x3D;', '='));

describe.each(['plain', 'wing'] as const)('the pages of the profile %s', (wire) => {
  const document = documentOf(wire);
  const pages = new Map([['/docs', show(document, {})]]);
  for (const { name } of document.tags) pages.set(`/docs/${name}`, show(document, { tag: name }));
  const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));

  test('every operation is on the page of its tag, with its parameters', () => {
    const isMissing = ({
      path,
      isSent,
      operation: { tags, operationId, parameters = [] },
    }: ListedOperation): boolean => {
      const pageIds = ids.get(`/docs/${tags[0]}`) ?? [];
      const fields = pageIds.filter((id) => id.startsWith(`${operationId}.`) && !/\.(hint|body)$/.test(id));
      return (
        !pageIds.includes(operationId) ||
        !pages.get(`/docs/${tags[0]}`)?.includes(path) ||
        fields.length < (isSent ? 0 : parameters.length)
      );
    };
    const all = operationsOf(document);
    expect(all.length).toBeGreaterThan(600);
    expect(all.filter(isMissing)).toEqual([]);
  });

  test('every link leads somewhere, and ids are unique on a page', () => {
    const dead = [...pages].flatMap(([page, html]) =>
      linksOf(html).filter((href) => {
        const [path = '', id] = href.split('#');
        const targets = ids.get(path === '' ? page : path);
        return path === '/openapi.json' ? false : targets === undefined || (id !== undefined && !targets.includes(id));
      }),
    );
    expect([...new Set(dead)]).toEqual([]);
    for (const pageIds of ids.values()) expect(pageIds.length).toBe(new Set(pageIds).size);
  });

  test('every chapter is in the menu of every page', () => {
    const titles = [...(document.info.description ?? '').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles.length).toBeGreaterThan(10);
    for (const html of pages.values()) {
      expect([...html.matchAll(/href="\/docs#[^"]+">([^<]+)<\/a><\/li>/g)].map(([, title]) => title)).toEqual(titles);
    }
  });
});

test.each<[string, Schema, readonly string[]]>([
  [
    'text',
    { properties: { a: { type: 'string', minLength: 1, maxLength: 9 } } },
    ['a string: at least 1 character, at most 9 characters'],
  ],
  ['null', { properties: { a: { type: ['integer', 'null'], minimum: 0 } } }, ['a integer or null: at least 0']],
  ['required', { required: ['a'], properties: { a: { type: 'boolean' } } }, ['a! boolean: ']],
  [
    'inside',
    { properties: { a: { type: 'object', properties: { b: { const: 1 } } } } },
    ['a object: ', 'a.b any: always 1'],
  ],
  [
    'a list',
    { properties: { a: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['x', 'y'] } } } },
    ['a list of string: at most 2 items, each one of x, y'],
  ],
  [
    'a list of objects',
    {
      properties: {
        a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string', format: 'date' } } } },
      },
    },
    ['a list of object: ', 'a[].b string (date): '],
  ],
  [
    'all of, and any of',
    { allOf: [{ $ref: '#/components/schemas/one' }], anyOf: [{ properties: { b: { type: 'number' } } }] },
    ['a string: ', 'b number: '],
  ],
  [
    'a reference',
    { properties: { a: { anyOf: [{ $ref: '#/components/schemas/one' }, { type: 'null' }] } } },
    ['a [one] or null: '],
  ],
])('a schema in words: %s', (_, schema, expected) => {
  const components = { schemas: { one: { properties: { a: { type: 'string' } } } } };
  const document = { components } as unknown as ApiDocument;
  const rows = propertiesOf({ document, linkTo: (name) => `#${name}` }, schema);
  const texts = rows.map(({ name, type, required, limits }) => {
    const words = type.map(({ text, href }) => (href === null ? text : `[${text}]`)).join('');
    return `${name}${required ? '!' : ''} ${words}: ${limits}`;
  });
  expect(texts).toEqual(expected);
});

test('a search finds operations in which every word occurs, and links to them', () => {
  const document = documentOf('plain');
  const search = (find: string) => {
    const [, list = ''] = /<section id="matches">(.*?)<\/section>/s.exec(show(document, { find })) ?? [];
    return linksOf(list);
  };
  expect(search('box TOP  post /api/boxtop')).toContain('/docs/boxtop#createBoxtop');
  expect(search('createBoxtop /api/boxtop')).toEqual([
    '/docs/boxtop#createBoxtop',
    '/docs/boxtopgloss#createBoxtopgloss',
  ]);
  expect(search('nothing of the kind')).toEqual([]);
  expect(search('')).toEqual([]);
  expect(search('get')).toHaveLength(50);
  expect(show(document, { find: 'get' })).toMatch(/and \d+ more/);
});

test('markup in a description is text, and links of a version stay in it', () => {
  const document = documentOf('plain');
  const description = `${document.info.description}\n\n## Planted\n\nText <script>x</script> *here*\n\n<img src=x>`;
  const html = show({ ...document, info: { ...document.info, description } }, {}, '2026-01-01');
  expect(html).toContain('Text &lt;script&gt;x&lt;/script&gt; <em>here</em>');
  expect(html).toContain('&lt;img src=x&gt;');
  expect(html).toContain('data-version="2026-01-01"');
  const other = linksOf(html).filter((href) => !href.includes('?version=2026-01-01'));
  expect(other).toEqual(['#main', '/docs']);
});

test('a server shows the pages, the commands on them work, and other pages are not found', async () => {
  const service = await startService();
  try {
    const open = async (path: string) => (await fetch(`${service.address}${path}`)).text();
    const { session } = await service.user('ada');
    const html = await open('/docs/designer');
    const [, command = ''] = /id="createDesigner".*?<pre tabindex="0">(.*?)<\/pre>/s.exec(html) ?? [];
    const text = command.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&lt;session&gt;', session);
    const body = JSON.parse((await promisify(execFile)('sh', ['-c', `${text} -s`])).stdout);
    expect(body).toMatchObject({ object_type: 'designer' });
    expect((await clientOf(service.address)('GET', `/api/designer/${body.id}`, { session })).status).toBe(200);
    expect(await open('/docs?find=createDesigner')).toContain('/docs/designer#createDesigner');
    for (const [path, status] of [
      ['/docs/nothing', 404],
      ['/docs/designer/more', 404],
      ['/docs?version=2020-01-01', 400],
      ['/docs?version=newest', 200],
    ] as const) {
      expect([path, (await fetch(`${service.address}${path}`)).status]).toEqual([path, status]);
    }
  } finally {
    await service.stop();
  }
});
