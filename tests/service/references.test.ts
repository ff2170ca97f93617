// Every reference: missing, of the wrong type, somebody else's, another owner's (Must hold 1; D04, D16, D37).

import { placedBy } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName, type ReferenceParameter } from '../document/table.js';
import { refusal } from './replies.js';
import { makeWorld, type Person, type Sent, type World } from './world.js';

let world: World;
let associate: Person;
beforeAll(async () => {
  world = await makeWorld();
  associate = await world.service.user('associate');
  for (const by of [world.owner, world.stranger]) {
    const designer_id = await world.home('designer', by);
    await world.make('designerassociate', { designer_id, user_id: associate.id }, by);
  }
});
afterAll(() => world.stop());

interface Row {
  readonly name: RecordName;
  readonly parameter: string;
  readonly reference: ReferenceParameter;
}
const rows: readonly Row[] = documentedNames
  .filter((name) => name !== 'webhook')
  .flatMap((name) =>
    Object.entries(parameters[name].references).map(([parameter, reference]) => ({ name, parameter, reference })),
  );

/** Records whose id is tried where another type is wanted. */
const kinds: readonly RecordName[] = ['designer', 'boxtop', 'folder', 'user', 'game', 'file'];

/** Code by what the caller must hold on the target; `ok` where anybody's will do. */
const OF_ANOTHER = { edit: 'forbidden', use: 'forbidden', exists: 'ok' } as const;

const create = async (name: RecordName, sent: Sent, { session }: Person = world.owner) =>
  world.send('POST', records[name].base, { session, parameters: { ...(await world.minimal(name)), ...sent } });
const update = (name: RecordName, id: string, sent: Sent, { session }: Person = world.owner) =>
  world.send('PUT', `${records[name].base}/${id}`, { session, parameters: sent });

describe.each(rows)('$name $parameter', ({ name, parameter, reference }) => {
  const said = (code: string) => [`${parameter}: ${code}`];

  /** The same answer to a create and to an update, which then changes nothing. */
  async function refused(value: string, code: string): Promise<void> {
    expect(refusal(await create(name, { [parameter]: value }))).toEqual(said(code));
    const before = await world.make(name);
    expect(refusal(await update(name, before.id, { [parameter]: value }))).toEqual(said(code));
    const after = await world.send('GET', `${records[name].base}/${before.id}`, { session: world.owner.session });
    expect(after.body).toEqual(before);
  }

  test('Missing', async () => {
    await refused('zzzzzzzzzzzzzzzzzzzzzzzzzz', 'reference_not_found');
    const gone = await world.target(reference);
    const { session } = world.owner;
    const removed = await world.send('DELETE', `${records[reference.to].base}/${gone}`, { session });
    // Users are not deleted.
    if (removed.status === 200) await refused(gone, 'reference_not_found');
  });

  test('OfTheWrongType', async () => {
    const others = kinds.filter((each) => each !== reference.to);
    await refused(await world.home(others[0] ?? 'game'), 'reference_not_found');
    const ids = await Promise.all(others.map((other) => world.home(other)));
    const replies = await Promise.all(ids.map((id) => create(name, { [parameter]: id })));
    expect(replies.map(refusal)).toEqual(others.map(() => said('reference_not_found')));
  });

  test('OfSomebodyElse', async () => {
    const theirs = await world.target(reference, world.stranger);
    const code = OF_ANOTHER[reference.need];
    if (code === 'ok')
      expect((await create(name, { [parameter]: theirs })).body).toMatchObject({ [parameter]: theirs });
    else await refused(theirs, code);
  });

  test('AnotherOfOnesOwn', async () => {
    const { id } = await world.make(name);
    const value = await world.target(reference);
    expect((await update(name, id, { [parameter]: value })).body).toMatchObject({ id, [parameter]: value });
  });
});

const images = rows.filter(({ reference }) => reference.accepts !== undefined);
const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'text/plain'];

test.each(images)('FileTypes/$name $parameter', async ({ name, parameter, reference }) => {
  for (const type of types) {
    const { id } = await world.file(type);
    const reply = await create(name, { [parameter]: id });
    const taken = reference.accepts?.includes(type) === true;
    expect([type, taken ? reply.status : refusal(reply)]).toEqual([
      type,
      taken ? 201 : [`${parameter}: unsupported_file`],
    ]);
  }
});

const placed = rows.filter(({ name, parameter }) => parameter === `${placedBy[name]}_id`);

test.each(placed)('ToAnotherOwnersParentIsConflict/$name', async ({ name, parameter, reference }) => {
  const made = await world.make(name);
  const theirs = await world.make(reference.to, {}, world.stranger);
  const reply = await update(name, made.id, { [parameter]: theirs.id }, world.admin);
  expect(refusal(reply)).toEqual([`${parameter}: conflict`]);
});

test('WhoMayEditBothMeetsTheConflictToo', async () => {
  const { id } = await world.make('boxtop', { game_id: await world.home('game') });
  const game_id = await world.home('game', world.stranger);
  expect((await create('boxtop', { game_id }, associate)).status).toBe(201);
  expect(refusal(await update('boxtop', id, { game_id }, associate))).toEqual(['game_id: conflict']);
});

describe('AssociatesAndFiles', () => {
  const box = async () => world.make('boxtop', { top_id: (await world.file()).id, game_id: await world.home('game') });

  test('OnesOwnCanBeSet', async () => {
    const { id } = await world.file('image/png', associate);
    const reply = await update('boxtop', (await box()).id, { top_id: id }, associate);
    expect(reply.body).toMatchObject({ top_id: id, top: { id } });
  });

  test('WhatIsThereAlreadyCanBeSentAgain', async () => {
    const { id, top_id } = await box();
    const reply = await update('boxtop', id, { top_id, name: 'Again' }, associate);
    expect(reply.body).toMatchObject({ top_id, name: 'Again' });
  });

  test('TheDesignersOthersCannot', async () => {
    const { id } = await world.file();
    const reply = await update('boxtop', (await box()).id, { top_id: id }, associate);
    expect(refusal(reply)).toEqual(['top_id: forbidden']);
  });
});
