// No page of the demo shows how values are stored: names of columns, epochs, 0 or 1 for a boolean, or ids of records with a name.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nameColumn } from '../../runtime/admin/console/wording.js';
import { fillDemo } from '../../runtime/admin/demo/demo.js';
import { clientOf } from '../support/client.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';
import { type Visitor, visitorOf } from './visitor.js';

const running = shared(() => startService({ console: true, demo: true }));
let admin: Visitor;
let ids: ReadonlyMap<string, string>;
let hook: string;
beforeAll(async () => {
  const { service, blobs, address } = running;
  const document = JSON.parse(readFileSync(service.document, 'utf8'));
  ({ records: ids } = await fillDemo(service, blobs, { now: Date.now(), random: randomBytes, document }));
  const { session } = await running.user('operator', true);
  admin = visitorOf(address, session);
  await changeSomething(session, await admin.token());
});

/** Creates entries in the audit log. */
async function changeSomething(session: string, token: string): Promise<void> {
  const [game, user] = [ids.get('game'), (await running.user('changed')).id];
  await admin.post(`/console/records/game/${game}`, { name: 'Renamed', sku_id: 'SKU-1', archived: 'true' }, token);
  await admin.post(`/console/users/${user}`, { disabled: 'true', _confirmed: 'yes' }, token);
  await admin.post(`/console/users/${user}/sessions`, {}, token);
  const designer = ids.get('designer') ?? '';
  await admin.post('/console/records/game/new', { name: 'New', designer_id: designer }, token);
  const owner = { owner_class: 'Designer', owner_id: designer, callback_uri: 'https://example.org/sold' };
  const key = await clientOf(running.address)('POST', '/api/apikey', {
    session,
    parameters: { name: 'Key', session_id: session },
  });
  const sent = { event: 'ItemSold', ...owner, api_key_id: key.body.id };
  const created = await admin.post('/console/records/webhook/new', sent, token);
  hook = /webhook\/(\w+)/.exec(created.headers.get('location') ?? '')?.[1] ?? '';
  await admin.post(`/console/webhooks/${hook}/pause`, {}, token);
  await admin.post(`/console/webhooks/${hook}/resume`, {}, token);
  const receipt = ids.get('receipt');
  await admin.post(`/console/records/receipt/${receipt}/actions/ship`, {}, token);
}

/** The text of a page, without markup, code, and the forms of records, whose fields hold values of the API. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'));
  const shown = main
    .replace(/<form[^>]*method="post"[\s\S]*?<\/form>/g, ' ')
    .replace(/<p class="hint"[^>]*>[^<]*<\/p>/g, ' ')
    .replace(/<dt>(ID|Content hash)<\/dt><dd>[\s\S]*?<\/dd>/g, ' ')
    .replace(/<pre[^>]*>[^<]*<\/pre>/g, ' ');
  return shown.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

const STORAGE = {
  'the name of a column': /\b[a-z]+(_[a-z0-9]+)+\b/g,
  'an epoch': /\b1[5-9]\d{11}\b|\b1[5-9]\d{8}\b/g,
  'an id': /(?<![\w/])[0-9a-z]{26}\b/g,
  'a boolean': /(has |is |proofed|Admin|Disabled|Archived|Public|Free)[^.]{0,3}: [01]\b/g,
  'a date': /\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d:\d\d(?! UTC))/g,
};

/** The traces of storage in a text. */
function storageIn(text: string): readonly string[] {
  return Object.entries(STORAGE).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(([match]) => `${what}: ${match}`),
  );
}

test('traces of storage are detected', () => {
  for (const text of [
    'Enable has_proofed_top',
    'at 1795472481002',
    'Admin: 1',
    '2v01m8gsbqb83p0010pt89ec9f',
    '2026-11-23 22:14:54',
  ])
    expect([text, storageIn(`a ${text} b`)]).toEqual([text, [expect.any(String)]]);
  expect(storageIn('2026-11-23 22:14:54 UTC, e-mail, 10,000 cards, Top proofed: yes')).toEqual([]);
});

test('the pages of the demo show no trace of storage', async () => {
  const { definitions } = running.service;
  // Records without a name are shown by their ids.
  const nameless = new Set(definitions.filter((one) => nameColumn(one) === null).map(({ name }) => name));
  const lists = definitions.map(({ name }) => `/records/${name}`);
  const records = [...ids].map(([name, id]) => `/records/${name}/${id}`);
  const deletions = ['game', 'designer', 'file'].map((name) => `/records/${name}/${ids.get(name)}/delete`);
  const others = ['/', '/users', '/sessions', '/schema', '/audit', '/errors', '/find?live=1&q=d', '/webhooks'];
  const shown: string[] = [];
  for (const path of [...lists, ...records, ...deletions, ...others, `/webhooks/${hook}`, `/records/webhook/${hook}`]) {
    const { status, text } = await admin.get(`/console${path}`);
    expect([path, status]).toEqual([path, 200]);
    const isNameless = nameless.has(path.split('/')[2] ?? '');
    const traces = storageIn(textOf(text)).filter((one) => !(isNameless && one.startsWith('an id')));
    shown.push(...traces.map((one) => `${path}: ${one}`));
  }
  expect([...new Set(shown)]).toEqual([]);
});

test('the audit log says who did what to which record', async () => {
  const text = textOf((await admin.get('/console/audit')).text);
  for (const sentence of [
    'operator ended the sessions of changed',
    'operator disabled changed Disabled: no → yes',
    /operator changed the game Renamed .*SKU: – → SKU-1/,
    /operator created the game New Name: New Designer: /,
    'operator paused the web hook',
    'operator resumed the web hook',
    'operator carried out “Ship” on the receipt',
  ])
    expect(text).toMatch(sentence);
});
