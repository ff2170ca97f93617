// The service without its network side: database, store, operations, sessions and files, opened and put together.

import type { Database } from 'better-sqlite3';
import { createLogin, type Login } from './auth/login.js';
import { createPasswords } from './auth/passwords.js';
import { createSessions, SESSION_TABLE, type Sessions } from './auth/sessions.js';
import type { Behaviours } from './behaviour.js';
import type { AnyDefinition, Generated } from './definition.js';
import { type Blobs, createBlobs } from './files/blobs.js';
import { PROFILES, type Profile } from './http/profiles.js';
import { createRateLimit } from './http/rate-limit.js';
import { createIds, type Random } from './ids.js';
import { loadGenerated } from './load-generated.js';
import type { Actions } from './operations/action.js';
import { createOperations, type Operations } from './operations/operations.js';
import * as own from './resources/index.js';
import type { Schema } from './schema/schema.js';
import { bringToSchema } from './store/sqlite/bring-to-schema.js';
import { createGroupCommit, type GroupCommit } from './store/sqlite/group-commit.js';
import { openDatabase } from './store/sqlite/open.js';
import { StartError } from './store/sqlite/start-error.js';
import { createSqliteStore, type SqliteStore } from './store/sqlite/store.js';

export interface ServiceOptions {
  /** Path of the database file. */
  readonly database: string;
  readonly wire: Profile['name'];
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** True: the one server of this database. */
  readonly owner: boolean;
  /** For ids and secrets. */
  readonly random: Random;
  /** The project's own unless given. */
  readonly handwritten?: Handwritten;
}

/** What descriptors declare and hands wrote, by resource. */
export interface Handwritten {
  readonly behaviours: Behaviours;
  readonly actions: Actions;
}

export interface Service {
  readonly db: Database;
  readonly profile: Profile;
  readonly generated: Generated;
  /** Path of the API document. */
  readonly document: string;
  /** Those that are served. */
  readonly definitions: readonly AnyDefinition[];
  readonly principal: AnyDefinition;
  readonly store: SqliteStore;
  readonly operations: Operations;
  readonly sessions: Sessions;
  readonly login: Login;
  /** Writes what is queued and closes the database. */
  close(): void;
}

/** Logins a minute per address and name (D39). */
const LOGINS = 10;

/** Throws StartError. @param now epoch milliseconds */
export function openService(options: ServiceOptions, now: number): Service {
  const { generated, schema, document } = loadGenerated(options.generated);
  const opened = openDatabase(options.database, { owner: options.owner });
  try {
    const commits = prepared(opened.db, schema, now);
    const service = assemble(opened.db, commits, {
      generated,
      profile: PROFILES[options.wire],
      random: options.random,
      handwritten: options.handwritten ?? own,
    });
    return {
      ...service,
      document,
      close() {
        commits.close();
        opened.close();
      },
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

function prepared(db: Database, schema: Schema, now: number): GroupCommit {
  bringToSchema(db, schema, now, [SESSION_TABLE]);
  return createGroupCommit(db);
}

type Assembled = Pick<Service, 'generated' | 'profile'> & Required<Pick<ServiceOptions, 'random' | 'handwritten'>>;

function assemble(
  db: Database,
  commits: GroupCommit,
  { generated, profile, random, handwritten }: Assembled,
): Omit<Service, 'close' | 'document'> {
  const { definitions: all } = generated;
  const principal = all.find((definition) => definition.principal);
  if (principal === undefined) throw new StartError('no descriptor says `principal: true`: there is nobody to log in');
  // The modules of `served_by` are hand-written; none is there yet.
  const definitions = all.filter(({ servedBy }) => servedBy === null);
  const { behaviours, actions } = handwritten;
  const passwords = createPasswords();
  const ids = createIds(random);
  const store = createSqliteStore({ db, commits, definitions: all, profile, ids, random, behaviours });
  const operations = createOperations({ store, definitions, hashPassword: passwords.hash, actions });
  const sessions = createSessions({ db, submit: commits.submit, principal, secret: () => urlSafe(random(20)) });
  // 0 would be the only limit without a counter.
  const limit = createRateLimit(LOGINS) ?? (async () => undefined);
  const login = createLogin({ db, sessions, passwords, principal, definitions, limit });
  return { db, profile, generated, definitions, principal, store, operations, sessions, login };
}

/** The folder of uploaded bytes; throws StartError when it cannot be made. */
export async function openFiles(folder: string, random: Random): Promise<Blobs> {
  try {
    return await createBlobs(folder, () => urlSafe(random(16)));
  } catch (error) {
    throw new StartError(`the files folder cannot be made (${(error as Error).message}): choose another with --files`);
  }
}

function urlSafe(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
