// The figures of the last 30 days, on every engine.

import { createFigureLog, type FigureLog, MONTH } from '../../runtime/store/figures.js';
import { createDatabase as createPostgresDatabase } from '../../runtime/store/postgres/database.js';
import { engineTables } from '../../runtime/store/postgres/tables.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { engineTables as sqliteTables } from '../../runtime/store/sqlite/tables.js';
import { describeOnServers, openDatabase } from '../support/servers.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('figures on SQLite', () => {
  test('are kept hour by hour, in a ring', async () => {
    const db = connectInMemory();
    db.exec(sqliteTables([]).join(';'));
    await check(createFigureLog(createDatabase(db, async (work) => work())));
    expect(db.prepare('SELECT count(*) AS rows FROM hour_figure').get()).toEqual({ rows: MONTH / HOUR });
    db.close();
  });
});

describeOnServers((server) => {
  test('are kept hour by hour, in a ring', async () => {
    const { connections } = await openDatabase(server(), engineTables([]));
    await check(createFigureLog(createPostgresDatabase(connections)));
    await connections.close();
  });
});

/** Fills the ring with the figures of 30 days. */
async function check(log: FigureLog): Promise<void> {
  const begin = 500_000 * HOUR;
  const add = (at: number, requests: number, memory: number) =>
    log.addFigures({ at, requests, failures: 1, milliseconds: 10 * requests, memory });
  await add(begin + MINUTE, 5, 200);
  await add(begin + 2 * MINUTE, 7, 100);
  await add(begin + HOUR, 1, 50);
  const first = { at: begin, requests: 12, failures: 2, milliseconds: 120, memory: 200 };
  const second = { at: begin + HOUR, requests: 1, failures: 1, milliseconds: 10, memory: 50 };
  expect(await log.figures(begin)).toEqual([first, second]);
  expect(await log.figures(begin + 1)).toEqual([second]);
  // An hour 30 days later takes the place of the first.
  await add(begin + MONTH, 3, 10);
  expect(await log.figures(0)).toEqual([
    second,
    { at: begin + MONTH, requests: 3, failures: 1, milliseconds: 30, memory: 10 },
  ]);
  for (let hour = 2; hour < MONTH / HOUR; hour += 1) await add(begin + hour * HOUR, 1, 1);
  expect(await log.figures(0)).toHaveLength(MONTH / HOUR);
}
