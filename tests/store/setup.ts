// A store over the sample in a folder of its own, with repeatable ids and randomness.
import { join } from 'node:path';
import type { Behaviours } from '../../runtime/contract/behaviour.js';
import type { AnyDefinition, Input } from '../../runtime/contract/definition.js';
import type { Failure } from '../../runtime/contract/errors.js';
import { createIds, type Random } from '../../runtime/contract/ids.js';
import type { Caller, Change, Page } from '../../runtime/store/records.js';
import { ensureSchema } from '../../runtime/store/sqlite/ensure-schema.js';
import { createGroupCommit, type GroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { type OpenedDatabase, openDatabase } from '../../runtime/store/sqlite/open.js';
import { createSqliteRecords, type SqliteRecords } from '../../runtime/store/sqlite/records.js';
import { temporaryFolder } from '../support/paths.js';
import { SAMPLE, SAMPLE_SCHEMA } from './sample.js';

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const ANYONE: Caller = { user: null, admin: false };
export const ADMIN: Caller = { user: null, admin: true };

/** The first page of a list, in the list's default order. */
export const FIRST_PAGE: Omit<Page, 'parent' | 'list'> = {
  number: 1,
  size: 25,
  maxBytes: 1_000_000,
  orderBy: null,
  descending: false,
  cursor: null,
  filters: {},
};

/** A path in a new folder. */
export function temporary(name: string): string {
  return join(temporaryFolder('store'), name);
}

export function as(user: string): Caller {
  return { user, admin: false };
}

/** Bytes that look random but repeat from run to run. */
export function repeatable(seed = 1): Random {
  let state = seed;
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return (state >> 16) & 255;
    });
}

export interface Harness {
  readonly opened: OpenedDatabase;
  readonly db: OpenedDatabase['db'];
  readonly commits: GroupCommit;
  readonly store: SqliteRecords;
  create(name: string, caller: Caller, input: Input): Promise<string>;
  /** The record as the caller sees it, or the code of the refusal. */
  json(name: string, id: string, caller: Caller): unknown;
}

export function setup(options: { behaviours?: Behaviours } = {}): Harness {
  const opened = openDatabase(temporary('data.db'), { owner: true });
  ensureSchema(opened.db, SAMPLE_SCHEMA, NOW);
  const commits = createGroupCommit(opened.db);
  const random = repeatable();
  const store = createSqliteRecords({
    db: opened.db,
    commits,
    definitions: Object.values(SAMPLE),
    profile: { date: 'iso', boolean: 'boolean' },
    ids: createIds(random),
    random,
    ...options,
  });
  const create = async (name: string, caller: Caller, input: Input) =>
    (await store.create(change(name, caller, input))).id;
  const json = (name: string, id: string, caller: Caller) => {
    const lookup = store.get(name, id, caller);
    if (lookup instanceof Promise) throw new Error('reads answer at once');
    return lookup.found ? JSON.parse(lookup.text) : lookup.code;
  };
  return { opened, db: opened.db, commits, store, create, json };
}

export function define(name: string): AnyDefinition {
  const definition = SAMPLE[name];
  if (!definition) throw new Error(name);
  return definition;
}

export function change(name: string, caller: Caller, input: Input, failures: readonly Failure[] = []): Change {
  return { resource: name, caller, input, failures, now: NOW, upload: null };
}

/** The code and the failures of the error that `promise` rejects with. */
export async function refused(promise: unknown): Promise<{ code: string; fields: string[]; message: string }> {
  try {
    await promise;
  } catch (error) {
    const { code, failures = [], message } = error as { code: string; failures?: Failure[]; message: string };
    return { code, fields: failures.map(({ field, code: each }) => `${field} ${each}`), message };
  }
  throw new Error('nothing was refused');
}

/** Ada owns a designer with a game and a picture; Bob is her associate; Eve has no rights. */
export async function people(harness: Harness) {
  const { create } = harness;
  const [ada, bob, eve] = [
    await create('user', ADMIN, { username: 'ada' }),
    await create('user', ADMIN, { username: 'bob' }),
    await create('user', ADMIN, { username: 'eve' }),
  ];
  const designer = await create('designer', as(ada), { name: 'Ada Games' });
  await create('associate', as(ada), { designer_id: designer, user_id: bob });
  const game = await create('game', as(ada), { name: 'Dawn', designer_id: designer });
  const file = await create('file', as(ada), { name: 'face.png', file_type: 'image/png' });
  return { ada, bob, eve, designer, game, file };
}
