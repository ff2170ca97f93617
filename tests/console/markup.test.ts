// Stored text is shown as text: markup in every field of every resource, on every page that shows the record.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTemplates } from '../../runtime/pages/copy-files.js';
import { createTemplates } from '../../runtime/pages/templates.js';
import { records } from '../document/resources.js';
import type { RecordName } from '../document/table.js';
import { makeWorld } from '../service/world.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';
import { type Visitor, visitorOf } from './visitor.js';

const MARKUP = `<b id="planted">&"'</b>`;
const SHOWN = '&lt;b id&#x3D;&quot;planted&quot;&gt;&amp;&quot;&#x27;&lt;/b&gt;';

/** Only the beginning of the markup, since its quotes have a backslash in JSON. */
const RAW = /<b id=/;
/** Texts that do not accept just any value: the id of a record, and a version of the API. */
const CONSTRAINED = ['owner_id', 'api_version'];

const world = shared(() => makeWorld('plain', { console: true }));
let visitor: Visitor;
beforeAll(async () => {
  visitor = visitorOf(world.address, world.admin.session);
});

/** Values that a record gets on creation because they cannot be changed later. */
async function initialValues(resource: string): Promise<Readonly<Record<string, unknown>>> {
  if (resource === 'webhook') return { callback_uri: `https://example.org/?planted='&x` };
  if (resource !== 'receipt') return {};
  return { items: [{ game_id: await world.home('game') }], shipping_address: { [MARKUP]: MARKUP } };
}

/** The pages that show a record. */
function pagesOf(resource: string, id: string): readonly string[] {
  const page = `/console/records/${resource}/${id}`;
  return [page, `${page}/delete`, `/console/records/${resource}`];
}

/** Writes the markup into every text of the record. @returns the names of these texts */
async function plant(resource: RecordName, id: string): Promise<readonly string[]> {
  const send = clientOf(world.address);
  const { session } = world.admin;
  const definition = world.service.service.definitions.find(({ name }) => name === resource);
  const names = Object.entries(definition?.parameters ?? {}).filter(
    ([, { kind }]) => kind === 'text' || kind === 'url',
  );
  const planted: string[] = [];
  for (const [name, { kind }] of names) {
    // A short field gets the beginning of the markup.
    const values = kind === 'url' ? [`https://example.org/?${MARKUP}`] : [MARKUP, MARKUP.slice(0, 6)];
    for (const value of values) {
      const parameters = { [name]: value, session_id: session };
      const { status } = await send('PUT', `/api/${resource}/${id}`, { parameters });
      if (status === 200) {
        planted.push(name);
        break;
      }
    }
  }
  return planted;
}

test.each(Object.keys(records) as RecordName[])('markup in a record is shown as text: %s', async (resource) => {
  const { id } = await world.make(resource, await initialValues(resource));
  const planted = await plant(resource, id);
  const definition = world.service.service.definitions.find(({ name }) => name === resource);
  for (const path of pagesOf(resource, id)) {
    const { status, text } = await visitor.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toMatch(RAW);
    if (planted.length > 0 && path.includes(id)) expect(text).toContain('planted');
  }
  if (definition?.operations.update === null) return;
  const texts = Object.entries(definition?.parameters ?? {}).filter(([, { kind }]) => kind === 'text');
  expect(planted).toEqual(
    expect.arrayContaining(texts.map(([name]) => name).filter((name) => !CONSTRAINED.includes(name))),
  );
});

test('refused input and parameters of an address are shown as text', async () => {
  const token = await visitor.token();
  const { text } = await visitor.post('/console/records/game/new', { name: MARKUP, designer_id: MARKUP }, token);
  expect(text).toContain(SHOWN);
  const encoded = encodeURIComponent(MARKUP);
  const paths = [
    `/console/records/${encoded}/x`,
    `/console/records/game/new?name=${encoded}`,
    `/console/find?q=${encoded}`,
    `/console/find?live=1&q=${encoded}`,
    `/console/users?q=${encoded}`,
    `/console/records/game?q=${encoded}&_order_by=${encoded}`,
  ];
  const others = await Promise.all([...paths, `/console?done=${encoded}`].map((path) => visitor.get(path)));
  for (const shown of [text, ...others.map((one) => one.text)]) expect(shown).not.toMatch(RAW);
});

test('changes by operators, and the names of users, are shown as text', async () => {
  const token = await visitor.token();
  const { id } = await world.make('game');
  await visitor.post(`/console/records/game/${id}`, { name: MARKUP }, token);
  const { session } = world.admin;
  const parameters = { username: `${MARKUP} too`, session_id: session };
  await world.send('PUT', `/api/user/${world.stranger.id}`, { parameters });
  for (const path of ['/console/audit', '/console/users', `/console/users/${world.stranger.id}`]) {
    const { text } = await visitor.get(path);
    expect([path, text.includes('planted')]).toEqual([path, true]);
    expect(text).not.toMatch(RAW);
  }
});

test('a template that does not escape is detected', () => {
  const folder = temporaryFolder('templates');
  mkdirSync(join(folder, 'templates'));
  writeFileSync(join(folder, 'templates', 'careless.hbs'), '<p>{{{text}}}</p>');
  compileTemplates(join(folder, 'templates'), join(folder, 'templates'));
  expect(createTemplates(folder)('careless', { text: MARKUP })).toMatch(RAW);
});
