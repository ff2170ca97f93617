// An outbox on either engine, over the generated tables: rows are inserted as the records would do it, and events published in
// a transaction, so that the contract is tested without the records.

import { loadModule } from 'libpg-query';
import type { EventDefinition } from '../../runtime/contract/definition.js';
import { createIds, type Ids, placementOf, type Random } from '../../runtime/contract/ids.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import { actions, behaviours } from '../../runtime/resources/index.js';
import { RETRY_UNIT } from '../../runtime/rules/delivery.js';
import { hookBehaviours } from '../../runtime/rules/hooks.js';
import { decide } from '../../runtime/rules/policy.js';
import { postgresDdl } from '../../runtime/schema/postgres/ddl.js';
import { loadGenerated, principalOf } from '../../runtime/server/load-generated.js';
import type { Outbox } from '../../runtime/store/outbox.js';
import type { Connections } from '../../runtime/store/postgres/connections.js';
import { createDatabase } from '../../runtime/store/postgres/database.js';
import { createPostgresOutbox } from '../../runtime/store/postgres/outbox/outbox.js';
import { createPostgresRecords } from '../../runtime/store/postgres/records.js';
import { OUTBOX_STATEMENTS } from '../../runtime/store/postgres/tables.js';
import type { Records } from '../../runtime/store/records.js';
import type { Transact } from '../../runtime/store/unit.js';
import { chanceOf } from '../support/chance.js';
import { remembering, type UnroutedStatement, unrouted } from '../support/routing.js';
import { openDatabase, type TestServer } from '../support/servers.js';
import { type ChangeDefinition, outboxWorld } from '../webhooks/outbox/outbox-world.js';
import { refusals } from './citus-shapes.js';

export type StoredOutboxRow = Readonly<Record<string, string | number | null>>;

export interface OutboxFixture {
  readonly outbox: Outbox;
  readonly records: Records;
  readonly ids: Ids;
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** Ids of hooks that the outbox has reported as due, and of hooks that it has passed over. */
  readonly woken: string[];
  readonly passedOver: string[];
  /** The rows of a table without their placements, in the order of their ids. */
  rows(table: string): Promise<readonly StoredOutboxRow[]>;
  /** Inserts a row; columns that it leaves out have their defaults. */
  put(table: string, row: StoredOutboxRow): Promise<void>;
  putAll(table: string, rows: readonly StoredOutboxRow[]): Promise<void>;
  change(table: string, id: string, columns: StoredOutboxRow): Promise<void>;
  drop(table: string, id: string): Promise<void>;
  /** Publishes events in a separate transaction. */
  publishWithin(events: readonly unknown[], now: number, trace?: string): Promise<void>;
  end(): Promise<void>;
}

