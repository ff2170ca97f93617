// Every example of the API document works when it is sent: each request body, and each query parameter.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ID_EXAMPLE } from '../../generator/model/kinds/record-id.js';
import { pngSquare, SVG_HEXAGON } from '../../runtime/admin/demo/images.js';
import { exchange, multipart, type OutgoingRequest } from '../support/exchange.js';
import { PDF, type References, referencesOf } from '../support/references.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Ref & { readonly value?: unknown }>>;
}
interface Ref {
  readonly $ref?: string;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Ref[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
type Values = Readonly<Record<string, unknown>>;

let receiver: Server;
let service: TestService;
let document: Document;
let references: References;
let session = '';
let sent = 0;
const failures: string[] = [];
/** Ids of the created records of each resource, the latest last. */
const made = new Map<string, string[]>();

beforeAll(async () => {
  receiver = createServer((req, res) => req.resume().on('end', () => res.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  service = await startService({ webhookAllowCidrs: ['127.0.0.0/8'] });
  document = JSON.parse((await exchange(`${service.address}/openapi.json`, { method: 'GET' })).text) as Document;
  references = referencesOf(document as unknown as Parameters<typeof referencesOf>[0]);
  const root = await service.user('root', true);
  session = root.session;
  made.set('user', [root.id]);
  await prepare();
});

/** Prerequisites of examples: a folder, an outline to cut along, and a session of a program with an API key. */
async function prepare(): Promise<void> {
  const id = async (path: string, body: Values) =>
    String((await send({ method: 'POST', path, type: JSON_TYPE, body })).body.id);
  made.set('folder', [await id('/api/folder', { name: 'All' })]);
  made.set('apikey', [await id('/api/apikey', { name: 'Example program' })]);
  for (const [type, text] of [['image/svg+xml', SVG_HEXAGON] as const, ['application/pdf', PDF] as const]) {
    const form = multipart([['session_id', session]], { part: 'file', name: 'example', bytes: Buffer.from(text) });
    const file = await exchange(`${service.address}/api/file`, { method: 'POST', ...form });
    made.set(type, [(JSON.parse(file.text) as { id: string }).id]);
  }
  session = await id('/api/session', { username: 'root', password: PASSWORD, api_key_id: made.get('apikey')?.[0] });
}

const JSON_TYPE = 'application/json';
afterAll(async () => {
  await service.stop();
  receiver.close();
  receiver.closeAllConnections();
});

function targetOf(parameter: string, resource: string): string {
  return references.targets[`${resource}.${parameter}`] ?? parameter.replace(/_id$/, '');
}

/** The example with ids of existing records, and with a receiver on this machine. */
function withIds(value: unknown, resource: string, key = ''): unknown {
  if (value === ID_EXAMPLE) return made.get(targetOf(key, resource))?.[0];
  if (key === 'callback_uri') return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  if (Array.isArray(value)) return value.map((one) => withIds(one, resource, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withIds(one, resource, name)]));
}

function examplesOf({ example, examples = {} }: Media): readonly unknown[] {
  const named = Object.values(examples).map((one) => (resolved(one) as { readonly value: unknown }).value);
  return example === undefined ? named : [example, ...named];
}

function resolved(reference: Ref): unknown {
  if (reference.$ref === undefined) return reference;
  return reference.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Values)[key], document);
}

interface SentExample {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: Values;
}

async function send({ method, path, type, body }: SentExample): Promise<{ status: number; body: Values }> {
  const encoding = body === undefined ? {} : encoded(type ?? '', body);
  const headers = { authorization: `Bearer ${session}`, ...encoding.headers };
  const response = await exchange(service.address + path, { method, ...encoding, headers });
  const unknown = response.headers.get('ignored-parameters');
  if (unknown !== null) failures.push(`${method} ${path} has unknown parameters: ${unknown}`);
  return { status: response.status, body: bodyOf(response.text) };
}

/** Empty if the response is not JSON. */
function bodyOf(text: string): Values {
  try {
    return JSON.parse(text) as Values;
  } catch {
    return {};
  }
}

function encoded(type: string, body: Values): Pick<OutgoingRequest, 'headers' | 'body'> {
  const headers = { 'content-type': type };
  if (type === JSON_TYPE) return { headers, body: JSON.stringify(body) };
  const isFile = ([, value]: readonly [string, unknown]) => value === '(bytes)';
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const entries = Object.entries(body);
  const fields = entries
    .filter((entry) => !isFile(entry))
    .map(([name, value]) => [name, text(value)] as [string, string]);
  if (type.endsWith('urlencoded')) return { headers, body: String(new URLSearchParams(fields)) };
  const [part] = entries.find(isFile) ?? [];
  return multipart(fields, part === undefined ? undefined : { part, name: 'top.png', bytes: pngSquare(200, 30, 30) });
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly resource: string;
  readonly operation: Operation;
}

function targets(method: string): readonly Target[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const operation = item[method];
    const resource = RESOURCE_AT[path] ?? /^(?:\/api)?\/(\w+)/.exec(path)?.[1] ?? '';
    return operation === undefined ? [] : [{ method: method.toUpperCase(), path, resource, operation }];
  });
}

const RESOURCE_AT: Readonly<Record<string, string>> = { '/api/download/{id}': 'gamedownload' };

