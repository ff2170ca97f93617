// A database that the real command serves, as an operator starts it, with a user who may subscribe.

import { clientOf } from '../support/client.js';
import { runHere } from '../support/in-process.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { makeSubscriber, type Subscriber } from '../webhooks/subscriber.js';
import { DATA, type Server, serve } from './processes.js';

export interface HookFixture {
  readonly server: Server;
  readonly user: string;
  readonly subscriber: Subscriber;
}

/** @param folder where the command runs: its database is `data/punchboard.db` there */
export async function startHooked(folder: string, args: readonly string[] = []): Promise<HookFixture> {
  const server = await serve([...SERVE, ...args], folder);
  const options = ['--username', 'ada', '--password-stdin'];
  const added = await runHere(['user', 'add', ...options], folder, { input: `${PASSWORD}\n`, env: DATA });
  if (added.code !== 0) throw new Error(added.stderr);
  const parameters = { username: 'ada', password: PASSWORD };
  const { body } = await clientOf(server.address)('POST', '/api/session', { parameters });
  return { server, user: body.user_id, subscriber: await makeSubscriber(server.address, body.id) };
}

/** The receivers of its web hooks are on this machine. */
const SERVE = [
  '--port',
  '0',
  '--log-level',
  'error',
  '--webhook-allow-cidrs',
  '127.0.0.0/8',
  '--metrics-token',
  METRICS_TOKEN,
];
const PASSWORD = 'correct horse';
