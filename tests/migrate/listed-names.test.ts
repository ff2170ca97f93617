// The resources that an API key lists by name, once resources have been renamed: the rows on both engines, the plan, the
// rehearsal, and what tokens reach over HTTP.

import { join } from 'node:path';
import { parseAcceptances } from '../../generator/impact/accepted.js';
import { impact } from '../../generator/impact/impact.js';
import { apply } from '../../runtime/admin/commands/migrate-work.js';
import { planPostgres } from '../../runtime/schema/postgres/plan.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { rehearse } from '../../runtime/store/sqlite/migrate/rehearse.js';
import { edited, state } from '../evolution/pairs.js';
import { clientOf, type Send } from '../support/client.js';
import { databaseAt } from '../support/engine.js';
import { onCitus, onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { describeOnServers } from '../support/servers.js';
import { startService, type TestService } from '../support/service.js';
import { compileAll, make, prepare } from '../versions/bench.js';
import { STARTED } from '../versions/groups.js';
import { fixture, migrateCommand } from './command.js';
import { fixtureOn, type PostgresFixture } from './postgres/fixture.js';
import { column, database, migrate, refers, renamed, schema, table, temporary } from './schemas.js';

const OWNER = column(102, 'user_id', { references: refers('user') });
const TOKEN = column(103, 'token', { kind: 'token', nullable: true });
const LIST = column(104, 'resources', { kind: 'json', nullable: true, check: { rule: 'json' } });
const VERSION = column(105, '_version', { type: 'integer', default: 1 });
const USER = table(90, 'user', []);
const KEYS = table(100, 'apikey', [OWNER, TOKEN, LIST, VERSION]);
const [GAME, BOX, DIE, ONE, TWO, OLD, CUP] = ['game', 'box', 'die', 'one', 'two', 'old', 'cup'].map((name, at) =>
  table(10 * (at + 1), name, []),
) as [Table, Table, Table, Table, Table, Table, Table];
const FROM = schema(USER, KEYS, GAME, BOX, DIE, ONE, TWO, OLD, CUP);
/** A rename, a swap, a chain, and a table that takes the name of one that is dropped. */
const TO = schema(
  ...[USER, KEYS, renamed(GAME, 'play'), renamed(BOX, 'die'), renamed(DIE, 'box')],
  ...[renamed(ONE, 'two'), renamed(TWO, 'three'), renamed(CUP, 'old')],
);
const SAYS =
  'lists play where it listed game, die where it listed box, box where it listed die, two where it listed one, ' +
  'three where it listed two, old where it listed cup';

/** Lists before and after. */
const LISTS: readonly (readonly [before: string | null, after: string | null])[] = [
  [null, null],
  ['["game"]', '["play"]'],
  ['["box","user","box"]', '["die","user","die"]'],
  ['["die","game","box"]', '["box","play","die"]'],
  ['["one","two"]', '["two","three"]'],
  // Other resources now have the name of a dropped resource, and a name that no resource had.
  ['["old","cup"]', '["old"]'],
  ['["user","play"]', '["user"]'],
  ['["three"]', '[]'],
  ['["Game","games","say \\"game","\\"game\\""]', '["Game","games","say \\"game","\\"game\\""]'],
  ['[ "nothing" ,\n 1.50 ]', '[ "nothing" ,\n 1.50 ]'],
  ['[1.50,"game",null,true,["game"],{"game":"game"}]', '[1.50,"play",null,true,["game"],{"game":"game"}]'],
  ['[]', '[]'],
  ['"game"', '"game"'],
  ['{"game":"game"}', '{"game":"game"}'],
];
const EXPECTED = LISTS.map(([before, after]) => ({ resources: after, version: before === after ? 1 : 2 }));
const SELECT = 'SELECT "resources", "_version" AS "version" FROM "apikey" ORDER BY "id"';
const idOf = (at: number) => `aa${String(at).padStart(2, '0')}`;

const listed = (lists: readonly (string | null)[]) =>
  `INSERT INTO user VALUES ('aa'); INSERT INTO apikey VALUES ${lists
    .map((list, at) => `('${idOf(at)}', 'aa', NULL, ${list === null ? 'NULL' : `'${list}'`}, 1)`)
    .join()}`;

describe('on SQLite', () => {
  const start = () => fixture(FROM, listed(LISTS.map(([before]) => before)));

  test('each name is replaced once, and nothing else', async () => {
    const at = start();
    expect((await at.run(['apply', '--allow', 'drop:old'], TO)).code).toBe(0);
    expect(at.with((db) => db.prepare(SELECT).all())).toEqual(EXPECTED);
  });

  test('the same where the table of keys is rebuilt', async () => {
    const at = start();
    const shorter = { ...KEYS, columns: KEYS.columns.filter(({ name }) => name !== 'token') };
    const rebuilt = {
      ...KEYS,
      columns: [...shorter.columns, { ...TOKEN, check: { rule: 'length', min: 0, max: 99 } }],
    };
    const to = { ...TO, tables: TO.tables.map((one) => (one === KEYS ? (rebuilt as Table) : one)) };
    expect((await at.run(['apply', '--allow', 'drop:old'], to)).code).toBe(0);
    const lists = at.with((db) => db.prepare('SELECT resources FROM apikey ORDER BY id').pluck().all());
    expect(lists).toEqual(LISTS.map(([, after]) => after));
  });

  test('the plan reports the replacement; the rehearsal expects it and finds a name that is replaced twice', async () => {
    const at = start();
    const { out } = await at.run(['plan'], TO);
    expect(out).toContain(`\n  backfill     apikey.resources ${SAYS}\n`);
    expect(out).toMatch(new RegExp(`\n {2}\\d+\\. apikey: resources ${SAYS}\n`));
    expect((await at.run(['rehearse'], TO)).out).toContain('nothing differs except what the plan changes');
    const db = database();
    migrate(db, FROM);
    db.exec(listed(['["box"]']));
    const twice = rehearse(db, {
      ...{ schema: TO, copy: temporary('copy.db'), tick: () => 0 },
      apply(copy) {
        migrate(copy, TO);
        copy.exec(`UPDATE apikey SET resources = '["box"]'`);
      },
    });
    expect(twice.findings).toEqual(['apikey.resources: the values differ']);
  });
});

describeOnServers((server, name) => {
  let postgres: PostgresFixture;
  beforeAll(() => {
    postgres = fixtureOn(server());
  });

  test('each name is replaced once, and nothing else, in the transaction of the rename', () =>
    postgres.within(async ({ query, migrate: migrateTo }) => {
      await migrateTo(FROM);
      await query(`INSERT INTO "user" VALUES ('aa', 'aa')`);
      for (const [at, [before]] of LISTS.entries())
        await query(`INSERT INTO apikey VALUES ('aa', $1, 'aa', NULL, $2, 1)`, [idOf(at), before]);
      await migrateTo(FROM, { distribute: name === 'Citus' });
      await migrateTo(TO);
      const rows = await query(SELECT);
      expect(rows.map(({ resources, version }) => ({ resources, version: Number(version) }))).toEqual(EXPECTED);
    }));
});

describe('plans', () => {
  const saysOf = (from: Schema, to: Schema) =>
    planSqlite(from, to).changes.flatMap(({ kind, says }) => (kind === 'value_renamed' ? [says] : []));

  test('on PostgreSQL and Citus, the step that renames the tables replaces the names', () => {
    for (const distributed of [false, true]) {
      const steps = planPostgres(FROM, TO, { distributed }).steps.filter(({ says }) => says.includes('apikey'));
      const words = `game: renamed to play; .*; apikey: resources ${SAYS}`;
      expect(steps).toMatchObject([{ does: 'transaction', class: 'rebuild', says: expect.stringMatching(words) }]);
    }
  });

  test('a name that is given to a new resource is taken out', () => {
    const to = schema(USER, KEYS, table(300, 'game', []));
    expect(saysOf(schema(USER, KEYS, GAME), to)).toEqual(['no longer lists game, which is another resource now']);
  });

  test('a resource that is only dropped or added changes no list', () => {
    expect(saysOf(schema(USER, KEYS, GAME), schema(USER, KEYS, BOX))).toEqual([]);
  });

  test('a column without a token beside it, or of a table without an owner, is not a list of resources', () => {
    for (const columns of [
      [OWNER, LIST],
      [TOKEN, LIST],
      [OWNER, TOKEN, { ...LIST, kind: 'text' as const }],
    ]) {
      const keys = table(100, 'apikey', columns);
      expect(saysOf(schema(USER, keys, GAME), schema(USER, keys, renamed(GAME, 'play')))).toEqual([]);
    }
    const others = { ...KEYS, name: 'key' };
    expect(saysOf(schema(USER, others, GAME), schema(USER, others, renamed(GAME, 'play')))).toEqual([]);
  });

  test('a database from before keys had tokens gets the column and the new names together', () => {
    const db = database();
    const before = schema(USER, table(100, 'apikey', [OWNER, VERSION]), GAME);
    migrate(db, before);
    db.exec(`INSERT INTO user VALUES ('aa'); INSERT INTO apikey VALUES ('aa00', 'aa', 1)`);
    migrate(db, schema(USER, KEYS, renamed(GAME, 'play')));
    expect(db.prepare(SELECT).all()).toEqual([{ resources: null, version: 1 }]);
  });
});

const KEY = `resource: apikey
title: API key
summary: Key of a program.
plural: apikeys
fields:
  user: { kind: reference, to: user, need: edit, default: session.user, place: true, list: true, on_delete: cascade, description: Owner. }
  name: { kind: text, required: true, max: 50, description: Name. }
  private_key: { kind: text, from: random, view: created, description: Signs. }
  scope: { kind: enum, values: [read, write], default: read, description: What it may do. }
  resources:
    kind: json
    schema: { type: array, minItems: 1, maxItems: 100, items: { type: string, minLength: 1, maxLength: 60 } }
    description: What it reaches.
  token: { kind: token, description: Stands for its user. }
access: { read: [user], edit: [user] }
`;
const piece = (name: string, was = name) =>
  `resource: ${name}\nwas: ${was}\ntitle: Piece ${was}\nsummary: Piece.\nplural: ${was}s\nextends: component\n`.replace(
    `was: ${name}\n`,
    '',
  );
const PIECES = ['lid', 'tray', 'peg'];
const first = state(
  {
    ...{ ...STARTED, 'resources/apikey.yaml': KEY },
    ...Object.fromEntries(PIECES.map((name) => [`resources/${name}.yaml`, piece(name)])),
  },
  null,
);
/** One resource is renamed, two others are swapped. */
const last = state(
  edited(first.texts, {
    'resources/lid.yaml': piece('lid', 'tray'),
    'resources/tray.yaml': piece('tray', 'lid'),
    'resources/peg.yaml': null,
    'resources/pin.yaml': piece('pin', 'peg'),
  }),
  first.ledger,
);

test('impact reports the lists as kept', () => {
  const known = { today: '2026-06-01', acceptances: parseAcceptances(null), uses: null, count: null };
  const { findings } = impact(first.model, last.model, known);
  const data = findings.filter(({ part, where }) => part === 'data' && where.includes('apikey.resources'));
  expect(data).toMatchObject([{ rule: 'value_renamed', class: 'backfill', breaking: false }]);
});

const folder = temporaryFolder('listed-names');
const [before, after] = [join(folder, 'before'), join(folder, 'after')];
beforeAll(() => {
  prepare(folder);
  compileAll([make(before, first, null, {}), make(after, last, first.ledger, {})]);
}, 120_000);

const done = () => ({});
const handwritten = { behaviours: {}, actions: { sale: { ship: done, cancel: done } } } as never;

/** The records that each token reaches, by the names that their resources had when the token was created. */
const REACHED = {
  peg: ['peg'],
  'peg,lid': ['peg', 'lid'],
  tray: ['tray'],
  'pin,tray': ['tray'],
  all: ['peg', 'lid', 'tray'],
};

function describeOverHttp(): void {
  let service: TestService;
  let send: Send;
  let session = '';
  const ids: Record<string, string> = {};
  const tokens: Record<string, string> = {};
  const database = join(folder, `${Math.floor(performance.now())}.db`);

  const open = async (generated: string) => {
    service = await startService({ generated, database, handwritten, processes: 1 });
    send = clientOf(service.address);
  };
  const create = async (path: string, parameters: object) =>
    (await send('POST', path, { session, parameters: parameters as Record<string, unknown> })).body;
  /** @param names the current name of each resource, by its first name */
  const reached = async (names: Readonly<Record<string, string>>) => {
    const all: Record<string, string[]> = {};
    for (const [key, token] of Object.entries(tokens)) {
      all[key] = [];
      for (const name of ['peg', 'lid', 'tray']) {
        const { status } = await send('GET', `/api/${names[name]}/${ids[name]}`, { session: token });
        if (status !== 403) all[key]?.push(`${name}${status === 200 ? '' : ` ${status}`}`);
      }
    }
    return all;
  };

  afterEach(() => service.stop());

  test('tokens reach the same records as before, and no others', async () => {
    await open(before);
    ({ session } = await service.user('ann'));
    const game_id = (await create('/api/game', { name: 'G' })).id;
    for (const name of PIECES) ids[name] = (await create(`/api/${name}`, { name, game_id })).id;
    for (const key of Object.keys(REACHED)) {
      const resources = key === 'all' ? null : key.split(',');
      tokens[key] = (await create('/api/apikey', { name: key, resources })).token;
    }
    expect(await reached({ peg: 'peg', lid: 'lid', tray: 'tray' })).toEqual(REACHED);
    await service.stop();

    const url = await databaseAt(database);
    const says = 'lists lid where it listed tray, pin where it listed peg, tray where it listed lid';
    const { out } = await migrateCommand(['plan', '--database', url, '--generated', after]);
    const clock = { now: Date.now, tick: () => performance.now() };
    await apply({ database: url, allow: [], generated: after, format: 'text' } as never, clock);
    await open(after);
    expect(await reached({ peg: 'pin', lid: 'tray', tray: 'lid' })).toEqual(REACHED);
    expect(out).toContain(`apikey.resources ${says}`);
  }, 120_000);
}

describe('over HTTP', describeOverHttp);
onPostgres(describeOverHttp);
onCitus(describeOverHttp);
