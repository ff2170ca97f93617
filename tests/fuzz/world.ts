// The service under fuzz, a real process, and what a request may name: valid and invalid sessions and ids.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fillDemo } from '../../runtime/admin/demo/demo.js';
import { addUser } from '../../runtime/auth/add-user.js';
import { readDocument } from '../../runtime/server/load-generated.js';
import { openFiles, openService, type Service } from '../../runtime/server/open-service.js';
import { type Server, serve } from '../cli/processes.js';
import type { Chance } from '../support/chance.js';
import { databaseOf } from '../support/database.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { METRICS_TOKEN, openedAt } from '../support/quiet-service.js';
import type { Ids } from './values.js';

/** Ids for the fuzz: fixed ones that it never deletes, and those that it created itself. */
export interface Pool extends Ids {
  /** An id whose record may be deleted. */
  loose(resource: string, chance: Chance): string;
  add(resource: string, id: string): void;
}

export interface World {
  readonly server: Server;
  readonly port: number;
  readonly database: string;
  readonly pool: Pool;
  /** Sessions of the owner, an associate, another user and an administrator. */
  readonly sessions: readonly string[];
  /** `/files/<id>/<key>` of a stored file. */
  readonly filePaths: readonly string[];
  readonly cursors: string[];
}

/**
 * Fills a database, then starts the server on it.
 * @param args further options of `serve`
 * @param preloads scripts that the server loads first
 */
export async function createWorld(args: readonly string[], preloads: readonly string[] = []): Promise<World> {
  const folder = temporaryFolder('fuzz');
  const database = join(folder, 'punchboard.db');
  const files = join(folder, 'files');
  const service = await openService(openedAt(database), Date.now());
  const contents = await fillDatabase(service, files).finally(() => service.engine.close());
  const options = [
    '--port',
    '0',
    '--database',
    database,
    '--files',
    files,
    '--rate-limit',
    '0',
    '--log-level',
    'error',
    '--metrics-token',
    METRICS_TOKEN,
  ];
  const env = { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT, ...preloads) };
  const server = await serve([...options, ...args], folder, env);
  return { server, port: Number(new URL(server.address).port), database, ...contents, cursors: [] };
}

async function fillDatabase(service: Service, files: string) {
  const now = Date.now();
  const { session } = await fillDemo(service, await openFiles(files, randomBytes, service.engine.files), {
    now,
    random: randomBytes,
    document: JSON.parse(readDocument(join(ROOT, 'generated')).toString()),
  });
  const users = ['demo-guest', ...(await strangers(service, now))];
  const sessions = [session, ...(await Promise.all(users.map((name) => open(service, name, now))))];
  const pool = createPool();
  for (const { name } of service.generated.definitions) {
    const ids = databaseOf(service).prepare<[], string>(`SELECT id FROM "${name}"`).pluck().all();
    for (const id of ids) pool.keep(name, id);
  }
  for (let count = 0; count < 40; count += 1) pool.add('session', await open(service, 'stranger', now));
  const filePaths = databaseOf(service)
    .prepare<[], string>(`SELECT '/files/' || id || '/' || access_key FROM file`)
    .pluck()
    .all();
  return { pool, sessions, filePaths };
}

async function strangers(service: Service, now: number): Promise<readonly string[]> {
  for (const username of ['stranger', 'chief']) {
    await addUser(service, { username, password: 'only now and then', admin: username === 'chief' }, now);
  }
  return ['stranger', 'chief'];
}

/** Opens a session without a login, which is deliberately slow and limited. */
async function open(service: Service, username: string, now: number): Promise<string> {
  const { principal, sessions } = service;
  const find = databaseOf(service).prepare<[string], { id: string; password: string }>(
    `SELECT id, password FROM "${principal.name}" WHERE username = ?`,
  );
  const { id = '', password = '' } = find.get(username) ?? {};
  return (await sessions.open({ user: id, password, apiKey: null }, now)).id;
}

const MOST = 200;
const NOBODY = 'zz0123456789abcdefghjkmnpq';

function createPool() {
  const fixed = new Map<string, string[]>();
  const loose = new Map<string, string[]>();
  const grow = (ids: Map<string, string[]>, resource: string, id: string): void => {
    const list = ids.get(resource) ?? [];
    ids.set(resource, list);
    if (list.length < MOST) list.push(id);
    else list[list.length % MOST] = id;
  };
  const draw = (lists: readonly (string[] | undefined)[], chance: Chance): string => {
    const all = lists.flatMap((list) => list ?? []);
    return all.length === 0 ? NOBODY : chance.one(all);
  };
  return {
    keep: (resource: string, id: string) => grow(fixed, resource, id),
    add: (resource: string, id: string) => grow(loose, resource, id),
    one: (resource: string, chance: Chance) =>
      draw(chance.happens(0.8) && fixed.has(resource) ? [fixed.get(resource)] : [loose.get(resource)], chance),
    loose: (resource: string, chance: Chance) => draw([loose.get(resource)], chance),
  };
}
