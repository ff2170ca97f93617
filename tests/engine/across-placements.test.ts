// Rights, counts and trees over two placements: SQLite and PostgreSQL accept them, Citus refuses them, and `check` reports them
// (E0517). Similar ones within one placement work everywhere.

import { prepareNamed, run } from '../../runtime/store/postgres/database.js';
import { POSTGRES } from '../../runtime/store/postgres/dialect.js';
import { rightExpression } from '../../runtime/store/sql/access.js';
import { ADMIN, ANYONE, as, NOW } from '../store/setup.js';
import { define, ID, NAME, type Sketch, schemaOf } from '../store/sketch.js';
import { SERVERS } from '../support/servers.js';
import { shared } from '../support/shared.js';
import { describeOnEngines, openOnServer, type RecordsFixture } from './records-fixture.js';

const place = (column: string, to: string) => ({ column, to, place: true as const });
const far = (column: string, to: string) => ({ column, to, onDelete: 'set_null' as const });
const near = (column: string, to: string) => ({ ...far(column, to), inside: true as const });
const column = (name: string) => ({ name, nullable: true });
const shows = (of: string) =>
  ({ id: { kind: 'column', column: 'id' }, size: { kind: 'count', of, by: 'up_id' } }) as const;

/** Records of a user that refer to another user's club, or records of that club. */
function record(name: string, reference: 'user_id' | 'club_id', clause: object, more: Partial<Sketch> = {}): Sketch {
  const toUser = reference === 'user_id' ? place('user_id', 'user') : far('user_id', 'user');
  const toClub = reference === 'club_id' ? place('club_id', 'club') : far('club_id', 'club');
  const references = [toUser, toClub, near('near_id', 'club')];
  const columns = [ID, NAME, column('user_id'), column('club_id'), column('near_id'), column('items')];
  return { name, columns, references, access: { read: [clause as never], edit: [clause as never] }, ...more };
}

const through = (reference: string) => ({ through: reference, to: 'club' });
const member = (name: string, more: object = {}) => ({ member: name, by: 'club_id', user: 'user_id', ...more });
const anyone = { anyone: true };

const SKETCHES: readonly Sketch[] = [
  { name: 'user', principal: true, columns: [ID, NAME], access: { edit: [{ self: true }] } },
  {
    name: 'club',
    columns: [ID, NAME, column('user_id')],
    references: [place('user_id', 'user')],
    access: { edit: [{ user: 'user_id' }] },
  },
  record('associate', 'club_id', anyone),
  record('ticket', 'user_id', anyone),
  record('visitor', 'user_id', anyone, { references: [far('user_id', 'user'), far('club_id', 'club')] }),
  record('poster', 'user_id', through('club_id')),
  record('flyer', 'user_id', through('near_id')),
  record('lamp', 'user_id', member('associate')),
  record('room', 'club_id', member('associate')),
  record('hall', 'club_id', member('associate', { in: 'items' })),
  record('door', 'club_id', member('visitor')),
  record('desk', 'club_id', member('ticket')),
  record('bell', 'club_id', member('ticket', { in: 'items' })),
  record('shelf', 'club_id', anyone, { properties: shows('book') }),
  record('board', 'club_id', anyone, { properties: shows('note') }),
  ...[place('up_id', 'shelf'), far('up_id', 'board')].map((up) => ({
    name: up.to === 'shelf' ? 'book' : 'note',
    columns: [ID, NAME, column('up_id')],
    references: [up],
  })),
  ...[near('up_id', 'branch'), far('up_id', 'trunk')].map((up) => ({
    name: up.to,
    columns: [ID, NAME, column('user_id'), column('up_id')],
    references: [place('user_id', 'user'), up],
    access: { read: [anyone as never], edit: [anyone as never] },
  })),
];
const GIVEN = { definitions: SKETCHES.map(define), schema: schemaOf(SKETCHES), acrossPlacements: true };