function pathTo({ path, resource, operation }: Target): string {
  const declared = (operation.parameters ?? []).map((one) => resolved(one) as Parameter);
  const named = declared.filter((one) => one.in === 'path' && one.name !== 'id');
  const whole = named.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  return whole.replace('{id}', made.get(resource)?.at(-1) ?? 'none');
}

function requestsTo(target: Target): readonly SentExample[] {
  const { method, operation, resource } = target;
  const content = Object.entries(operation.requestBody?.content ?? {});
  return content.flatMap(([type, media]) =>
    examplesOf(media).map((example) => {
      return { method, path: pathTo(target), type, body: withIds(example, resource) as Values };
    }),
  );
}

async function expectSuccess(request: SentExample): Promise<Values> {
  const { status, body } = await send(request);
  sent++;
  if (status >= 300)
    failures.push(`${request.method} ${request.path} ${status} ${JSON.stringify([request.body, body])}`);
  return body;
}

/** Sends a create and keeps its record; records that do not affect others, such as members of teams, come first. */
async function create(target: Target, request: SentExample): Promise<void> {
  const { resource } = target;
  const ids = made.get(resource) ?? [];
  const before = ids.length > (isParent(resource) ? 1 : 0) && resource !== 'user' ? ids.pop() : undefined;
  if (before !== undefined) await send({ method: 'DELETE', path: `/api/${resource}/${before}` });
  // Usernames must be unique.
  const username = resource === 'user' ? { username: `${request.body?.username} ${sent}` } : {};
  const { id } = await expectSuccess({ ...request, body: { ...request.body, ...username } });
  if (id !== undefined) made.set(resource, [...ids, String(id)]);
}

function isParent(resource: string): boolean {
  return Object.values(references.targets).includes(resource);
}

const creates = () => {
  const all = targets('post').filter(({ path, resource }) => !path.includes('{id}') && resource !== 'session');
  return references.order.flatMap((name) => all.filter(({ resource }) => resource === name));
};

async function another(resource: string): Promise<void> {
  const target = creates().find((one) => one.resource === resource) as Target;
  await create(target, requestsTo(target)[0] as SentExample);
}

test('every example of a create, in every encoding', async () => {
  for (const target of creates()) for (const request of requestsTo(target)) await create(target, request);
  expect(failures).toEqual([]);
  expect(sent).toBeGreaterThan(130);
});

test('every example of an update and of an action', async () => {
  for (const target of targets('put')) for (const request of requestsTo(target)) await expectSuccess(request);
  for (const target of targets('post').filter(({ path }) => path.includes('{id}')))
    for (const request of requestsTo(target)) {
      await another(target.resource);
      await expectSuccess({ ...request, path: pathTo(target) });
    }
  expect(failures).toEqual([]);
});

test('every example of a query', async () => {
  const gets = targets('get').filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/session'));
  // Only administrators send it, so no example of a create has it.
  const game = `/api/game/${made.get('game')?.at(-1)}`;
  await expectSuccess({ method: 'PUT', path: game, type: JSON_TYPE, body: { uri_part: 'harbour-lights' } });
  for (const target of gets) {
    const path = pathTo(target);
    if (target.path.endsWith('/deliveries')) made.set('delivery', [await deliveryOf(path)]);
    const parameters = (target.operation.parameters ?? []).map((one) => resolved(one) as Parameter);
    for (const { name, example } of parameters.filter((one) => one.in === 'query')) {
      expect([target.operation.operationId, name, example]).not.toContain(undefined);
      const value = name === '_cursor' ? await cursorOf(path) : withIds(example, target.resource, name);
      if (value !== null) await expectSuccess({ method: 'GET', path: `${path}?${name}=${value}` });
    }
    if (!parameters.some(({ required, in: place }) => required && place === 'query'))
      await expectSuccess({ method: 'GET', path });
  }
  expect(failures).toEqual([]);
});

/** The subscribe callback of a web hook. */
async function deliveryOf(path: string): Promise<string> {
  const { items } = (await send({ method: 'GET', path })).body as {
    readonly items: readonly { readonly id: string }[];
  };
  return items[0]?.id ?? '';
}

async function cursorOf(path: string): Promise<unknown> {
  const { paging } = (await send({ method: 'GET', path: `${path}?_items_per_page=1` })).body;
  return (paging as Values).next_cursor;
}

test('a login, and every delete', async () => {
  const { username } = await expectSuccess({ method: 'GET', path: pathOfUser() });
  for (const target of targets('post').filter(({ path }) => path === '/api/session'))
    for (const request of requestsTo(target)) await expectSuccess({ ...request, body: { ...request.body, username } });
  for (const target of targets('delete').filter(({ path }) => !path.startsWith('/api/session'))) {
    await another(target.resource);
    await expectSuccess({ method: 'DELETE', path: pathTo(target) });
  }
  expect(failures).toEqual([]);
});

/** The user that was created last, who has the password of the example. */
const pathOfUser = () => `/api/user/${made.get('user')?.at(-1)}`;

test('an example that does not work would be noticed', async () => {
  const { status } = await send({ method: 'POST', path: '/api/game', type: JSON_TYPE, body: { name: '' } });
  expect(status).toBe(422);
});
