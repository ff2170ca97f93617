// Statuses that nearly every operation declares and that a request cannot cause by itself: too many requests, a shortage of
// file handles, and no space left. Every operation is requested; those that do not declare the status never have it.

import { readDocument } from '../../runtime/server/load-generated.js';
import type { StartOptions } from '../../runtime/server/main.js';
import { contractOf, type Document } from '../fuzz/contract.js';
import { operationsIn, type Document as PromisedDocument, type PromisedOperation } from '../properties/document.js';
import { exchange, multipart } from '../support/exchange.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

const document = JSON.parse(readDocument(null).toString()) as Document & PromisedDocument;
const contract = contractOf(document);

let service: TestService;
let session: string;
const ends: (() => void)[] = [];

async function begin(options: Partial<StartOptions> = {}): Promise<string> {
  service = await startService(options);
  const { id, session: opened } = await service.user('somebody', true);
  session = opened;
  return id;
}

afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await service.stop();
});

/** Valid input for any operation, so that only the tested shortage can refuse it. */
function bodyOf({ method, path, names }: PromisedOperation) {
  if (isUpload({ method, path })) return multipart([], { part: 'file', name: 'a', bytes: Buffer.from('a') });
  const list = /\/bulk-(\w+)$/.exec(path)?.[1];
  const login = { username: 'somebody', password: PASSWORD };
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const sent = list !== undefined ? { [list]: [{}] } : path === '/api/session' ? login : { ...nulls, payload: {} };
  return method === 'GET'
    ? { headers: {}, body: undefined }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) };
}

async function ask(operation: PromisedOperation, authorization: string | null = `Bearer ${session}`) {
  const { method, path: pattern } = operation;
  const path = pattern.replace(/\{\w+\}/g, pattern === '/api/session/{id}' ? session : 'nothing');
  const { headers, body } = bodyOf(operation);
  const auth = authorization === null ? {} : { authorization };
  const reply = await exchange(`${service.address}${path}`, { method, headers: { ...headers, ...auth }, body });
  const head = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const wrong = contract.violations(
    { method, path },
    { status: reply.status, head: `HTTP/1.1\r\n${head}`, body: reply.text },
  );
  return { status: reply.status, wrong, retry: reply.headers.get('retry-after'), text: reply.text };
}

/** The operations whose responses contradict the document; `declares` tells whether one has the status. */
async function contradictions(
  status: number,
  { operations = OPERATIONS, authorization }: Asking = {},
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const one of operations) {
    const reply = await ask(one, authorization);
    const declared = one.statuses.includes(status);
    if ((reply.status === status) !== declared)
      wrong.push(`${one.name}: ${declared ? 'not ' : ''}${status} but ${reply.status}`);
    if (reply.status === status && status !== 507 && reply.retry === null) wrong.push(`${one.name}: no Retry-After`);
    wrong.push(...reply.wrong);
  }
  return wrong;
}

interface Asking {
  readonly operations?: readonly PromisedOperation[];
  /** Null means without a session. */
  readonly authorization?: string | null;
}

const OPERATIONS = operationsIn(document);
const isUpload = ({ method, path }: Pick<PromisedOperation, 'method' | 'path'>) =>
  path === '/api/file' && method === 'POST';
const isOfOperators = ({ path }: PromisedOperation) => /^\/(healthz|readyz|metrics)$/.test(path);

test('429 after too many requests', async () => {
  await begin({ rateLimit: 1 });
  await ask(OPERATIONS.find((one) => !isOfOperators(one)) as PromisedOperation, null);
  const limited = () => contradictions(429, { authorization: null });
  // At most one new minute begins during these requests.
  const first = await limited();
  expect(first.length <= 1 ? [] : await limited()).toEqual([]);
});

test('403 for uploads of a user who has reached the quota', async () => {
  const user = await begin({ quotaBytes: 1, processes: 1 });
  // The service counts once after its start, and includes this file if it has not done so yet.
  expect((await ask(OPERATIONS.find(isUpload) as PromisedOperation)).status).toBe(201);
  service.service.quota?.learn([{ user, bytes: 1 }]);
  const refused: string[] = [];
  for (const one of OPERATIONS.filter(({ method }) => method === 'POST')) {
    const { status, text, wrong } = await ask(one);
    if (!text.includes('"code":"quota_exceeded"')) continue;
    expect([status, wrong]).toEqual([403, []]);
    refused.push(one.name);
  }
  const declare = ({ method, path }: PromisedOperation) =>
    JSON.stringify(document.paths[path]?.[method.toLowerCase()]).includes('/responses/forbidden_with_quota"');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused).toEqual(OPERATIONS.filter(declare).map(({ name }) => name));
});

/** Makes methods of a part of the engine fail as the system would. */
function makeFail<T extends object>(part: T, names: readonly (keyof T)[], code: string): void {
  const before = names.map((name) => [name, part[name]] as const);
  ends.push(() => Object.assign(part, Object.fromEntries(before)));
  for (const name of names)
    Object.assign(part, { [name]: () => Promise.reject(Object.assign(new Error(code), { code })) });
}

test('503 during a shortage of file handles', async () => {
  await begin();
  makeFail(service.service.engine.identity as unknown as { caller: () => unknown }, ['caller'], 'EMFILE');
  const operations = OPERATIONS.filter((operation) => !isOfOperators(operation));
  expect(await contradictions(503, { operations })).toEqual([]);
  for (const one of OPERATIONS.filter(isOfOperators))
    expect((await ask(one, `Bearer ${METRICS_TOKEN}`)).status).toBe(200);
});

test('507 for every write without free space', async () => {
  await begin();
  const { records, identity, outbox } = service.service.engine;
  makeFail(records, ['create', 'createAll', 'update', 'remove', 'act', 'copy'], 'ENOSPC');
  makeFail(identity, ['openSession', 'endSession'], 'ENOSPC');
  if (outbox === null) throw new Error('the service has no web hooks');
  makeFail(outbox, ['pause', 'retry', 'test', 'exchange'], 'ENOSPC');
  // Operations that check the right before they write.
  const permission = jest.spyOn(records, 'permission').mockResolvedValue({ allowed: true });
  ends.push(() => permission.mockRestore());
  expect(await contradictions(507)).toEqual([]);
});