/** Whether the reader, a member of the club, may read a record, in every combination of placements. */
const READ: readonly (readonly [resource: string, reader: 'owner' | 'member', isRefused: boolean])[] = [
  ['poster', 'owner', true],
  ['flyer', 'owner', false],
  ['lamp', 'member', true],
  ['room', 'member', false],
  ['hall', 'member', true],
  ['door', 'member', true],
  ['desk', 'member', false],
  ['bell', 'member', false],
  ['board', 'member', true],
  ['shelf', 'member', false],
];

const change = (resource: string, input: Readonly<Record<string, string>>) => ({
  ...{ resource, caller: ADMIN, input, failures: [], now: NOW, upload: null },
});
/** A statement sent after the refused one, in its transaction, may be the first to report the refusal. */
const REFUSED = expect.objectContaining({ code: expect.stringMatching(/^(0A000|25P02)$/) });

/** A club of one user, a member of it, and a record of another user that refers to it. */
async function scene({ records }: RecordsFixture) {
  const create = async (resource: string, input: Readonly<Record<string, string>>) =>
    (await records.create(change(resource, { name: 'x', ...input }))).id;
  const [owner, joined, other] = [await create('user', {}), await create('user', {}), await create('user', {})];
  const club = await create('club', { user_id: owner });
  const items = JSON.stringify([{ club_id: club }]);
  for (const name of ['associate', 'ticket', 'visitor']) {
    await create(name, { user_id: joined, club_id: club, items });
  }
  return { create, owner, joined, other, club };
}

describeOnEngines('across placements,', (open, name) => {
  const isCitus = name === 'Citus';
  const fixture = shared(() => open(GIVEN));
  let at: Awaited<ReturnType<typeof scene>>;
  beforeAll(async () => {
    at = await scene(fixture);
  });

  test.each(READ)('%s is read by the %s', async (resource, reader, isRefused) => {
    const placed = resource === 'flyer' ? { user_id: at.owner, near_id: at.club } : { user_id: at.other };
    const read = async () => {
      const id = await at.create(resource, { ...placed, club_id: at.club });
      return fixture.records.get(resource, id, as(reader === 'owner' ? at.owner : at.joined));
    };
    if (isCitus && isRefused) await expect(read()).rejects.toEqual(REFUSED);
    else expect(await read()).toMatchObject({ found: true });
  });

  test.each([
    ['branch', false],
    ['trunk', true],
  ])('%s is moved', async (resource, isRefused) => {
    const root = await at.create(resource, { user_id: at.owner });
    const leaf = await at.create(resource, { user_id: at.owner });
    const move = async () => fixture.records.update(leaf, change(resource, { up_id: root }));
    if (isCitus && isRefused) await expect(move()).rejects.toEqual(REFUSED);
    else expect((await move()).text).toContain(root);
  });

  test('nobody else reads them', async () => {
    const id = await at.create('room', { user_id: at.other, club_id: at.club });
    expect(await fixture.records.get('room', id, as(at.other))).toMatchObject({ found: false });
    expect(await fixture.records.get('room', id, ANYONE)).toMatchObject({ found: false });
  });
});

/** Web hooks check the right to edit an owner of events for users other than the caller. */
for (const { name, available } of SERVERS) {
  (available ? test : test.skip)(`the right to receive events is read by one statement, on ${name}`, async () => {
    const { fixture, connections } = await openOnServer(name, GIVEN);
    const { create, joined, club } = await scene(fixture);
    const definitions = new Map(GIVEN.definitions.map((one) => [one.name, one]));
    const editors = async (resource: string) => {
      const owner = await create(resource, { user_id: joined, club_id: club });
      const access = { resource, right: 'edit', alias: 't', user: 's.id', placement: '@shard' };
      const sql =
        `SELECT s.id FROM unnest(@users::text[]) AS s (id), "${resource}" t WHERE t._shard = @shard AND t.id = @owner ` +
        `AND ${rightExpression({ definitions, dialect: POSTGRES }, access)}`;
      const bound = { users: [joined], shard: owner.slice(0, 2), owner };
      return run(connections.query, prepareNamed(connections, sql)(bound));
    };
    expect(await editors('room')).toEqual([{ id: joined }]);
    if (name === 'Citus') await expect(editors('desk')).rejects.toEqual(REFUSED);
    else expect(await editors('desk')).toEqual([{ id: joined }]);
    await fixture.end();
  });
}
