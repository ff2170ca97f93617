// `punchboard import`: records of another service keep their IDs where they can, and a mapping lists the other IDs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IdMapping, type Import, importRecords } from '../../runtime/admin/commands/import-work.js';
import { runHere } from '../support/in-process.js';
import { onPostgres } from '../support/on-postgres.js';
import { startService, type TestService } from '../support/service.js';
import { OURS } from './processes.js';

const OLD = (number: number) => `AAAAAAAA-0000-4000-8000-00000000000${number}`;
const RECORDS = [
  { object_type: 'part', object_name: 'Part', id: OLD(1), name: 'Pawn' },
  { object_type: 'designer', id: OLD(2), name: 'Acme', date_created: '2020-01-01 00:00:00' },
  { object_type: 'game', id: OLD(3), name: 'Harbour', designer_id: OLD(2) },
  { object_type: 'gamepart', id: OLD(4), game_id: OLD(3), part_id: OLD(1), quantity: 3 },
  { object_type: 'booklet', id: OLD(5), game_id: OLD(3), name: 'Rules' },
  // The service names the type in this way.
  { object_type: 'largebookletpage', id: OLD(6), booklet_id: OLD(5), name: 'One' },
];
const text = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');

async function begin(admin = true) {
  const service = await startService({ processes: 1 });
  const root = await service.user('root', admin);
  const mapped: IdMapping[] = [];
  const go = (written: string, keep: Import['keep'] = (one) => void mapped.push(one)) =>
    importRecords(service.service, {
      ...{ text: written, mapped: [...mapped], keep, now: Date.now },
      caller: { user: root.id, admin },
    });
  return { service, root, mapped, go };
}

async function read(service: TestService, session: string, path: string) {
  const answer = await fetch(`${service.address}/api/${path}?session_id=${session}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

const suite = () => {
  test('ids are kept or replaced, also where other records refer to them', async () => {
    const { service, root, mapped, go } = await begin();
    expect(await go(text(RECORDS))).toEqual({ created: 6, kept: 1, known: 0 });
    const here = (number: number) => mapped.find(({ from }) => from === OLD(number))?.to ?? '';
    expect(here(1)).toBe(OLD(1));
    expect(await read(service, root.session, `part/${OLD(1)}`)).toMatchObject({ name: 'Pawn' });
    expect(await read(service, root.session, `game/${here(3)}`)).toMatchObject({ designer_id: here(2) });
    expect(await read(service, root.session, `gamepart/${here(4)}`)).toMatchObject({ part_id: OLD(1), quantity: 3 });
    expect(await read(service, root.session, `bookletpage/${here(6)}`)).toMatchObject({ booklet_id: here(5) });
    expect(await go(text(RECORDS))).toEqual({ created: 0, kept: 0, known: 6 });
    await service.stop();
  });

  test('a record that was created before it was in the mapping is not created again', async () => {
    const { service, root, mapped, go } = await begin();
    const died = () => {
      throw new Error('killed');
    };
    await expect(go(text(RECORDS.slice(1, 2)), died)).rejects.toThrow('killed');
    expect(await go(text(RECORDS.slice(1, 2)))).toMatchObject({ created: 1 });
    const all = await read(service, root.session, `user/${root.id}/designers`);
    expect(all.items).toMatchObject([{ id: mapped[0]?.to }]);
    await service.stop();
  });

  test('records of a user who is not an administrator have new ids, and a refusal names the line', async () => {
    const { service, mapped, go } = await begin(false);
    const [, designer, game] = RECORDS;
    const refused = { ...game, id: OLD(7), designer_id: 'nothing' };
    await expect(go(text([designer, refused] as object[]))).rejects.toThrow(/^line 2: game AAAA\S+7 is refused: .+/);
    expect(mapped).toHaveLength(1);
    expect(await go(text([designer, game] as object[]))).toEqual({ created: 1, kept: 0, known: 1 });
    await service.stop();
  });
};

suite();
onPostgres(suite);

test('lines that cannot be read are named by number, and nothing is imported', async () => {
  const { service, mapped, go } = await begin();
  const file = { object_type: 'file', id: OLD(8), name: 'art' };
  const lines = `${text(RECORDS.slice(0, 1))}{\n[]\n{"id":"x","type":"cart"}\n{"type":"game"}\n${text([file, RECORDS[0] ?? {}])}`;
  const error = await go(lines).catch((one: Error) => one.message);
  expect(error).toBe(
    [
      'nothing is imported:',
      'line 2: it is not JSON',
      'line 3: it is not an object',
      'line 4: there is no type "cart" ("object_type")',
      'line 5: it has no "id"',
      'line 6: a file is uploaded, not imported: name its id here in the mapping',
      `line 7: part ${OLD(1)} is there twice`,
    ].join('\n'),
  );
  expect(mapped).toEqual([]);
  await service.stop();
});

test('the command writes the mapping beside the records, and goes on where it was', async () => {
  const service = await startService({ processes: 1 });
  await service.user('root', true);
  const [file, ids] = ['records', 'records.ids'].map((name) => join(service.folder, name)) as [string, string];
  writeFileSync(file, text(RECORDS.slice(0, 2)));
  const args = ['import', file, '--username', 'root', '--database', join(service.folder, 'punchboard.db')];
  const go = () => runHere(args, service.folder, { env: OURS });
  expect(await go()).toMatchObject({
    code: 0,
    stdout: `Imported 2 (1 with their own ids), 0 were there already; ids are in ${ids}.\n`,
  });
  const written = readFileSync(ids, 'utf8');
  // The first run was killed while it wrote the second line.
  writeFileSync(ids, written.slice(0, -5));
  writeFileSync(file, text(RECORDS.slice(0, 3)));
  expect((await go()).stdout).toMatch(/^Imported 2 \(0 with their own ids\), 1 were there/);
  expect(readFileSync(ids, 'utf8').startsWith(written)).toBe(true);
  writeFileSync(ids, 'x\n');
  expect(await go()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('records.ids: line 1: it is not {"type"'),
  });
  await service.stop();
});