export async function fixtureOnSqlite(changed?: ChangeDefinition): Promise<OutboxFixture> {
  const world = outboxWorld(changed);
  const { db, woken, passedOver } = world;
  const { generated } = loadGenerated(null);
  const quoted = (columns: StoredOutboxRow, text: (name: string) => string) =>
    Object.keys(columns).map(text).join(', ');
  const put = (table: string, row: StoredOutboxRow): void => {
    const [names, values] = [quoted(row, (name) => `"${name}"`), quoted(row, (name) => `@${name}`)];
    db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${values})`).run(row);
  };
  return {
    outbox: world.outbox as unknown as Outbox,
    records: world.store,
    ids: createIds(randomOf(7)),
    events: generated.events,
    ...{ woken, passedOver },
    rows: async (table) => sorted(db.prepare<[], StoredOutboxRow>(`SELECT * FROM "${table}"`).all()),
    put: async (table, row) => put(table, row),
    putAll: async (table, rows) => void db.transaction(() => void rows.map((row) => put(table, row)))(),
    change: async (table, id, columns) =>
      void db
        .prepare(`UPDATE "${table}" SET ${quoted(columns, (name) => `"${name}" = @${name}`)} WHERE id = @id`)
        .run({ ...columns, id }),
    drop: async (table, id) => void db.prepare(`DELETE FROM "${table}" WHERE id = ?`).run(id),
    publishWithin: publisher(world.store),
    end: async () => world.end(),
  };
}

/** An outbox that publishes events in separate transactions. */
export interface PublishingOutbox extends Outbox {
  publishAll: OutboxFixture['publishWithin'];
}

/** One database for a suite, which each fixture empties. */
export interface PostgresFixtures {
  readonly url: string;
  readonly connections: Connections;
  /** @param changed returns a definition with changes */
  open(changed?: ChangeDefinition): Promise<OutboxFixture>;
  /** Another server on the same database. */
  outbox(connections: Connections, seed: number): PublishingOutbox;
  /** Statements of outbox and records that touched more than one shard. */
  unrouted(): Promise<readonly UnroutedStatement[]>;
  close(): Promise<void>;
}

export async function fixturesOnPostgres(server: TestServer): Promise<PostgresFixtures> {
  const { generated, schema } = loadGenerated(null);
  // A starting server runs the outbox's statements again.
  const ddl = [...postgresDdl(schema), ...OUTBOX_STATEMENTS, ...OUTBOX_STATEMENTS];
  const { url, connections } = await openDatabase(server, ddl, 4);
  const watched = remembering(connections);
  return {
    url,
    connections,
    outbox(used, seed) {
      const { outbox, records } = engineOn(used, seed);
      return { ...outbox, publishAll: publisher(records) };
    },
    async open(changed) {
      await connections.transaction(EMPTY.map((text) => ({ statement: connections.prepare(text), values: [] })));
      const { outbox, records } = engineOn(watched, 1, changed);
      const [woken, passedOver]: [string[], string[]] = [[], []];
      outbox.onDue({
        due: (hooks) => void woken.push(...hooks),
        passedOver: (hooks) => void passedOver.push(...hooks),
      });
      const parts = { outbox, records, ids: createIds(randomOf(7)), events: generated.events, woken, passedOver };
      const publishWithin = publisher(records);
      return { ...parts, ...tableAccess(connections), publishWithin, end: async () => undefined };
    },
    unrouted: () => unrouted(url, watched.calls.values()),
    async close() {
      await loadModule();
      expect(refusals(watched.prepared)).toEqual([]);
      await connections.close();
    },
  };
}

/** Outbox and records, as in an engine. */
function engineOn(connections: Connections, seed: number, changed: ChangeDefinition = (definition) => definition) {
  const { generated, schema } = loadGenerated(null);
  const definitions = generated.definitions.map(changed);
  const { events } = generated;
  const random = randomOf(seed);
  const ids = createIds(random);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const outbox = createPostgresOutbox({
    ...{ database: createDatabase(connections), definitions: byName, principal: principalOf(generated) },
    ...{ events, ids, decide, retryUnit: RETRY_UNIT },
    transact: (work, transaction) => records.transact(work, transaction),
  });
  const records = createPostgresRecords({
    ...{ connections, definitions, profile: PROFILES.plain, schema, ids, random, actions },
    behaviours: { ...behaviours, ...hookBehaviours },
    publish: outbox.publishWithin,
  });
  return { outbox, records };
}

/** In this order, nothing refers to deleted rows; deleting is faster than TRUNCATE if there are few rows. */
const EMPTY = [
  ...['webhook_delivery', 'webhook_lease', 'webhook_attempt', 'webhook_mail', 'webhook_subscription', 'webhook'],
  ...['webhook_answer', 'webhook_message', 'webhook_pause', 'webhook_secret', 'webhook_trace'],
  ...['receipt', 'game', 'apikey', 'designer', 'user'],
].map((table) => `DELETE FROM "${table}"`);

function publisher({ transact }: { readonly transact: Transact }): OutboxFixture['publishWithin'] {
  return (events, now, trace) =>
    transact(function* (unit) {
      yield* unit.publish(events, now, trace);
    });
}

function tableAccess(connections: Connections): Pick<OutboxFixture, 'rows' | 'put' | 'putAll' | 'change' | 'drop'> {
  const run = (text: string, values: readonly (string | number | null)[]) =>
    connections.query(connections.prepare(text), values);
  const put = async (table: string, row: StoredOutboxRow): Promise<void> => {
    const placed = { _shard: placementOf(String(row.id ?? row.subject)), ...row };
    const names = Object.keys(placed).map((name) => `"${name}"`);
    const values = names.map((_, index) => `$${index + 1}`);
    await run(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${values.join(', ')})`, Object.values(placed));
  };
  return {
    async rows(table) {
      const all = await run(`SELECT * FROM "${table}"`, []);
      return sorted(all.map(({ _shard, ...row }) => row));
    },
    put,
    putAll: async (table, rows) => void (await Promise.all(rows.map((row) => put(table, row)))),
    async change(table, id, columns) {
      const set = Object.keys(columns).map((name, index) => `"${name}" = $${index + 3}`);
      const values = [placementOf(id), id, ...Object.values(columns)];
      await run(`UPDATE "${table}" SET ${set.join(', ')} WHERE _shard = $1 AND id = $2`, values);
    },
    drop: async (table, id) =>
      void (await run(`DELETE FROM "${table}" WHERE _shard = $1 AND id = $2`, [placementOf(id), id])),
  };
}

function sorted(rows: readonly StoredOutboxRow[]): readonly StoredOutboxRow[] {
  return [...rows].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

function randomOf(seed: number): Random {
  const chance = chanceOf(seed);
  return (bytes) => Uint8Array.from({ length: bytes }, () => chance.below(256));
}
