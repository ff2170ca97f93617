// Records the writes and syncs of a server under load, and checks the database that a loss of power would leave at moments of
// the recording: it must have every write that was acknowledged and every event that was sent.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openService } from '../../../runtime/server/open-service.js';
import { serve } from '../../cli/processes.js';
import { type Chance, chanceOf } from '../../support/chance.js';
import { clientOf } from '../../support/client.js';
import { ROOT, temporaryFolder } from '../../support/paths.js';
import { preloading } from '../../support/preload.js';
import { openedAt } from '../../support/quiet-service.js';
import { makePeople, type People } from '../../webhooks/crash-rounds.js';
import { startHttpReceiver } from '../../webhooks/http-receiver.js';
import { makeSubscriber, type Subscriber, sell, subscribe } from '../../webhooks/subscriber.js';
import { createDisk, type Step, stepsOf } from './trace.js';

export interface Outcome {
  /** The number of records and messages that were sent. */
  readonly sent: number;
  /** Sent records and messages that are missing. */
  readonly lost: readonly string[];
  /** How often the log was written from its beginning again. */
  readonly copies: number;
}

export interface Experiment {
  readonly seed: number;
  /** The number of losses of power. */
  readonly rounds: number;
  /** The number of answers after which the server is killed, and the length of the long texts. */
  readonly answers: number;
  readonly bytes: number;
  readonly planted?: readonly string[];
}

const WRITERS = 8;

export async function experiment(plan: Experiment): Promise<Outcome> {
  const folder = temporaryFolder('power');
  try {
    const database = join(realpathSync(folder), 'punchboard.db');
    const people = await createPeople(database);
    const before = readFileSync(database);
    const trace = await record({ folder, database, people }, plan);
    return lossesIn(stepsOf(trace), before, { plan, folder: join(folder, 'left') });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function createPeople(database: string): Promise<People> {
  const service = await openService(openedAt(database), Date.now());
  const people = await makePeople(service);
  await service.engine.close();
  return people;
}

interface DiskPlace {
  readonly folder: string;
  readonly database: string;
  readonly people: People;
}

/** @returns the path of the recording */
async function record({ folder, database, people }: DiskPlace, plan: Experiment): Promise<string> {
  const [library, trace] = [join(folder, 'recorder.so'), join(folder, 'trace')];
  const source = join(ROOT, 'tests', 'lab', 'power', 'recorder.c');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread']);
  const receiver = await startHttpReceiver();
  const options = { port: '0', database, files: join(folder, 'files'), 'rate-limit': '0', 'log-level': 'error' };
  const args = Object.entries({ ...options, 'webhook-allow-cidrs': '127.0.0.0/8' });
  const server = await serve(
    args.flatMap(([name, value]) => [`--${name}`, value]),
    folder,
    {
      ...{ LD_PRELOAD: library, POWER_TRACE: trace, POWER_DATABASE: database },
      NODE_OPTIONS: preloading(...(plan.planted ?? [])),
    },
  );
  try {
    const subscriber = await makeSubscriber(server.address, people.owner);
    await subscribe(server.address, subscriber, `${receiver.address}/sold`);
    await load(server.address, { subscriber, people }, plan);
    return trace;
  } finally {
    await server.end();
    await receiver.close();
  }
}

/** Each name consists of the writer, the number of the record, and its version. */
async function load(
  address: string,
  { subscriber: { game, designer }, people }: { readonly subscriber: Subscriber; readonly people: People },
  { answers, bytes }: Experiment,
): Promise<void> {
  const send = clientOf(address);
  const session = people.owner;
  // Long texts make the log long.
  const description = 'x'.repeat(bytes);
  let answered = 0;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; answered < answers; round += 1) {
      const name = (version: number) => `w${writer}-${round}.${version}`;
      const { body } = await send('POST', '/api/boxtop', { session, parameters: { name: name(0), game_id: game } });
      await send('PUT', `/api/boxtop/${body.id}`, { session, parameters: { name: name(1) } });
      await sell(address, people, { game, sku: name(0) });
      await send('POST', '/api/game', { session, parameters: { name: 'Long', designer_id: designer, description } });
      answered += 4;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, at) => write(at)));
}

