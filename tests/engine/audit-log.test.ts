// One contract for the audit log, on every engine.

import { createIds } from '../../runtime/contract/ids.js';
import type { AuditLog } from '../../runtime/store/audit.js';
import { createAuditLog, createAuditStatement } from '../../runtime/store/audit-log.js';
import { createDatabase as createPostgresDatabase } from '../../runtime/store/postgres/database.js';
import { POSTGRES } from '../../runtime/store/postgres/dialect.js';
import { engineTables } from '../../runtime/store/postgres/tables.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { engineTables as sqliteTables } from '../../runtime/store/sqlite/tables.js';
import { repeatable } from '../store/setup.js';
import { describeOnServers, openDatabase, type TestServer } from '../support/servers.js';
import { fresh } from '../support/shared.js';

interface AuditFixture {
  readonly log: AuditLog;
  end(): void | Promise<void>;
}

function onSqlite(): AuditFixture {
  const db = connectInMemory();
  db.exec(sqliteTables([]).join(';'));
  const statementOf = createAuditStatement(SQLITE, createIds(repeatable()));
  return {
    log: createAuditLog(
      createDatabase(db, async (work) => work()),
      statementOf,
    ),
    end: () => void db.close(),
  };
}

async function onServer(server: TestServer): Promise<AuditFixture> {
  const { connections } = await openDatabase(server, engineTables([]));
  const statementOf = createAuditStatement(POSTGRES, createIds(repeatable()));
  return { log: createAuditLog(createPostgresDatabase(connections), statementOf), end: () => connections.close() };
}

describe('the audit log on SQLite', () => describeContract(async () => onSqlite()));

describeOnServers((server) => describeContract(() => onServer(server())));

function describeContract(open: () => Promise<AuditFixture>): void {
  const fixture = fresh(open);

  const NEWEST = { after: null, limit: 10_000, record: null, name: null };
  const write = (now: number, part: { name?: string; record?: string } = {}) =>
    fixture.log.audit({
      ...{ author: { user: 'a7-ada', name: part.name ?? 'ada' }, now, action: 'update', resource: 'deck' },
      ...{ record: part.record ?? `deck ${now}`, before: { card_count: 52 }, after: { card_count: 54 } },
    });
  const times = async (page: Partial<typeof NEWEST> | object = {}) =>
    (await fixture.log.audits({ ...NEWEST, ...page })).map(({ at }) => at);

  test('an entry is read as it was written', async () => {
    await write(1_000);
    expect(await fixture.log.audits(NEWEST)).toEqual([
      {
        ...{ id: expect.stringMatching(/^00/), at: 1_000, user: 'a7-ada', name: 'ada', action: 'update' },
        ...{ resource: 'deck', record: 'deck 1000', before: { card_count: 52 }, after: { card_count: 54 } },
      },
    ]);
  });

  test('entries come newest first, in pages, of one record or one name', async () => {
    for (const now of [1_000, 2_000]) await write(now);
    await write(3_000, { name: 'bob' });
    await write(4_000, { record: 'deck 1000' });
    const [newest] = await fixture.log.audits({ ...NEWEST, limit: 1 });
    expect(newest?.at).toBe(4_000);
    expect(await times({ after: newest?.id })).toEqual([3_000, 2_000, 1_000]);
    expect([await times({ record: 'deck 1000' }), await times({ name: 'bob' })]).toEqual([[4_000, 1_000], [3_000]]);
  });

  test('entries before a time are deleted 500 at a time, and later ones stay', async () => {
    for (let now = 1; now <= 501; now += 1) await write(now);
    for (const now of [1_000, 2_000]) await write(now);
    expect(await fixture.log.pruneAudits(1_000)).toBe(true);
    expect(await times()).toEqual([2_000, 1_000, 501]);
    expect(await fixture.log.pruneAudits(1_000)).toBe(false);
    expect(await times()).toEqual([2_000, 1_000]);
  });
}
