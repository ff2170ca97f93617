// A complete service for a test: real HTTP on loopback, a real SQLite file, and its own folder of files.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { type RunningServer, type StartOptions, start } from '../../runtime/server/main.js';
import { openService } from '../../runtime/server/open-service.js';
import { forgetPowerCuts } from './database.js';
import { databaseAt } from './engine.js';
import { isInRun, temporaryFolder } from './paths.js';
import { openedAt, quietly, sessionOf } from './quiet-service.js';

export interface TestService extends RunningServer {
  readonly folder: string;
  /** Creates a user and logs in; `id` is the user's, `session` a session id. */
  user(name: string, admin?: boolean): Promise<{ readonly id: string; readonly session: string }>;
}

/** Starts a service on a free port, without rate limit and without log lines. */
export async function startService(options: Partial<StartOptions> = {}): Promise<TestService> {
  const folder = temporaryFolder('service');
  const chosen = { ...quietly(folder), ...(options.handwritten ? {} : { processes: PROCESSES }), ...options };
  const database = await databaseAt(chosen.database);
  if (chosen.generated === null && !existsSync(database)) await copyEmpty(database);
  // Next to a database file, the outbox would be in the folder anyway.
  const running = await start({ mailOutbox: join(folder, 'outbox'), ...chosen, database });
  forgetPowerCuts(running.service);
  return {
    ...running,
    folder,
    async user(name, admin = false) {
      const now = Date.now();
      const { id } = JSON.parse(await addUser(running.service, { username: name, password: PASSWORD, admin }, now));
      return { id, session: await sessionOf(running, { user: id, now }) };
    },
  };
}

/**
 * Creating all tables takes half the time of a start. During a run, the first suite creates an empty database, and services start
 * with copies of it; other suites test starts on a new file.
 * @param database a path; nothing is copied to a URL or into memory
 */
async function copyEmpty(database: string): Promise<void> {
  if (!isInRun() || !isAbsolute(database)) return;
  const empty = join(tmpdir(), 'empty.db');
  if (!existsSync(empty)) {
    const created = join(temporaryFolder('empty'), 'empty.db');
    const { engine } = await openService(openedAt(created), Date.now());
    await engine.close();
    // Another worker may do the same.
    renameSync(created, empty);
  }
  mkdirSync(dirname(database), { recursive: true });
  copyFileSync(empty, database);
}

/** With PUNCHBOARD_PROCESSES=2, the services of all suites run in two processes, to which functions cannot be passed. */
const PROCESSES = Number(process.env.PUNCHBOARD_PROCESSES ?? 1);

/** The password of every test user. */
export const PASSWORD = 'correct horse battery';
