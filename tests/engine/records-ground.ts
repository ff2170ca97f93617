// Records and the file index on an empty database of each engine, with ids and chance that repeat.
import type { Actions, Behaviours } from '../../runtime/behaviour.js';
import type { AnyDefinition } from '../../runtime/definition.js';
import { createIds } from '../../runtime/ids.js';
import { postgresDdl, UNIQUE_VALUES } from '../../runtime/schema/postgres/ddl.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import type { FileIndex } from '../../runtime/store/engine.js';
import { type Connections, createConnections } from '../../runtime/store/postgres/connections.js';
import { createFileIndex as createPostgresFileIndex, fileIndexDdl } from '../../runtime/store/postgres/file-index.js';
import { createPostgresRecords } from '../../runtime/store/postgres/records.js';
import type { Records, WireFormats } from '../../runtime/store/records.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { createFileIndex, fileIndexDdl as sqliteFileIndexDdl } from '../../runtime/store/sqlite/file-index.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { createSqliteRecords } from '../../runtime/store/sqlite/records.js';
import { SAMPLE, SAMPLE_SCHEMA } from '../store/sample.js';
import { repeatable } from '../store/setup.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';

export interface Ground {
  readonly records: Records;
  readonly files: FileIndex;
  /** Events, in the order in which they were published. */
  readonly published: readonly unknown[];
  /** Rows of a statement that both engines understand. */
  select(sql: string): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

export interface GroundOptions {
  readonly definitions: readonly AnyDefinition[];
  readonly schema: Schema;
  readonly profile: WireFormats;
  readonly behaviours?: Behaviours;
  readonly actions?: Actions;
}

export type Open = (options?: Partial<GroundOptions>) => Promise<Ground>;

const DEFAULTS: GroundOptions = {
  definitions: Object.values(SAMPLE),
  schema: SAMPLE_SCHEMA,
  profile: { date: 'iso', boolean: 'boolean' },
};

/** Engines that can be tested here, by their names. */
export const ENGINES: readonly (readonly [name: string, open: Open])[] = [
  ['SQLite', onSqlite],
  ...(hasPostgres ? [['PostgreSQL', onPostgres] as const] : []),
];

let server: TestPostgres | null = null;
/** Databases whose tables are empty again, by their schemas: to truncate tables takes less than to create them. */
const idle = new Map<Schema, Connections[]>();
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
afterAll(async () => {
  await Promise.all([...idle.values()].flat().map((connections) => connections.close()));
  await server?.stop();
});

export async function onSqlite(given: Partial<GroundOptions> = {}): Promise<Ground> {
  const options = { ...DEFAULTS, ...given };
  const db = connectInMemory();
  db.exec([...sqliteDdl(options.schema), sqliteFileIndexDdl(options.definitions)].join(';\n'));
  const commits = createGroupCommit(db);
  const published: unknown[] = [];
  const publish = (events: readonly unknown[], now: number) => void published.push(...events, now);
  return {
    records: createSqliteRecords({ ...options, ...chance(), db, commits, publish }),
    files: createFileIndex({ db, commits, definitions: options.definitions }),
    published,
    select: async (sql) => db.prepare<[], unknown>(sql).all(),
    async end() {
      commits.close();
      db.close();
    },
  };
}

export async function onPostgres(given: Partial<GroundOptions> = {}): Promise<Ground> {
  return (await openPostgres(given)).ground;
}

/** With every text that was prepared. */
export async function openPostgres(
  given: Partial<GroundOptions> = {},
): Promise<{ readonly ground: Ground; readonly prepared: ReadonlySet<string>; readonly connections: Connections }> {
  const options = { ...DEFAULTS, ...given };
  const connections = idle.get(options.schema)?.pop() ?? (await createTables(options));
  const select = (sql: string) => connections.query(connections.prepare(sql), []);
  const prepared = new Set<string>();
  const watched: Connections = {
    ...connections,
    prepare(text) {
      prepared.add(text);
      return connections.prepare(text);
    },
  };
  const published: unknown[] = [];
  const publish = async (_: unknown, events: readonly unknown[], now: number) => () =>
    void published.push(...events, now);
  const ground = {
    records: createPostgresRecords({ ...options, ...chance(), connections: watched, publish }),
    files: createPostgresFileIndex(watched, options.definitions),
    published,
    select,
    async end() {
      const tables = [UNIQUE_VALUES, 'released_file', ...options.schema.tables.map(({ name }) => name)];
      await select(`TRUNCATE ${tables.map((name) => `"${name}"`).join(', ')}`);
      idle.set(options.schema, [...(idle.get(options.schema) ?? []), connections]);
    },
  };
  return { ground, prepared, connections };
}

async function createTables({ schema, definitions }: GroundOptions): Promise<Connections> {
  if (server === null) throw new Error('there is no PostgreSQL');
  const connections = createConnections({ url: await server.createDatabase(), size: 2, timeout: 60_000 });
  for (const sql of [...postgresDdl(schema), ...fileIndexDdl(definitions)]) {
    await connections.query(connections.prepare(sql), []);
  }
  return connections;
}

function chance() {
  const random = repeatable();
  return { ids: createIds(random), random };
}
