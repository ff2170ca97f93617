// Fills a service over HTTP with one record of each type and what they need, using its own API document, so that it works with
// the server of any commit.
import { pngSquare, SVG_HEXAGON } from '../../runtime/admin/demo/images.js';
import { clientOf, type Reply, type RequestOptions, type Send, upload } from '../support/client.js';
import { PDF, referencesOf } from '../support/references.js';
import type { HttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, type Subscriber, sell } from '../webhooks/subscriber.js';

/** A user with a session. */
export interface Person {
  readonly username: string;
  readonly password: string;
  readonly session: string;
}

/** A POST with an Idempotency-Key, and its response. */
export interface KeyedCreate {
  readonly key: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly id: string;
}

/** A hook whose callbacks the receiver refused or left unanswered, with the callback that is still due. */
export interface DueHook {
  readonly id: string;
  readonly delivery: string;
  readonly message: string;
}

export interface Seeded {
  readonly root: Person;
  readonly ada: Person;
  /** Id of a record of each type. */
  readonly records: Readonly<Record<string, string>>;
  readonly keyed: KeyedCreate;
  readonly hooks: { readonly failing: DueHook; readonly open: DueHook; readonly paused: { readonly id: string } };
  readonly subscriber: Subscriber;
}

interface Document {
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown } | undefined>> };
}

/** @param receiver receives the callbacks */
export async function seed(
  address: string,
  { root, ada }: { readonly root: Omit<Person, 'session'>; readonly ada: Omit<Person, 'session'> },
  receiver: HttpReceiver,
): Promise<Seeded> {
  const send = clientOf(address);
  const people = { root: await login(send, root), ada: await login(send, ada) };
  const { session } = people.ada;
  const records = await makeRecords(address, people);
  const keyed = await createWithKey(send, session, String(records.designer));
  const subscriber = await makeSubscriber(address, session);
  const hooks = await makeHooks({ address, people, subscriber, receiver });
  return { ...people, records, keyed, hooks, subscriber };
}

export async function login(send: Send, { username, password }: Omit<Person, 'session'>): Promise<Person> {
  const { body } = await send('POST', '/api/session', { parameters: { username, password } });
  return { username, password, session: String(body.id) };
}

type People = Readonly<Record<'root' | 'ada', Person>>;

async function makeRecords(address: string, { root, ada }: People): Promise<Readonly<Record<string, string>>> {
  const send = clientOf(address);
  const { body: document } = await send('GET', '/openapi.json');
  const { order, targets } = referencesOf(document);
  const file = (name: string, bytes: string | Buffer) =>
    upload(address, ada.session, { name, bytes: Buffer.from(bytes) });
  const { body: session } = await send('GET', `/api/session/${ada.session}`, { session: ada.session });
  const ids = new Map([
    ['user', String(session.user_id)],
    ['file', await file('red.png', pngSquare(200, 30, 30))],
    ['image/svg+xml', await file('outline.svg', SVG_HEXAGON)],
    ['application/pdf', await file('rules.pdf', PDF)],
  ]);
  const examples = exampleReader(document, (resource, name) => targets[`${resource}.${name}`], ids);
  for (const resource of order.filter((name) => !ids.has(name) && name !== 'webhook')) {
    const parameters = examples(resource);
    const make = ({ session: by }: Person) => send('POST', `/api/${resource}`, { session: by, parameters });
    const first = await make(ada);
    ids.set(resource, idIn(first.status === 403 ? await make(root) : first, resource));
  }
  return Object.fromEntries([...ids].filter(([name]) => !name.includes('/')));
}

/** The most complete example of a create, with ids of existing records. */
function exampleReader(
  { components }: Document,
  targetOf: (resource: string, parameter: string) => string | undefined,
  ids: ReadonlyMap<string, string>,
): (resource: string) => Readonly<Record<string, unknown>> {
  return (resource) => {
    const example = components.examples[`${resource}_create_all`] ?? components.examples[`${resource}_create_required`];
    const parameters = Object.entries((example?.value ?? {}) as Readonly<Record<string, unknown>>);
    const filled = parameters.map(([name, value]): [string, unknown] => {
      const target = targetOf(resource, name) ?? (name.endsWith('_id') ? name.replace(/_id$/, '') : null);
      return [name, target === null ? withIds(value, ids) : ids.get(target)];
    });
    // A reference to a type without records is undefined, which JSON omits.
    return Object.fromEntries(filled);
  };
}

/** Ids inside a JSON value, by key. */
function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, ids.get(name.replace(/_id$/, '')) ?? withIds(each, ids)]),
  );
}

async function createWithKey(send: Send, session: string, designer: string): Promise<KeyedCreate> {
  const [key, path] = ['made-before-the-upgrade', '/api/game'];
  const parameters = { name: 'Made once', designer_id: designer };
  const reply = await send('POST', path, keyedRequest({ key, parameters, session }));
  return { key, path, parameters, id: idIn(reply, path) };
}

/** The request of a create with a key. */
export function keyedRequest({
  key,
  ...sent
}: Pick<KeyedCreate, 'key' | 'parameters'> & { readonly session: string }): RequestOptions {
  return { ...sent, headers: { 'idempotency-key': key } };
}

interface HookScene {
  readonly address: string;
  readonly people: People;
  readonly subscriber: Subscriber;
  readonly receiver: HttpReceiver;
}

/** The first hook refuses a sale, the second leaves it unanswered, and the third, which an administrator paused, has it held. */
async function makeHooks({ address, people, subscriber, receiver }: HookScene): Promise<Seeded['hooks']> {
  const send = clientOf(address);
  const owner = { event: 'ItemSold', owner_class: 'Designer', owner_id: subscriber.designer };
  const hook = async (path: string): Promise<string> => {
    const callback_uri = `${receiver.address}${path}`;
    const parameters = { ...owner, callback_uri, api_key_id: subscriber.key.id };
    const reply = await send('POST', '/api/webhook', { session: subscriber.session, parameters });
    await receiver.until((posts) => posts.find((post) => post.path === path));
    return idIn(reply, 'webhook');
  };
  const ids = { failing: await hook('/failing'), open: await hook('/open'), paused: await hook('/paused') };
  await send('POST', `/api/webhook/${ids.paused}/pause`, { session: people.root.session, parameters: {} });
  receiver.answer = ({ path }) => (path === '/open' ? null : 500);
  const { body } = await send('GET', `/api/session/${people.ada.session}`, { session: people.ada.session });
  const by = { admin: people.root.session, buyer: String(body.user_id) };
  await sell(address, by, { game: subscriber.game, sku: 'BEFORE' });
  const due = async (id: string): Promise<DueHook> => {
    const { delivery, message } = await receiver.until((posts) =>
      posts.find(({ said }) => said.id === id && said.type === 'data'),
    );
    return { id, delivery, message };
  };
  const failing = await due(ids.failing);
  await failureCounted(send, ids.failing, people.ada.session);
  return { failing, open: await due(ids.open), paused: { id: ids.paused } };
}

async function failureCounted(send: Send, id: string, session: string): Promise<void> {
  while ((await send('GET', `/api/webhook/${id}`, { session })).body.failures_since_last_success === 0);
}

function idIn({ status, body, text }: Reply, what: string): string {
  if (typeof body?.id !== 'string') throw new Error(`${what}: ${status} ${text}`);
  return body.id;
}
