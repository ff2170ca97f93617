// How each status that an operation declares is provoked, and which statuses are left to other tests, with the reason.
import { API_KEYS } from '../../runtime/contract/needs.js';
import type { PromisedOperation } from './document.js';
import type { Facts, FieldFacts } from './facts.js';
import { parametersOf } from './reading.js';
import { type ValidRequest, validRequest } from './requests.js';
import { ANONYMOUS, type SentParameters, type ServiceRequest } from './service.js';
import { ownedBy, uniqueSets, valueFor } from './supply.js';
import { current, type PropertyTrial } from './trial.js';
import type { World } from './world.js';

/** Statuses that no request can provoke by itself. */
export const UNREACHED: Readonly<Record<number, string>> = {
  429: 'the services of these tests have no limit of rates: tests/promises reaches it for every operation',
  500: 'a mistake of the service itself',
  503: 'the service is busy or stopping: tests/promises reaches it for every operation',
  507: 'there is no space left: tests/promises reaches it for every operation',
};

/** Sends what should be answered with the status. */
export async function provoke(trial: PropertyTrial, operation: PromisedOperation, status: number): Promise<void> {
  await WAYS[status]?.(trial, await validRequest(trial, operation), operation);
}

/** Whether the field of another record prevents the deletion of records of the resource. */
function holds(field: FieldFacts | undefined, { resource, upload }: Facts): boolean {
  const { kind, to, on_delete = 'restrict' } = field ?? {};
  return (
    (to === resource || (upload !== undefined && (kind === 'file' || kind === 'image'))) && on_delete === 'restrict'
  );
}

/** Whether records with the field are deleted with the record that it refers to. */
function goesWith(field: FieldFacts | undefined, { resource }: Facts): boolean {
  return field?.to === resource && field.on_delete === 'cascade';
}

/** The most bytes of a body without its files (D10). */
const MOST_OF_FIELDS = 1024 * 1024;

type Way = (trial: PropertyTrial, request: ValidRequest, operation: PromisedOperation) => Promise<unknown>;

const asking =
  (more: (request: ValidRequest) => Partial<ServiceRequest>): Way =>
  ({ world }, { person, ...asked }) =>
    world.service.request(person, { ...asked, ...more({ person, ...asked }) });

const succeed: Way = asking(() => ({}));

const WAYS: Readonly<Record<number, Way>> = {
  // A create that updates an existing record has to be sent twice.
  200: async (...request) => {
    await succeed(...request);
    await succeed(...request);
  },
  201: succeed,
  400: asking(() => ({ bytes: undefined, body: '{' })),
  // Leaves out what is refused for another reason: parameters that only administrators may send, and another owner.
  401: async ({ world, facts }, { person: _, sent, ...asked }) => {
    const refused = parametersOf(facts).filter(
      ({ required, facts: { set, place } }) => set === 'admin' || (place && !required),
    );
    const names = refused.map(({ name }) => name);
    const free = sent && Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
    await world.service.request(ANONYMOUS, { ...asked, sent: free });
    await world.service.request(ANONYMOUS, { ...asked, sent, headers: { authorization: DEAD_TOKEN } });
  },
  403: async (trial, request) => {
    const { world, facts } = trial;
    const { person: _, ...asked } = request;
    await world.service.request(world.stranger, asked);
    const token = await narrowToken(trial);
    if (token !== null)
      await world.service.request(ANONYMOUS, { ...asked, headers: { authorization: `Bearer ${token}` } });
    if (asked.sent === undefined) return;
    // Nobody else knows of a hidden record, but its owner may not use the records of others.
    const others = await world.sent(facts.resource, world.stranger, 'all');
    await world.service.request(world.owner, { ...asked, sent: { ...asked.sent, ...others } });
    // Sends references to the records of another owner, and parameters that only administrators may send.
    const more = { ...(await world.sent(facts.resource, world.owner, 'all')), ...ownedBy(world, facts, world.owner) };
    const theirs = parametersOf(facts).filter(({ facts: { set } }) => set === 'admin');
    const values: Record<string, unknown> = {};
    for (const one of theirs) values[one.name] = await valueFor(world, facts, one, world.stranger);
    await world.service.request(world.stranger, { ...asked, sent: { ...asked.sent, ...more } });
    await world.service.request(world.stranger, { ...asked, sent: { ...asked.sent, ...values } });
  },
  404: ({ world }, { person, ...asked }, { path }) =>
    world.service.request(person, { ...asked, path: path.replace(/\{\w+\}/, 'nothing') }),
  405: asking(() => ({ headers: { 'x-http-method': 'PUT' } })),
  409: (trial, request) => (request.method === 'DELETE' ? deleteHeld(trial, request) : moveAndRepeat(trial, request)),
  412: asking(() => ({ headers: { 'if-match': '"0", W/"1"' } })),
  413: asking(() => ({ bytes: undefined, body: ' '.repeat(MOST_OF_FIELDS + 1) })),
  415: asking(() => ({ bytes: undefined, body: 'x', headers: { 'content-type': 'text/plain' } })),
  428: asking(() => ({ untagged: true })),
  422: asking(({ path }) => ({ path: `${path}?session_id=a&session_id=b` })),
};

