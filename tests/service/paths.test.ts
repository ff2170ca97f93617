// Every form of path that the document lists reaches its operation, by its method and tunnelled (D12, D32).

import { generalPaths, listedPaths, type PathForm, successStatus, webhookPaths } from '../document/paths.js';
import type { Operation } from '../document/table.js';
import { shared } from '../support/shared.js';
import { problems } from './record.js';
import { refusal } from './replies.js';
import { makeWorld, type SentParameters } from './world.js';

const world = shared(makeWorld);

interface Direct {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const direct = ({ method }: PathForm): Direct => ({ method });
const tunnelled = ({ method }: PathForm): Direct => ({ method: 'POST', headers: { 'x-http-method': method } });

const send = (form: PathForm, { method, headers = {} }: Direct, id: string, parameters?: SentParameters) =>
  world.send(method, form.path.replace('{id}', id), {
    session: world.owner.session,
    headers,
    ...(parameters === undefined ? {} : { parameters }),
  });

/** Verifies the effect of an operation at a path, whichever it is. */
const does: Readonly<Record<Operation, (form: PathForm, by: Direct) => Promise<void>>> = {
  async create(form, by) {
    const sent = await world.minimal(form.resource);
    const reply = await send(form, by, '', sent);
    expect(reply.status).toBe(successStatus.create);
    expect(problems(form.resource, reply.body, { viewer: 'editor', sent })).toEqual([]);
    expect(reply.headers.get('location')).toBe(`/api/${form.resource}/${reply.body.id}`);
  },
  async fetch(form, by) {
    const created = await world.make(form.resource);
    const reply = await send(form, by, created.id);
    expect([reply.status, reply.body]).toEqual([successStatus.fetch, created]);
    expect(refusal(await send(form, by, 'nobody'))).toEqual(['not_found']);
  },
  async update(form, by) {
    const created = await world.make(form.resource);
    const [parameter, value] = form.resource === 'designerassociate' ? ['share_percent', '7'] : ['name', 'Renamed'];
    const reply = await send(form, by, created.id, { [parameter]: value });
    expect([reply.status, reply.body[parameter]]).toEqual([successStatus.update, value]);
    expect(refusal(await send(form, by, 'nobody', { [parameter]: value }))).toEqual(['not_found']);
  },
  async delete(form, by) {
    const { id } = await world.make(form.resource);
    const reply = await send(form, by, id);
    expect([reply.status, reply.body]).toEqual([successStatus.delete, { success: 1 }]);
    expect(refusal(await send(form, by, id))).toEqual(['not_found']);
    expect((await world.send('GET', `/api/${form.resource}/${id}`)).status).toBe(404);
  },
};

const forms = [...generalPaths, ...listedPaths].map((form) => ({ ...form, operation: form.operation as Operation }));

test.each(forms)('$method $path $resource', (form) => does[form.operation](form, direct(form)));

const writing = forms.filter(({ method }) => method === 'PUT' || method === 'DELETE');
test.each(writing)('tunnelled/$method $path $resource', (form) => does[form.operation](form, tunnelled(form)));

test.each(webhookPaths)('web hook/$method $path', async (form) => {
  const id = form.operation === 'list' ? world.owner.id : 'zzzzzzzzzzzzzzzzzzzzzzzzzz';
  const reply = await send(form, direct(form), id);
  if (form.operation === 'list') expect(reply.body.items).toEqual([]);
  else if (form.operation === 'create') expect(refusal(reply)).toContain('callback_uri: required');
  else expect(refusal(reply)).toEqual(['not_found']);
});

describe('at the path of designers', () => {
  const remove = (id: string) => world.send('DELETE', `/api/designer/${id}`, { session: world.owner.session });

  test('the id of an associate deletes only the associate', async () => {
    const { id, designer_id } = await world.make('designerassociate');
    expect((await remove(id)).body).toEqual({ success: 1 });
    expect((await world.send('GET', `/api/designerassociate/${id}`)).status).toBe(404);
    expect((await world.send('GET', `/api/designer/${designer_id}`)).status).toBe(200);
  });

  test('the id of a designer deletes the designer', async () => {
    const { id } = await world.make('designer');
    expect((await remove(id)).body).toEqual({ success: 1 });
    expect(refusal(await remove(id))).toEqual(['not_found']);
  });

  test('a designer with games is not deleted', async () => {
    const { id } = await world.make('designer');
    const game = await world.make('game', { designer_id: id });
    expect(refusal(await remove(id))).toEqual(['conflict']);
    await world.send('DELETE', `/api/game/${game.id}`, { session: world.owner.session });
    expect((await remove(id)).body).toEqual({ success: 1 });
  });

  test('the associate of another user is not deleted', async () => {
    const { id } = await world.make('designerassociate', {}, world.stranger);
    expect(refusal(await remove(id))).toEqual(['forbidden']);
  });
});

test.each([
  ['PATCH', '/api/boxtop', 'POST, GET, HEAD'],
  ['PUT', '/api/boxtop', 'POST, GET, HEAD'],
  ['POST', '/api/boxtop/zzzzzzzz', 'GET, HEAD, PUT, DELETE, PATCH'],
  ['POST', '/api/download/zzzzzzzz', 'GET, HEAD'],
  ['GET', '/booklet/zzzzzzzz', 'DELETE'],
])('OtherMethods/%s %s', async (method, path, allow) => {
  const reply = await world.send(method, path, { session: world.owner.session });
  expect(refusal(reply)).toEqual(['method']);
  expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
});

test.each(['/boxtop', '/bookletpage', '/gamedownload/zzzzzzzz', '/api/nothing', '/api/boxtop/zz/nothing', '/api/'])(
  'NotListed/%s',
  async (path) => expect(refusal(await world.send('GET', path))).toEqual(['not_found']),
);
