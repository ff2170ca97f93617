// Records and the file index on an empty database of each engine, with repeatable ids and chance.
import { loadModule } from 'libpg-query';
import type { Actions, Behaviours } from '../../runtime/contract/behaviour.js';
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { createIds, type Ids } from '../../runtime/contract/ids.js';
import { postgresDdl, UNIQUE_VALUES } from '../../runtime/schema/postgres/ddl.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import type { FileIndex } from '../../runtime/store/engine.js';
import type { Call, Connections } from '../../runtime/store/postgres/connections.js';
import { createDatabase as createPostgresDatabase } from '../../runtime/store/postgres/database.js';
import { createPostgresFiles } from '../../runtime/store/postgres/file-index.js';
import { createPostgresRecords } from '../../runtime/store/postgres/records.js';
import { engineTables } from '../../runtime/store/postgres/tables.js';
import { createRenewWords } from '../../runtime/store/postgres/words.js';
import type { Records, WireFormats } from '../../runtime/store/records.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { createSqliteFiles } from '../../runtime/store/sqlite/file-index.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { createMissingTargets, createSqliteRecords } from '../../runtime/store/sqlite/records.js';
import { engineTables as sqliteTables } from '../../runtime/store/sqlite/tables.js';
import { NOTHING, type PublishWithin } from '../../runtime/store/unit.js';
import { SAMPLE, SAMPLE_SCHEMA } from '../store/sample.js';
import { NOW, repeatable } from '../store/setup.js';
import { remembering, type UnroutedStatement, unrouted } from '../support/routing.js';
import { type OpenedDatabase, openDatabase, SERVERS, type ServerName, type TestServer } from '../support/servers.js';
import { refusals } from './citus-shapes.js';