const DEAD_TOKEN = `Bearer 0a.${'x'.repeat(27)}`;

/** The token of an API key that only reads, and only another resource; null: the project has no API keys (D61). */
async function narrowToken({ world, facts }: PropertyTrial): Promise<string | null> {
  const keys = world.project.resources.find(({ resource }) => resource === API_KEYS);
  const [name] = Object.entries(keys?.fields ?? {}).find(([, { kind }]) => kind === 'token') ?? [];
  if (keys === undefined || name === undefined) return null;
  const other = world.project.resources.find(({ resource }) => resource !== facts.resource && resource !== API_KEYS);
  const narrow = keys.fields.resources === undefined ? {} : { resources: [other?.resource] };
  const { body } = await world.create(world.admin, keys.resource, {
    ...(await world.sent(keys.resource, world.admin)),
    ...narrow,
  });
  return typeof body[name] === 'string' ? body[name] : null;
}

/** Deletes all records that others may hold: this one, for which holders are made, and those that are held already. */
async function deleteHeld({ world, facts }: PropertyTrial, { path }: ValidRequest): Promise<void> {
  const base = path.replace(/\/[^/]+$/, '');
  for (const { resource, fields } of world.project.resources) {
    const holding = Object.keys(fields).filter((name) => holds(fields[name], facts));
    if (holding.length === 0) continue;
    const more = Object.fromEntries(holding.map((name) => [`${name}_id`, path.slice(base.length + 1)]));
    await world.make(resource, world.owner, more).catch(() => undefined);
    for (const record of world.records(resource).slice(-2)) {
      const { values } = await world.look(record);
      const ids = holding.flatMap((name) => values[`${name}_id`] ?? []);
      for (const id of ids) await world.service.ask(world.admin, 'DELETE', `${base}/${id}`);
    }
  }
  await holdBelow(world, facts, path.slice(base.length + 1));
  await world.service.ask(world.admin, 'DELETE', path);
}

/** Makes others hold records that are deleted with this one, so that it cannot be deleted. @param above resources above it */
async function holdBelow(world: World, facts: Facts, id: string, above: readonly string[] = []): Promise<void> {
  for (const { resource, fields } of world.project.resources) {
    if (above.includes(resource)) continue;
    for (const name of Object.keys(fields).filter((one) => goesWith(fields[one], facts))) {
      const below = await world.make(resource, world.owner, { [`${name}_id`]: id }).catch(() => null);
      if (below !== null) await hold(world, world.facts(resource), below.id, [...above, facts.resource]);
    }
  }
}

async function hold(world: World, facts: Facts, id: string, above: readonly string[]): Promise<void> {
  for (const { resource, fields } of world.project.resources) {
    const [name] = Object.keys(fields).filter((one) => fields[one]?.to === facts.resource && holds(fields[one], facts));
    if (name !== undefined) await world.make(resource, world.owner, { [`${name}_id`]: id }).catch(() => undefined);
  }
  await holdBelow(world, facts, id, above);
}

/** Moves a record to another owner, and gives it the values of another record. */
async function moveAndRepeat({ world, facts }: PropertyTrial, { person, ...asked }: ValidRequest): Promise<void> {
  const theirs = { ...(await world.sent(facts.resource, world.stranger)), ...ownedBy(world, facts, world.stranger) };
  await world.service.request(person, { ...asked, sent: { ...asked.sent, ...theirs } });
  // Only a value that exists can be taken, so that the other record has every value, including those that are never shown.
  const given = { ...(await world.sent(facts.resource, world.owner, 'all')), ...meeting(facts) };
  const other = await world.make(facts.resource, world.owner, given);
  await world.service.request(person, { ...asked, sent: { ...asked.sent, ...given, ...current(facts, other) } });
}

/** The values with which a record meets the conditions of unique sets. */
function meeting(facts: Facts): SentParameters {
  const conditions: SentParameters = Object.assign({}, ...uniqueSets(facts).map(({ where = {} }) => where));
  const sent = parametersOf(facts).filter(({ field, role }) => role === 'value' && field in conditions);
  return Object.fromEntries(sent.map(({ name, field }) => [name, conditions[field]]));
}
