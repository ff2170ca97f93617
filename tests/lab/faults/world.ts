// The service of fault tests, as an operator runs it: the real command with everything switched on that it can serve, an
// administrator, a game, and a receiver of web hooks.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Circumstances, OURS, type Server, serveIn } from '../../cli/processes.js';
import { clientOf } from '../../support/client.js';
import { runHere } from '../../support/in-process.js';
import { temporaryFolder } from '../../support/paths.js';
import { METRICS_TOKEN } from '../../support/quiet-service.js';
import { type HttpReceiver, startHttpReceiver } from '../../webhooks/http-receiver.js';
import { makeSubscriber, type Subscriber, subscribe } from '../../webhooks/subscriber.js';

/** Where the service stores data, by default in its own folder, and its number of processes. */
export interface Places {
  readonly database?: string;
  readonly files?: string;
  readonly processes?: number;
}

export interface World {
  readonly folder: string;
  readonly database: string;
  readonly args: readonly string[];
  readonly receiver: HttpReceiver;
  /** The environment of the server, and the program that starts it. */
  readonly circumstances: Circumstances;
  server: Server;
  readonly people: People;
  /** Acknowledged data that must not be lost: the name of a record, or the hash of bytes, by path. */
  readonly kept: Map<string, string>;
}

/** Created over HTTP when the service runs. */
export interface People {
  readonly user: string;
  readonly subscriber: Subscriber;
  readonly hook: string;
}

export const ACCOUNT = { username: 'ada', password: 'correct horse' };

/** @param circumstances NODE_OPTIONS, or a program that starts the command with limits */
export async function startWorld(places: Places, circumstances: Circumstances): Promise<World> {
  return populate(await startServer(places, circumstances));
}

/** A world without people. */
export type EmptyWorld = Omit<World, 'people' | 'kept'>;

export async function startServer(places: Places, more: Circumstances): Promise<EmptyWorld> {
  const circumstances = { ...more, env: { ...OURS, ...more.env } };
  const folder = temporaryFolder('faults');
  const database = places.database ?? join(folder, 'data', 'punchboard.db');
  const receiver = await startHttpReceiver();
  const args = argsOf(folder, database, places);
  const server = await serveIn(args, folder, circumstances);
  return { folder, database, args, receiver, circumstances, server };
}

export async function populate(world: EmptyWorld): Promise<World> {
  try {
    await addAdministrator(world.folder, world.database);
    return { ...world, people: await makePeople(world.server.address, world.receiver), kept: new Map() };
  } catch (error) {
    await stopWorld(world);
    throw error;
  }
}

async function addAdministrator(folder: string, database: string): Promise<void> {
  const { username, password } = ACCOUNT;
  const args = ['user', 'add', '--username', username, '--admin', '--password-stdin', '--database', database];
  const { code, stderr } = await runHere(args, folder, { input: `${password}\n`, env: OURS });
  if (code !== 0) throw new Error(stderr);
}

export async function killServer({ server }: EmptyWorld): Promise<void> {
  await server.end();
}

/** Kills the server and starts it again on its data. */
export async function restart(world: World): Promise<void> {
  await killServer(world);
  world.server = await serveIn(world.args, world.folder, world.circumstances);
}

export async function stopWorld(world: EmptyWorld): Promise<void> {
  await killServer(world);
  await world.receiver.close();
  rmSync(world.folder, { recursive: true, force: true });
}

function argsOf(folder: string, database: string, { files = join(folder, 'data', 'files'), processes = 1 }: Places) {
  const options = {
    ...{ port: '0', database, files, processes: String(processes) },
    ...{ 'rate-limit': '0', 'log-level': 'warn', 'metrics-token': METRICS_TOKEN },
    ...{ 'webhook-allow-cidrs': '127.0.0.0/8', 'mail-outbox': join(folder, 'outbox') },
    ...(database.startsWith('postgres') ? {} : { backups: join(folder, 'backups') }),
  };
  return ['--console', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
}

async function makePeople(address: string, receiver: HttpReceiver): Promise<People> {
  const { body } = await clientOf(address)('POST', '/api/session', { parameters: ACCOUNT });
  const subscriber = await makeSubscriber(address, body.id);
  const { id: hook } = await subscribe(address, subscriber, `${receiver.address}/sold`);
  return { user: body.user_id, subscriber, hook };
}
