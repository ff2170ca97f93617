// A whole service for a test: real HTTP on loopback, a real SQLite file and files folder of its own.

import { join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { type Running, type StartOptions, start } from '../../runtime/main.js';
import { temporaryFolder } from './paths.js';

export interface TestService extends Running {
  readonly folder: string;
  /** Makes a user and logs in; `id` is the user's, `session` a session id. */
  user(name: string, admin?: boolean): Promise<{ readonly id: string; readonly session: string }>;
}

/** Starts a service on a free port, without rate limit and without log lines. */
export async function startService(options: Partial<StartOptions> = {}): Promise<TestService> {
  const folder = temporaryFolder('service');
  const running = await start({
    port: 0,
    host: '127.0.0.1',
    database: join(folder, 'punchboard.db'),
    files: join(folder, 'files'),
    wire: 'plain',
    rateLimit: 0,
    generated: null,
    logLevel: 'silent',
    trustProxy: 0,
    ...options,
  });
  return {
    ...running,
    folder,
    async user(name, admin = false) {
      const now = Date.now();
      const { id } = JSON.parse(await addUser(running.service, { username: name, password: PASSWORD, admin }, now));
      // Opened directly: a login over HTTP is limited to ten a minute and has tests of its own.
      const { db, principal, sessions } = running.service;
      const password = db.prepare(`SELECT password FROM "${principal.name}" WHERE id = ?`).pluck().get(id) as string;
      const session = await sessions.open({ user: id, password, apiKey: null }, now);
      return { id, session: session.id };
    },
  };
}

/** Every test user's. */
export const PASSWORD = 'correct horse battery';