interface Losses {
  readonly plan: Experiment;
  readonly folder: string;
}

function lossesIn(steps: readonly Step[], before: Buffer, { plan, folder }: Losses): Outcome {
  mkdirSync(folder);
  const chance = chanceOf(plan.seed);
  const moments = momentsOf(steps, plan.rounds, chance);
  const disk = createDisk(before);
  const sent = createSent();
  const lost: string[] = [];
  for (const [at, step] of steps.entries()) {
    for (let remaining = moments.get(at) ?? 0; remaining > 0; remaining -= 1) {
      const files = disk.afterPowerLoss(chance);
      lost.push(...lossesOf(files, sent, folder).map((one) => `at step ${at} of ${steps.length}: ${one}`));
    }
    disk.step(step);
    if (step.what === 'sent') sent.add(step.bytes);
  }
  const copies = steps.filter(({ what, file, at }) => what === 'write' && file === 'log' && at === 0).length - 1;
  return { sent: sent.count(), lost, copies };
}

/** How many losses there are before each step. Most are right after something was sent, where they do the most harm. */
function momentsOf(steps: readonly Step[], rounds: number, chance: Chance): ReadonlyMap<number, number> {
  const afterSent = steps.flatMap(({ what }, at) => (what === 'sent' && at + 1 < steps.length ? [at + 1] : []));
  const moments = new Map<number, number>();
  for (let round = 0; round < rounds; round += 1) {
    const at = chance.happens(0.7) ? chance.one(afterSent) : chance.below(steps.length);
    moments.set(at, (moments.get(at) ?? 0) + 1);
  }
  return moments;
}

interface SentWrite {
  /** The last acknowledged version of each record. */
  readonly versions: ReadonlyMap<string, number>;
  /** Ids of the messages that were sent. */
  readonly deliveries: ReadonlySet<string>;
}

function createSent() {
  const versions = new Map<string, number>();
  const deliveries = new Set<string>();
  return {
    versions,
    deliveries,
    add(bytes: Buffer): void {
      const text = bytes.toString('latin1');
      for (const [, record = '', version] of text.matchAll(/"name":"(w\d+-\d+)\.(\d)"/g)) {
        versions.set(record, Math.max(versions.get(record) ?? 0, Number(version)));
      }
      for (const [, id = ''] of text.matchAll(/^delivery-id: (\S+)/gim)) deliveries.add(id);
    },
    count: () => versions.size + deliveries.size,
  };
}

/** Opens the database as the next start would. */
function lossesOf(
  { database, log }: Readonly<Record<'database' | 'log', Buffer | null>>,
  { versions, deliveries }: SentWrite,
  folder: string,
): readonly string[] {
  const file = join(folder, 'punchboard.db');
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  writeFileSync(file, database ?? '');
  if (log !== null) writeFileSync(`${file}-wal`, log);
  const db = new Database(file);
  try {
    const names = db.prepare<[], string>('SELECT name FROM boxtop').pluck().all();
    const stored = new Map(names.map((name) => [name.slice(0, -2), Number(name.at(-1))]));
    const messages = new Set(
      db.prepare<[], string>('SELECT id FROM webhook_delivery UNION SELECT id FROM webhook_message').pluck().all(),
    );
    const integrity = db.pragma('integrity_check', { simple: true });
    return [
      ...(integrity === 'ok' ? [] : [`integrity: ${integrity}`]),
      ...[...versions].filter(([record, version]) => (stored.get(record) ?? -1) < version).map(([record]) => record),
      ...[...deliveries].filter((id) => !messages.has(id)).map((id) => `message ${id}`),
    ];
  } catch (error) {
    return [`it cannot be read: ${(error as Error).message}`];
  } finally {
    db.close();
  }
}
