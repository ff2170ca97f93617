// The effect of a deletion on records that refer to the deleted one (D33), row by row of the references' table.

import { parameters } from '../document/parameters.js';
import { deleted } from '../document/paths.js';
import { records } from '../document/resources.js';
import type { RecordName, ReferenceParameter } from '../document/table.js';
import { refusal } from './replies.js';
import { makeWorld, type ShownRecord, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

interface Row {
  readonly name: RecordName;
  readonly parameter: string;
  readonly reference: ReferenceParameter;
}
/** Users are not deleted; web hooks have their own tests, in tests/webhooks. */
const rows: readonly Row[] = (Object.keys(parameters) as RecordName[])
  .filter((name) => name !== 'webhook')
  .flatMap((name) =>
    Object.entries(parameters[name].references)
      .filter(([, { to }]) => to !== 'user')
      .map(([parameter, reference]) => ({ name, parameter, reference })),
  );
const by = (rule: ReferenceParameter['onDelete']) => rows.filter(({ reference }) => reference.onDelete === rule);

const session = () => world.owner.session;
const at = (name: RecordName, id: string) => `${records[name].base}/${id}`;
const remove = (name: RecordName, id: string) => world.send('DELETE', at(name, id), { session: session() });
const fetched = (name: RecordName, id: string) => world.send('GET', at(name, id), { session: session() });

/** A record and its target. A file record is an upload, so its folder is set afterwards. */
async function pair({ name, parameter, reference }: Row, more = {}): Promise<{ record: ShownRecord; target: string }> {
  const target = await world.target(reference);
  if (name !== 'file') return { record: await world.make(name, { [parameter]: target, ...more }), target };
  const { id } = await world.file();
  const reply = await world.send('PUT', at('file', id), { session: session(), parameters: { [parameter]: target } });
  return { record: reply.body as ShownRecord, target };
}

test('every rule has rows', () => {
  expect([by('cascade').length, by('set_null').length, by('restrict').length]).toEqual([16, 30, 2]);
});

test.each(by('cascade'))('is deleted with it/$name $parameter', async (row) => {
  const { record, target } = await pair(row);
  const bystander = await world.make(row.name);
  expect((await remove(row.reference.to, target)).body).toEqual(deleted);
  expect(refusal(await fetched(row.name, record.id))).toEqual(['not_found']);
  expect(refusal(await remove(row.name, record.id))).toEqual(['not_found']);
  expect((await fetched(row.name, bystander.id)).body).toEqual(bystander);
});

test.each(by('set_null'))('is cleared/$name $parameter', async (row) => {
  const word = row.parameter.replace(/_id$/, '');
  const proof = `has_proofed_${word}`;
  const proofed = Object.hasOwn(records[row.name].fields, proof);
  const { record, target } = await pair(row, proofed ? { [proof]: true } : {});
  expect(record).toMatchObject({ [row.parameter]: target, ...(proofed ? { [proof]: true } : {}) });
  expect((await remove(row.reference.to, target)).body).toEqual(deleted);
  const after = (await fetched(row.name, record.id)).body;
  const { [word]: _, ...rest } = record;
  // A synonym that is shown beside it is cleared with it.
  const cleared = Object.entries(rest).map(([name, value]) => [name, value === target ? null : value] as const);
  expect(after).toEqual({ ...Object.fromEntries(cleared), ...(proofed ? { [proof]: false } : {}) });
});

test.each(by('restrict'))('prevents it/$name $parameter', async (row) => {
  const { record, target } = await pair(row);
  expect(refusal(await remove(row.reference.to, target))).toEqual(['conflict']);
  expect((await fetched(row.name, record.id)).body).toEqual(record);
  expect((await fetched(row.reference.to, target)).status).toBe(200);
  await remove(row.name, record.id);
  expect((await remove(row.reference.to, target)).body).toEqual(deleted);
});

test('a game is deleted with everything below it', async () => {
  const game_id = (await world.make('game')).id;
  const set = await world.make('twosidedsluggedset', { game_id });
  const booklet = await world.make('booklet', { game_id });
  const coilbook = await world.make('coilbook', { game_id });
  const file_id = (await world.file()).id;
  const below: readonly (readonly [RecordName, ShownRecord])[] = [
    ['twosidedsluggedset', set],
    ['twosidedslugged', await world.make('twosidedslugged', { set_id: set.id })],
    ['booklet', booklet],
    ['bookletpage', await world.make('bookletpage', { booklet_id: booklet.id })],
    ['coilbook', coilbook],
    ['coilbookpage', await world.make('coilbookpage', { book_id: coilbook.id })],
    ['gamedownload', await world.make('gamedownload', { game_id, file_id })],
  ];
  expect((await remove('game', game_id)).body).toEqual(deleted);
  for (const [name, { id }] of below) expect([name, (await fetched(name, id)).status]).toEqual([name, 404]);
  // The file was only referred to.
  expect((await fetched('file', file_id)).status).toBe(200);
});

test('the bytes of a deleted file are not served', async () => {
  const { id, file_uri } = await world.file();
  expect((await fetch(`${world.address}${file_uri}`)).status).toBe(200);
  await remove('file', id);
  expect((await fetch(`${world.address}${file_uri}`)).status).toBe(404);
});
