// Image fields: what describes them (D25), what a new image does to its proof flag (D26), for every image there is.

import { brief } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import type { RecordName } from '../document/table.js';
import { makeWorld, type Sent, type World } from './world.js';

let world: World;
/** Two pictures of the owner's. */
let pair: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await makeWorld();
  pair = { A: (await world.file()).id, B: (await world.file()).id };
});
afterAll(() => world.stop());

interface Image {
  readonly name: RecordName;
  /** `top` of top_id, has_proofed_top and top. */
  readonly word: string;
  readonly proofed: boolean;
}
const images: readonly Image[] = (Object.keys(records) as RecordName[]).flatMap((name) =>
  Object.entries(parameters[name].references)
    .filter(([, { accepts }]) => accepts !== undefined)
    .map(([parameter]) => parameter.replace(/_id$/, ''))
    .map((word) => ({ name, word, proofed: Object.hasOwn(records[name].fields, `has_proofed_${word}`) })),
);

/** A record's state before, what an update sends, the flag after. `A` and `B` are the pair above. */
const resets: readonly (readonly [string, { image: 'A' | null; flag: boolean }, Sent, boolean])[] = [
  ['another image', { image: 'A', flag: true }, { image: 'B' }, false],
  ['another image with the flag', { image: 'A', flag: true }, { image: 'B', flag: true }, true],
  ['another image with the flag down', { image: 'A', flag: true }, { image: 'B', flag: false }, false],
  ['the same image', { image: 'A', flag: true }, { image: 'A' }, true],
  ['the same image, flag down', { image: 'A', flag: true }, { image: 'A', flag: false }, false],
  ['something else', { image: 'A', flag: true }, { name: 'Renamed' }, true],
  ['no image any more', { image: 'A', flag: true }, { image: null }, false],
  ['the flag alone', { image: 'A', flag: false }, { flag: true }, true],
  ['the flag down alone', { image: 'A', flag: true }, { flag: false }, false],
  ['a first image', { image: null, flag: false }, { image: 'A' }, false],
  ['a first image with the flag', { image: null, flag: false }, { image: 'A', flag: true }, true],
];

describe.each(images)('$name $word', ({ name, word, proofed }) => {
  const [id, flag] = [`${word}_id`, `has_proofed_${word}`];
  const accepts = parameters[name].references[id]?.accepts?.[0];

  test('IsDescribedWhileItIsSet', async () => {
    const file = await world.file(accepts);
    const path = `${records[name].base}/${(await world.make(name, { [id]: file.id })).id}`;
    const description = Object.fromEntries(brief.map((property) => [property, file[property]]));
    const { session } = world.owner;
    expect((await world.send('GET', path, { session })).body[word]).toEqual(description);
    const cleared = await world.send('PUT', path, { session, parameters: { [id]: null } });
    expect(cleared.body).toHaveProperty(id, null);
    expect(cleared.body).not.toHaveProperty(word);
  });

  if (!proofed) return;
  test('AFirstImageIsNotProofedUnlessSaid', async () => {
    const { id: file } = await world.file(accepts);
    expect(await world.make(name, { [id]: file })).toHaveProperty(flag, false);
    expect(await world.make(name, { [id]: file, [flag]: true })).toHaveProperty(flag, true);
  });

  test.each(resets)('Reset/%s', async (_, before, sent, after) => {
    const named = (state: Sent): Sent =>
      Object.fromEntries(
        Object.entries(state).map(([key, value]) =>
          key === 'image' ? [id, pair[String(value)] ?? null] : key === 'flag' ? [flag, value] : [key, value],
        ),
      );
    const made = await world.make(name, named(before));
    expect(made).toMatchObject(named(before));
    const { session } = world.owner;
    const reply = await world.send('PUT', `${records[name].base}/${made.id}`, { session, parameters: named(sent) });
    expect(reply.body).toMatchObject({ ...named(sent), [flag]: after });
  });
});

test('EveryImageIsHere', () => {
  const counts = new Map<string, number>();
  for (const { name } of images) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    twosidedsluggedset: 1,
    twosidedslugged: 2,
    twosidedbox: 2,
    boxtop: 1,
    onesidedslugged: 1,
    customcuttwosidedslugged: 3,
    customcolord6: 6,
    customwoodd6: 6,
    scorepad: 1,
    bookletpage: 1,
    coilbookpage: 1,
  });
  expect(images.filter(({ proofed }) => !proofed).map(({ word }) => word)).toEqual(['cut']);
});

/** D30: an image under its second name resets the flag just the same. */
test('ASynonymResetsTheFlagToo', async () => {
  const made = await world.make('scorepad', { face_id: (await world.file()).id, has_proofed_face: true });
  expect(made).toMatchObject({ has_proofed_image: true });
  const { session } = world.owner;
  const face_id = (await world.file()).id;
  const reply = await world.send('PUT', `/api/scorepad/${made.id}`, { session, parameters: { face_id } });
  expect(reply.body).toMatchObject({ image_id: face_id, has_proofed_image: false });
});
