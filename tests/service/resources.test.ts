// Create, fetch, update, delete of every documented resource, according to its tables (Must hold 1; D14, D17 to D19, D27, D28).

import { sources } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import { deleted, successStatus } from '../document/paths.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import { shared } from '../support/shared.js';
import { problems } from './record.js';
import { ignored, refusal } from './replies.js';
import { closed, everything, sample } from './samples.js';
import { makeWorld, type SentParameters } from './world.js';

/** The web hook is served by a module with different rules: see tests/webhooks. */
const names: readonly RecordName[] = documentedNames.filter((name) => name !== 'webhook');
const NOBODY = 'zzzzzzzzzzzzzzzzzzzzzzzzzz';

const world = shared(makeWorld);

const post = (name: RecordName, sent: SentParameters, session: string | null = world.owner.session) =>
  world.send('POST', records[name].base, { parameters: session === null ? sent : { ...sent, session_id: session } });
const at = (name: RecordName, id: string) => `${records[name].base}/${id}`;
const put = (name: RecordName, id: string, sent: SentParameters, session: string | null = world.owner.session) =>
  world.send('PUT', at(name, id), { parameters: session === null ? sent : { ...sent, session_id: session } });
const get = (name: RecordName, id: string, session: string | null) => world.send('GET', at(name, id), { session });

describe.each(names)('%s', (name) => {
  const { required, optional } = parameters[name];
  const fields = Object.entries(records[name].fields);

  test('a create with the required parameters', async () => {
    const sent = await world.minimal(name);
    expect(Object.keys(sent).sort()).toEqual([...required].sort());
    const reply = await post(name, sent);
    expect(reply.status).toBe(successStatus.create);
    expect(reply.headers.get('location')).toBe(at(name, reply.body.id));
    expect(ignored(reply)).toEqual([]);
    expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
    expect((await get(name, reply.body.id, world.owner.session)).body).toEqual(reply.body);
  });

  test('a create with all parameters', async () => {
    const sent = await everything(world, name);
    expect(Object.keys(sent).sort()).toEqual([...required, ...optional].sort());
    const reply = await post(name, sent);
    expect(reply.status).toBe(successStatus.create);
    expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
  });

  test('a fetch with and without a session', async () => {
    const sent = { ...(await everything(world, name)), ...closed[name] };
    const { id } = (await post(name, sent)).body;
    for (const session of [null, 'dead', world.stranger.session]) {
      const reply = await get(name, id, session);
      expect(reply.status).toBe(successStatus.fetch);
      expect(problems(name, reply.body, { viewer: 'anyone', sent })).toEqual([]);
    }
    for (const { session } of [world.owner, world.admin]) {
      const reply = await get(name, id, session);
      expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
    }
  });

  test('missing required parameters are reported together', async () => {
    const expected = required.map((field) => `${field}: required`).sort();
    const none = await post(name, { nme: 'x' });
    expect([refusal(none), ignored(none)]).toEqual([expected, ['nme']]);
    for (const nothing of [null, '']) {
      const empty = Object.fromEntries(required.map((field) => [field, nothing]));
      expect(refusal(await post(name, empty))).toEqual(expected);
    }
  });

  test.each([...required, ...optional])('update of/%s', async (parameter) => {
    const before = (await post(name, await everything(world, name))).body;
    const value = await sample(world, name, parameter, 'second');
    while (Date.now() <= Date.parse(before.date_updated)); // less than a millisecond: until the clock has moved
    const reply = await put(name, before.id, { [parameter]: value });
    expect(reply.status).toBe(successStatus.update);
    expect(reply.body[parameter]).toEqual(value);
    expect(Date.parse(reply.body.date_updated)).toBeGreaterThan(Date.parse(before.date_updated));
    const { date_updated: _, ...rest } = before;
    expect(reply.body).toMatchObject(without(rest, [parameter, ...followers(name, parameter)]));
    expect(Object.keys(reply.body).sort()).toEqual(Object.keys(before).sort());
    expect((await get(name, before.id, world.owner.session)).body).toEqual(reply.body);
  });

  test('an update without parameters', async () => {
    const before = (await post(name, await world.minimal(name))).body;
    const reply = await put(name, before.id, {});
    expect([reply.status, reply.body]).toEqual([200, before]);
    expect(refusal(await put(name, before.id, {}, world.stranger.session))).toEqual(['forbidden']);
  });

  test('required values cannot be cleared', async () => {
    const before = (await post(name, await world.minimal(name))).body;
    for (const field of required) {
      for (const nothing of [null, '']) {
        expect(refusal(await put(name, before.id, { [field]: nothing }))).toEqual([`${field}: required`]);
      }
    }
    expect((await get(name, before.id, world.owner.session)).body).toEqual(before);
  });

  test('cleared optional values get their defaults again', async () => {
    const all = await everything(world, name);
    const { id } = (await post(name, all)).body;
    const reply = await put(name, id, Object.fromEntries(optional.map((field) => [field, null])));
    const sent = Object.fromEntries(required.map((field) => [field, all[field]]));
    expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
  });

  test('parameters that cannot be set are named and have no effect', async () => {
    const synonyms = Object.keys(parameters[name].synonyms);
    const fixed = fields.flatMap(([field, { readOnly }]) => (readOnly && !synonyms.includes(field) ? [field] : []));
    expect(fixed).toEqual(expect.arrayContaining(['id', 'date_created', 'date_updated', 'object_type']));
    const noise = Object.fromEntries([...fixed, 'nme'].map((field) => [field, NOBODY]));
    const sent = await world.minimal(name);
    const created = await post(name, { ...noise, ...sent });
    expect(ignored(created)).toEqual([...fixed, 'nme'].sort());
    expect(problems(name, created.body, { viewer: 'editor', sent })).toEqual([]);
    expect(created.body.id).not.toBe(NOBODY);
    const updated = await put(name, created.body.id, noise);
    expect(ignored(updated)).toEqual([...fixed, 'nme'].sort());
    expect(updated.body).toEqual(created.body);
  });

  test('parameters documented as without effect are not named', async () => {
    const noise = Object.fromEntries(parameters[name].ignored.map((field) => [field, NOBODY]));
    const sent = await world.minimal(name);
    const reply = await post(name, { ...sent, ...noise });
    expect([reply.status, ignored(reply)]).toEqual([201, []]);
    expect(problems(name, reply.body, { viewer: 'editor', sent })).toEqual([]);
  });

  test('a write requires a valid session', async () => {
    const sent = await world.minimal(name);
    const { id } = (await post(name, sent)).body;
    for (const session of [null, 'dead']) {
      expect(refusal(await post(name, sent, session))).toEqual(['login_required']);
      for (const change of [sent, Object.fromEntries(required.map((field) => [field, null]))]) {
        expect(refusal(await put(name, id, change, session))).toEqual(['login_required']);
      }
      expect(refusal(await world.send('DELETE', at(name, id), { session }))).toEqual(['login_required']);
    }
    expect((await get(name, id, null)).status).toBe(200);
  });

  test('a delete', async () => {
    const { id } = (await post(name, await world.minimal(name))).body;
    const { session } = world.stranger;
    expect(refusal(await world.send('DELETE', at(name, id), { session }))).toEqual(['forbidden']);
    const reply = await world.send('DELETE', `${at(name, id)}?session_id=${world.owner.session}&nme=x`);
    expect([reply.status, reply.body, ignored(reply)]).toEqual([successStatus.delete, deleted, ['nme']]);
    for (const method of ['DELETE', 'GET', 'PUT']) {
      const again = await world.send(method, at(name, id), { session: world.owner.session });
      expect([method, refusal(again)]).toEqual([method, ['not_found']]);
    }
  });

  test('the allowed values', async () => {
    const { identities } = records[name];
    const lists = fields.flatMap(([field, { values }]) => (values === undefined ? [] : [[field, values]]));
    const expected = { ...(identities === null ? {} : { identity: identities }), ...Object.fromEntries(lists) };
    const reply = await world.send('GET', `${records[name].base}/_options`);
    const values = Object.entries(reply.body).filter(([field]) => !field.startsWith('_'));
    expect([reply.status, Object.fromEntries(values)]).toEqual([200, expected]);
  });
});

