// References across placements, which no foreign key protects.
import { createIds } from '../../../runtime/contract/ids.js';
import { createPostgresRecords } from '../../../runtime/store/postgres/records.js';
import { fromPromise } from '../../../runtime/store/unit.js';
import { openOnServer } from '../../engine/records-fixture.js';
import { hasPostgres } from '../../support/postgres.js';
import { SAMPLE, SAMPLE_SCHEMA } from '../sample.js';
import { ADMIN, as, change, NOW, repeatable } from '../setup.js';

/** The definitions of the sample, except that a file is deleted with its user. */
const DEFINITIONS = Object.values(SAMPLE).map((definition) => ({
  ...definition,
  references: definition.references.map((reference) =>
    definition.name === 'file' && reference.column === 'user_id'
      ? { ...reference, onDelete: 'cascade' as const }
      : reference,
  ),
}));

const MOST_POLLS = 1000;

(hasPostgres ? test : test.skip).each(['file', 'user'] as const)(
  'a record is not deleted, by itself or with its user, while a new reference to it is uncommitted: %s',
  async (resource) => {
    const { fixture, connections } = await openOnServer('PostgreSQL');
    const random = repeatable();
    let atGate: () => void = () => undefined;
    let open: () => void = () => undefined;
    const isAtGate = new Promise<void>((resolve) => {
      atGate = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const records = createPostgresRecords({
      ...{ connections, definitions: DEFINITIONS, schema: SAMPLE_SCHEMA, ids: createIds(random), random },
      profile: { date: 'iso', boolean: 'boolean' },
      behaviours: { piece: { afterCreate: () => ({ events: ['created'] }) } },
      publish() {
        atGate();
        return fromPromise(gate);
      },
    });
    const create = async (...[name, caller, input]: Parameters<typeof change>) =>
      (await records.create(change(name, caller, input))).id;
    const ada = await create('user', ADMIN, { username: 'ada' });
    const bob = await create('user', ADMIN, { username: 'bob' });
    const designer = await create('designer', as(ada), { name: 'Ada Games' });
    const game = await create('game', as(ada), { name: 'Dawn', designer_id: designer });
    const face_id = await create('file', as(bob), { name: 'face.png', file_type: 'image/png' });

    const creating = create('piece', ADMIN, { name: 'p', game_id: game, face_id });
    await Promise.race([isAtGate, creating]);
    let isRemoved = false;
    const removed = resource === 'file' ? face_id : bob;
    // Set even if the deletion fails, since the loop below would not end otherwise.
    const removing = Promise.resolve(records.remove(resource, removed, { caller: ADMIN, now: NOW })).finally(() => {
      isRemoved = true;
    });
    const isWaiting = `SELECT 1 AS "one" FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    // No lock is visible if the deletion waits for the connection of the creation, so the loop is limited.
    for (let polls = 0; !isRemoved && polls < MOST_POLLS && (await fixture.select(isWaiting)).length === 0; polls++);
    open();
    await Promise.all([creating, removing]);
    expect(await fixture.select('SELECT name, face_id FROM piece')).toEqual([{ name: 'p', face_id: null }]);
    await fixture.end();
  },
);
