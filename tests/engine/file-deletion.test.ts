// The deletion of a file with many uses asks only the shards that have a use, after one statement that finds them.
import type { Input, Row, Upload } from '../../runtime/contract/definition.js';
import { actions, behaviours } from '../../runtime/resources/index.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import type { Caller } from '../../runtime/store/records.js';
import { ADMIN, as, NOW } from '../store/setup.js';
import { SHARDS } from '../support/citus.js';
import { unrouted } from '../support/routing.js';
import { SERVERS } from '../support/servers.js';
import { mayTouchAllShards } from './across-shards.js';
import { openOnServer, type WatchedStatements } from './records-fixture.js';

const USES = 1_000;
const OWNERS = 4;
const PICTURE: Upload = {
  name: 'face.png',
  type: 'image/png',
  size: 321,
  width: 825,
  height: 1125,
  hash: 'a'.repeat(64),
};

/** A file of one owner on the lids of boxes in games of several owners, and a box with another file. */
async function scene({ fixture }: WatchedStatements) {
  const { records, select } = fixture;
  const create = async (resource: string, caller: Caller, input: Input, upload: Upload | null = null) => {
    const change = { resource, caller, input, failures: [], now: NOW, upload };
    return (await records.create(change)).id;
  };
  const games: string[] = [];
  const owners: string[] = [];
  for (let at = 0; at < OWNERS; at += 1) {
    const owner = await create('user', ADMIN, {
      username: `owner ${at}`,
      password: 'scrypt$hash',
      email: 'a@example.com',
    });
    const designer = await create('designer', as(owner), { name: 'Lantern' });
    owners.push(owner);
    games.push(await create('game', as(owner), { name: 'Harbour', designer_id: designer }));
  }
  const [owner = ''] = owners;
  const file = await create('file', as(owner), { name: 'face.png' }, PICTURE);
  const other = await create('file', as(owner), { name: 'other.png' }, PICTURE);
  const kept = await create('boxtop', as(owner), { name: 'kept', game_id: games[0] ?? '', top_id: other });
  const [row = {}] = (await select(`SELECT * FROM boxtop WHERE id = '${kept}'`)) as readonly Row[];
  const rows = Array.from({ length: USES }, (_, at) => {
    const game = games[at % OWNERS] ?? '';
    return { ...row, _shard: game.slice(0, 2), id: `${game}${at}`, game_id: game, top_id: file };
  });
  await select(inserted(rows));
  return { owner, file, other, placements: new Set(owners.map((id) => id.slice(0, 2))).size };
}

function inserted(rows: readonly Row[]): string {
  const quoted = (value: unknown) => (value === null ? 'NULL' : `'${value}'`);
  const values = rows.map((row) => `(${Object.values(row).map(quoted).join(', ')})`);
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
  return `INSERT INTO boxtop (${columns.join(', ')}) VALUES ${values.join(', ')}`;
}

for (const { name, available } of SERVERS) {
  (available ? test : test.skip)(`N27: a file with 1,000 uses is deleted with few statements, on ${name}`, async () => {
    const { generated, schema } = loadGenerated(null);
    const options = { definitions: generated.definitions, schema, behaviours, actions };
    const watched = await openOnServer(name, options);
    const { fixture, take, url } = watched;
    const { owner, file, other, placements } = await scene(watched);
    const deletion = async (id: string) => {
      take();
      await fixture.records.remove('file', id, { caller: as(owner), now: NOW + 1_000 });
      return take();
    };
    const calls = await deletion(file);
    // The right, the row, its places of use, the uses of one field, the row itself, its bytes.
    expect(calls.length).toBeLessThan(12);
    const everywhere = calls.filter(({ statement }) => mayTouchAllShards(statement.text));
    expect(everywhere.map(({ statement }) => statement.text.slice(0, 25))).toEqual(['SELECT u."shard", u."use"']);
    if (name === 'Citus') {
      const sent = await unrouted(url, calls);
      const shards = sent.map(({ text, plan }) => [text.slice(0, 16), Number(/Task Count: (\d+)/.exec(plan)?.[1])]);
      expect(shards).toEqual([
        ['SELECT u."shard"', SHARDS],
        ['UPDATE "boxtop" ', expect.any(Number)],
      ]);
      expect(shards[1]?.[1]).toBeLessThanOrEqual(placements);
    }
    const remaining = await fixture.select('SELECT DISTINCT top_id FROM boxtop ORDER BY 1');
    expect(remaining).toEqual([{ top_id: other }, { top_id: null }]);
    expect(await fixture.select('SELECT count(*) AS count FROM boxtop')).toEqual([{ count: USES + 1 }]);
    // A file with fewer uses needs fewer statements.
    expect((await deletion(other)).length).toBeLessThanOrEqual(calls.length);
    await fixture.end();
  });
}
