// A stopped service that has some of everything: records that refer to each other, files, sessions, values kept aside, and web
// hooks with deliveries that are pending, failed and in flight.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { readSchema } from '../../runtime/schema/compact.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { records } from '../document/resources.js';
import type { RecordName } from '../document/table.js';
import { column, dump, migrate, refers, table } from '../migrate/schemas.js';
import { makeWorld } from '../service/world.js';
import { ROOT } from '../support/paths.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, sell, subscribe } from '../webhooks/subscriber.js';

export interface FilledService {
  readonly database: string;
  readonly files: string;
  /** What the hook calls. */
  readonly receiver: HttpReceiver;
  /** Enters a sale that the hook is told about. */
  sell(address: string): Promise<string>;
  readonly admin: string;
  /** Id of a session that nobody else uses. */
  readonly session: string;
}

/** Attempts in the log besides those made: more than one batch of a copy. */
const ATTEMPTS = 2500;

export async function makeEverything(): Promise<FilledService> {
  const world = await makeWorld();
  const { service, address, owner, admin, stranger } = world;
  const names = Object.keys(records) as RecordName[];
  for (const name of names.filter((one) => !OF_HOOKS.includes(one))) await world.make(name);
  const outer = await world.make('folder');
  await world.make('folder', { folder_id: outer.id });
  const receiver = await startHttpReceiver();
  const subscriber = await makeSubscriber(address, owner.session);
  await subscribe(address, subscriber, `${receiver.address}/hook`);
  await receiver.until((posts) => posts[0]);
  receiver.answer = () => 500;
  const by = { admin: admin.session, buyer: stranger.id };
  const sellOne = (at: string, sku: string) => sell(at, by, { game: subscriber.game, sku });
  for (const sku of ['S-1', 'S-2']) await sellOne(address, sku);
  await receiver.until((posts) => posts[1]);
  await service.stop();
  receiver.answer = () => 200;
  const database = join(service.folder, 'punchboard.db');
  within(database, (db) => {
    addRows(db);
    keepAside(db);
  });
  const files = join(service.folder, 'files');
  return {
    ...{ database, files, receiver },
    sell: (at) => sellOne(at, 'S-3'),
    admin: admin.session,
    session: stranger.session,
  };
}

/** Made by the subscriber and the buyer. */
const OF_HOOKS = ['webhook', 'receipt'];

/** What a server that was killed leaves, and what takes days to come about. */
function addRows(db: Database.Database): void {
  // Folders in a circle.
  db.exec(`UPDATE folder SET folder_id = (SELECT max(id) FROM folder WHERE folder_id IS NOT NULL)
    WHERE id = (SELECT max(folder_id) FROM folder)`);
  db.exec(
    `INSERT INTO released_file (hash) VALUES ('${'b'.repeat(64)}'), ('${'a'.repeat(64)}'), ('${'b'.repeat(64)}')`,
  );
  db.exec(`UPDATE webhook_delivery SET due = 1, ready = 1`);
  db.exec(`INSERT INTO webhook_lease (subject, attempt_id, server, until)
    SELECT webhook_id, 'attempt', 'server', 9000000000000 FROM webhook_delivery LIMIT 1`);
  db.exec(`UPDATE webhook_delivery SET attempt_id = 'attempt', lease = 9000000000000
    WHERE id = (SELECT min(id) FROM webhook_delivery)`);
  db.exec(`INSERT INTO webhook_mail (id, webhook_id, user_id, event, callback_uri, created)
    SELECT substr(id, 1, 2) || 'mail', id, user_id, event, callback_uri, 1 FROM webhook`);
  db.exec(`INSERT INTO webhook_answer (id, webhook_id, ended, answer)
    SELECT substr(id, 1, 2) || 'answer', id, 1, 'ok' FROM webhook`);
  db.exec(`INSERT INTO webhook_pause (webhook_id, operator) VALUES ('zzhook', 1)`);
  db.exec(`INSERT INTO webhook_secret (id, secret, ends) VALUES ('zzhook', 'whsec_', 1)`);
  db.exec(`INSERT INTO webhook_trace (id, traceparent) VALUES ('zzdelivery', '00-')`);
  db.exec(
    `INSERT INTO once_answer (id, user_id, body_hash, created, answer) SELECT 'once', id, 'h', 1, '{}' FROM user LIMIT 1`,
  );
  db.exec(`INSERT INTO audit_entry (id, at, name, action) VALUES ('00entry', 1, 'root', 'pause')`);
  db.exec(`INSERT INTO hour_figure VALUES ('000', 0, 1, 0, 1, 1)`);
  db.exec(`INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, counted)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ATTEMPTS})
    SELECT substr(w.id, 1, 2) || printf('zz%06d', i), 'd', w.id, 'data', i, i, 'status', 1 FROM n, webhook w`);
}

