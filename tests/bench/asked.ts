// The requests to the measured servers, and their answers: about box tops, and uploads.

import { randomBytes } from 'node:crypto';
import { copyId } from './copies.js';
import { type Extent, WHOLE } from './extent.js';
import type { BenchFixture } from './fixture.js';
import type { Server } from './servers.js';
import type { Plan, Rate } from './throughput.js';

export type What =
  | 'fetch, anonymous'
  | 'fetch, its owner'
  | 'fetch with its game'
  | 'list of 25'
  | 'list of 100'
  | 'create'
  | 'update'
  | '90 fetches, 10 creates'
  | 'delete'
  | 'upload of 4 KB';

export interface BenchOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Measure extends Pick<Plan, 'asked' | 'once' | 'connections'> {
  /** Writes wait for the disk, so that their number is what counts; reads do not. */
  readonly unit: keyof Pick<Rate, 'perSecond' | 'perCpuSecond'>;
}

/** The most uploads of a slice, the bytes of each, and how many are in progress at a time, which is the limit of a user. */
const UPLOADS = { most: 2000, bytes: 4096, connections: 16 };

/** The requests by measure, in the order of the tables: lists come before the creates that make them longer. */
export function measuresOf(fixture: BenchFixture, fresh = WHOLE.fresh): Readonly<Record<What, Measure>> {
  const { session, game, ids, spare } = fixture;
  const user = { Authorization: `Bearer ${session}` };
  const get = (path: string, headers: BenchOptions['headers'] = {}): BenchOptions => ({
    method: 'GET',
    path,
    headers,
    body: null,
  });
  const reads = (asked: readonly BenchOptions[]): Measure => ({ unit: 'perCpuSecond', asked: () => asked });
  const writes = (asked: readonly BenchOptions[]): Measure => ({ unit: 'perSecond', asked: () => asked });
  const list = (size: number) => reads([get(`/api/game/${game}/boxtops?_items_per_page=${size}`)]);
  const box = (id: string): string => `/api/boxtop/${id}`;
  const create = sent('POST', '/api/boxtop', user, { name: 'Box', game_id: spare.game });
  const owned = ids.map((id) => get(box(id), user));
  return {
    'fetch, anonymous': reads(ids.map((id) => get(box(id)))),
    'fetch, its owner': reads(owned),
    'fetch with its game': reads(ids.map((id) => get(`${box(id)}?_include_related_objects=game`))),
    'list of 25': list(25),
    'list of 100': list(100),
    create: writes([create]),
    update: writes(ids.map((id, at) => sent('PUT', box(id), user, { name: `Box ${at}` }))),
    '90 fetches, 10 creates': writes(owned.map((fetch, at) => (at % 10 === 9 ? create : fetch))),
    delete: {
      ...{ unit: 'perSecond', once: true },
      asked: (turn) => Array.from({ length: fresh }, (_, at) => remove(box(copyId(spare.id, turn * fresh + at)), user)),
    },
    'upload of 4 KB': {
      ...{ unit: 'perSecond', once: true, connections: UPLOADS.connections },
      asked: () => Array.from({ length: Math.min(fresh, UPLOADS.most) }, () => upload(user)),
    },
  };
}

/** How many copies of the spare box top are needed, as each is deleted once. */
export function copiesNeeded({ turns, fresh }: Extent): number {
  return (turns + 1) * fresh;
}

function remove(path: string, headers: BenchOptions['headers']): BenchOptions {
  return { method: 'DELETE', path, headers, body: null };
}

function sent(method: 'POST' | 'PUT', path: string, user: BenchOptions['headers'], value: object): BenchOptions {
  const body = JSON.stringify(value);
  const headers = { ...user, 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  return { method, path, headers, body };
}

/** All differ, as equal bytes are stored once. */
function upload(user: BenchOptions['headers']): BenchOptions {
  const lines = ['--x', 'Content-Disposition: form-data; name="file"; filename="a.txt"', 'Content-Type: text/plain'];
  const body = `${lines.join('\r\n')}\r\n\r\n${randomBytes(UPLOADS.bytes / 2).toString('hex')}\r\n--x--\r\n`;
  const content = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': String(body.length) };
  return { method: 'POST', path: '/api/file', headers: { ...user, ...content }, body };
}

/** The parts that do not depend on the time: the status, the names of the headers, and the record without its id and dates. */
export async function answerOf({ address }: Server, asked: BenchOptions | undefined) {
  if (asked === undefined) throw new Error('nothing is asked');
  const { method, path, headers, body } = asked;
  const answer = await fetch(`${address}${path}`, { method, headers, body });
  const record = JSON.stringify(await answer.json(), (key, value) => (/^(id|date_.*)$/.test(key) ? '' : value));
  return { status: answer.status, headers: [...answer.headers.keys()], record };
}

/** The whole request. */
export function textOf({ method, path, headers, body }: BenchOptions): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