/** D17: a member has its set's identity, whatever is sent, and follows its changes. */
test.each([
  ['twosidedslugged', 'twosidedsluggedset', 'HexShard', 'TriangleTile'],
  ['onesidedslugged', 'onesidedsluggedset', 'PawnSticker', 'TokenSticker'],
] as const)('members have the identity of their set/%s', async (name, setName, one, other) => {
  const set = await world.make(setName, { identity: one });
  const { id, identity } = await world.make(name, { set_id: set.id, identity: other });
  expect(identity).toBe(one);
  await put(setName, set.id, { identity: other });
  expect((await get(name, id, null)).body.identity).toBe(other);
  const next = await world.make(setName, { identity: one });
  expect((await put(name, id, { set_id: next.id })).body.identity).toBe(one);
});

test('unknown parameters of the records of a bulk create are listed once, also where it is refused (D19)', async () => {
  const set = await world.make('onesidedsluggedset');
  const bulk = (...members: readonly SentParameters[]) =>
    world.send('POST', `/api/onesidedsluggedset/${set.id}/bulk-members`, {
      session: world.owner.session,
      parameters: { members, membres: 1 },
    });
  const created = await bulk({ name: 'A', nme: 'a' }, { name: 'B', nme: 'b', colour: 'red' });
  expect([created.status, ignored(created)]).toEqual([201, ['colour', 'membres', 'nme']]);
  const refused = await bulk({ nme: 'A' });
  expect([refusal(refused), ignored(refused)]).toEqual([['members[0].name: required'], ['membres', 'nme']]);
});

/** Properties that may change with a parameter: those that describe or mirror it, and copies from its target. */
function followers(name: RecordName, parameter: string): readonly string[] {
  const word = parameter.replace(/_id$/, '');
  const mirrors = Object.entries(parameters[name].synonyms).flatMap(([other, own]) =>
    own === parameter ? [other] : [],
  );
  const copies = Object.entries(sources).flatMap(([field, source]) =>
    field.startsWith(`${name}.`) && source.startsWith(`copy ${word}.`) ? [field.slice(name.length + 1)] : [],
  );
  // `part` is the second name of a download's file (D31).
  return [word, `has_proofed_${word}`, ...(parameter === 'file_id' ? ['part'] : []), ...mirrors, ...copies];
}

function without(record: SentParameters, names: readonly string[]): SentParameters {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