export const OURS = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));

/** Drops a column and a table that the schema does not have, and a column that comes back and is written to. */
function keepAside(db: Database.Database): void {
  migrate(db, WITH_MORE);
  db.exec(`UPDATE user SET email = username || '@example.com'`);
  migrate(db, WITHOUT_MAIL);
  migrate(db, WITH_MORE);
  db.exec(`UPDATE user SET email = 'new@example.com' WHERE username = 'owner'`);
  db.exec(`UPDATE user SET email = NULL WHERE username = 'owner'`);
  db.exec(`UPDATE game SET old_note = 'note of ' || id`);
  db.exec(`INSERT INTO token (id, game_id) SELECT id || 't', id FROM game`);
  migrate(db, OURS);
}

const WITH_MORE: Schema = {
  ...OURS,
  tables: [
    ...OURS.tables.map((one) =>
      one.name === 'game' ? { ...one, columns: [...one.columns, column(9001, 'old_note', { nullable: true })] } : one,
    ),
    table(9002, 'token', [column(9004, 'game_id', { references: refers('game') })]),
  ],
};

const WITHOUT_MAIL: Schema = {
  ...WITH_MORE,
  tables: WITH_MORE.tables.map((one) =>
    one.name === 'user'
      ? {
          ...one,
          columns: one.columns.filter(({ name }) => name !== 'email'),
          indexes: one.indexes.filter(({ columns }) => !columns.includes('email')),
        }
      : one,
  ),
};

type Row = Readonly<Record<string, unknown>>;

/** Everything that a copy takes along, as if attempts in flight had been recovered. */
export function contentOf(database: string): Record<string, readonly unknown[]> {
  return within(database, (db) => {
    const all = { ...dump(db), triggers: triggersOf(db) } as Readonly<Record<string, readonly Row[]>>;
    const { webhook_lease, _punchboard, ...rest } = all;
    const memory = (_punchboard ?? []).filter(({ key }) => key !== 'brought_at');
    return {
      ...rest,
      _punchboard: memory,
      webhook_delivery: (all.webhook_delivery ?? []).map((row) => ({ ...row, attempt_id: null, lease: null })),
      webhook_attempt: unnumbered(all.webhook_attempt),
      webhook_answer: unnumbered(all.webhook_answer),
      webhook_message: unnumbered(all.webhook_message),
      released_file: [...new Set(unnumbered(all.released_file))],
    };
  });
}

/** Without the database's own numbers, in a fixed order. */
function unnumbered(rows: readonly Row[] = []): readonly string[] {
  return rows.map(({ sequence, ...row }) => JSON.stringify(row)).sort();
}

function triggersOf(db: Database.Database): Row[] {
  return db.prepare<[], Row>(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`).all();
}

export function within<T>(database: string, work: (db: Database.Database) => T): T {
  const { db, close } = openDatabase(database, { owner: false });
  try {
    return work(db);
  } finally {
    close();
  }
}