export interface RecordsFixture {
  readonly records: Records;
  readonly files: FileIndex;
  /** Events, in the order in which they were published. */
  readonly published: readonly unknown[];
  /** What a start does for existing rows without a made record (D40). */
  makeMissing(): Promise<void>;
  /** Writes the words of a server with an earlier rule again, as upkeep does (D44). */
  renewWords(): Promise<boolean>;
  /** Rows of a statement that both engines understand. */
  select(sql: string): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

export interface FixtureOptions {
  readonly definitions: readonly AnyDefinition[];
  readonly schema: Schema;
  readonly profile: WireFormats;
  readonly behaviours?: Behaviours;
  readonly actions?: Actions;
  readonly ids?: Ids;
  /** Whether the definitions join records of two placements, which Citus refuses. */
  readonly acrossPlacements?: boolean;
}

export type OpenRecords = (options?: Partial<FixtureOptions>) => Promise<RecordsFixture>;

const DEFAULTS: FixtureOptions = {
  definitions: Object.values(SAMPLE),
  schema: SAMPLE_SCHEMA,
  profile: { date: 'iso', boolean: 'boolean' },
};

interface TestEngine {
  readonly name: ServerName | 'SQLite';
  readonly available: boolean;
  readonly open: OpenRecords;
}

const ALL_ENGINES: readonly TestEngine[] = [
  { name: 'SQLite', available: true, open: onSqlite },
  ...SERVERS.map(({ name, available }): TestEngine => {
    return { name, available, open: async (given) => (await openOnServer(name, given)).fixture };
  }),
];

/** The engines that can be tested here. */
export const ENGINES = ALL_ENGINES.filter(({ available }) => available);

/** Describes the suite on each engine; if one cannot be started, its tests count as skipped. */
export function describeOnEngines(what: string, suite: (open: OpenRecords, name: TestEngine['name']) => void): void {
  for (const { name, available, open } of ALL_ENGINES) {
    (available ? describe : describe.skip)(`${what} on ${name}`, () => suite(open, name));
  }
}

const servers = new Map<ServerName, TestServer>();
/** Databases whose tables have been emptied, by server and schema: truncating tables is faster than creating them. */
const idle = new Map<ServerName, Map<Schema, OpenedDatabase[]>>();
beforeAll(async () => {
  for (const { name, available, start } of SERVERS) if (available) servers.set(name, await start());
});
afterAll(async () => {
  const opened = [...idle.values()].flatMap((bySchema) => [...bySchema.values()].flat());
  await Promise.all(opened.map(({ connections }) => connections.close()));
  for (const server of servers.values()) await server.stop();
});

export async function onSqlite(given: Partial<FixtureOptions> = {}): Promise<RecordsFixture> {
  const options = { ...DEFAULTS, ...given };
  const db = connectInMemory();
  db.exec([...sqliteDdl(options.schema), ...sqliteTables(options.definitions)].join(';\n'));
  for (const { name } of options.schema.tables) db.exec(refusingOnSqlite(name));
  const commits = createGroupCommit(db);
  const sources = { ...chance(), ...given };
  const published: unknown[] = [];
  const publish = remember(published);
  return {
    records: createSqliteRecords({ ...options, ...sources, db, commits, publish }),
    files: createSqliteFiles({ db, database: createDatabase(db, commits.submit), definitions: options.definitions }),
    published,
    makeMissing: async () => createMissingTargets({ ...options, ...sources, db }, NOW),
    renewWords: async () => false,
    select: async (sql) => db.prepare<[], unknown>(raising(sql)).all(),
    async end() {
      commits.close();
      db.close();
    },
  };
}

/** An SQL change by a test raises the version, too. */
function raising(sql: string): string {
  return sql.replace(/^(UPDATE \S+ SET )/, '$1"_version" = "_version" + 1, ');
}

/** Makes a statement fail that changes a row without raising its version (D57), in every suite. */
function refusingOnSqlite(table: string): string {
  return `CREATE TRIGGER "${table}_stale" BEFORE UPDATE ON "${table}" WHEN NEW."_version" <= OLD."_version"
BEGIN SELECT RAISE(FAIL, 'a change of ${table} does not raise its version'); END`;
}

const REFUSE_STALE = `CREATE OR REPLACE FUNCTION refuse_stale() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
RAISE EXCEPTION 'a change of % does not raise its version', TG_TABLE_NAME;
END $$`;

function refusingOnPostgres(table: string): string {
  return `CREATE TRIGGER stale BEFORE UPDATE ON "${table}" FOR EACH ROW WHEN (NEW."_version" <= OLD."_version")
EXECUTE FUNCTION refuse_stale()`;
}

/** The events of committed changes. */
function remember(published: unknown[]): PublishWithin {
  return (unit, events, now) => {
    unit.afterCommit(() => void published.push(...events, now));
    return NOTHING;
  };
}

export interface WatchedStatements {
  readonly fixture: RecordsFixture;
  readonly connections: Connections;
  /** URL of the database. */
  readonly url: string;
  /** Every text that was prepared. */
  readonly prepared: ReadonlySet<string>;
  /** Returns the calls since the last time, one of each statement. */
  take(): readonly Call[];
  /** The statements that touched more than one shard, if the server is Citus. */
  unrouted(): Promise<readonly UnroutedStatement[]>;
}

export async function openOnServer(name: ServerName, given: Partial<FixtureOptions> = {}): Promise<WatchedStatements> {
  const { acrossPlacements = false, ...options } = { ...DEFAULTS, ...given };
  const opened = idle.get(name)?.get(options.schema)?.pop() ?? (await createTables(name, options));
  const { url, connections } = opened;
  const select = (sql: string) => connections.query(connections.prepare(raising(sql)), []);
  const watched = remembering(connections);
  const published: unknown[] = [];
  const publish = remember(published);
  const records = createPostgresRecords({ ...chance(), ...options, connections: watched, publish });
  const fixture = {
    records,
    makeMissing: () => records.createMissingTargets(NOW),
    renewWords: createRenewWords(records.transact, options.schema),
    files: createPostgresFiles(createPostgresDatabase(watched), options.definitions),
    published,
    select,
    async end() {
      await loadModule();
      if (!acrossPlacements) expect(refusals(watched.prepared)).toEqual([]);
      const tables = [UNIQUE_VALUES, 'released_file', ...options.schema.tables.map(({ name }) => name)];
      await select(`TRUNCATE ${tables.map((name) => `"${name}"`).join(', ')} CASCADE`);
      giveBack(name, options.schema, opened);
    },
  };
  return {
    fixture,
    connections,
    url,
    prepared: watched.prepared,
    take: watched.take,
    unrouted: () => unrouted(url, watched.calls.values()),
  };
}

async function createTables(name: ServerName, { schema, definitions }: FixtureOptions): Promise<OpenedDatabase> {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`${name} cannot be started here`);
  const opened = await openDatabase(server, [...postgresDdl(schema), ...engineTables(definitions)]);
  if (name === 'Citus') return opened;
  const { connections } = opened;
  for (const sql of [REFUSE_STALE, ...schema.tables.map((table) => refusingOnPostgres(table.name))]) {
    await connections.query(connections.prepare(sql), []);
  }
  return opened;
}

function giveBack(name: ServerName, schema: Schema, opened: OpenedDatabase): void {
  const bySchema = idle.get(name) ?? new Map<Schema, OpenedDatabase[]>();
  idle.set(name, bySchema);
  bySchema.set(schema, [...(bySchema.get(schema) ?? []), opened]);
}

function chance() {
  const random = repeatable();
  return { ids: createIds(random), random };
}
