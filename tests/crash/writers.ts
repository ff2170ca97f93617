// The write load: many clients that create, change and delete records of their own and upload files, until they are cut off.

import { createHash } from 'node:crypto';
import type { Chance } from '../support/chance.js';
import { clientOf, type Reply } from '../support/client.js';
import { exchange, multipart } from '../support/exchange.js';
import type { Entry, Ledger } from './ledger.js';

export interface Target {
  readonly address: string;
  readonly session: string;
  readonly game: string;
}

/** One client; `chance` and `own` are its alone. */
export interface Writer {
  readonly chance: Chance;
  /** Its records that are there, parents before members. */
  own: readonly Owned[];
}

interface Owned {
  readonly entry: Entry;
  /** The set it goes with; null for all others. */
  readonly parent: Entry | null;
}

type Step = (target: Target, writer: Writer, ledger: Ledger) => Promise<void>;

/** Writes until a request fails or `until()`; an answer other than success is an error. */
export async function write(target: Target, writer: Writer, ledger: Ledger, until: () => boolean): Promise<void> {
  while (!until()) {
    const step = writer.chance.weighted(STEPS);
    try {
      await step(target, writer, ledger);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return;
    }
  }
}

class Refused extends Error {}

const PARENT = 'twosidedsluggedset';
const MEMBER = 'twosidedslugged';

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [3, (target, writer, ledger) => create('boxtop', null, { target, writer, ledger })],
  [2, (target, writer, ledger) => create(PARENT, null, { target, writer, ledger })],
  [3, createMember],
  [5, update],
  [2, remove],
  [2, upload],
];

interface Doing {
  readonly target: Target;
  readonly writer: Writer;
  readonly ledger: Ledger;
}

async function create(resource: string, parent: Entry | null, { target, writer, ledger }: Doing): Promise<void> {
  const values = valuesOf(writer.chance);
  const above = parent === null ? { game_id: target.game } : { set_id: parent.id };
  const reply = await send(target, 'POST', `/api/${resource}`, { ...values, ...above });
  const entry: Entry = { resource, id: reply.body.id as string, hash: null, possible: [stateOf(values)] };
  ledger.created(entry);
  writer.own = [...writer.own, { entry, parent }];
}

async function createMember(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  const sets = writer.own.filter(({ entry }) => entry.resource === PARENT);
  if (sets.length > 0) await create(MEMBER, writer.chance.one(sets).entry, { target, writer, ledger });
}

async function update(target: Target, { own, chance }: Writer, ledger: Ledger): Promise<void> {
  const some = own.filter(({ entry }) => entry.hash === null);
  if (some.length === 0) return;
  const { entry } = chance.one(some);
  const values = valuesOf(chance);
  ledger.sent([entry], stateOf(values));
  await send(target, 'PUT', pathOf(entry), values);
  ledger.acknowledged([entry]);
}

/** Members go with their set. */
async function remove(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  if (writer.own.length === 0) return;
  const { entry } = writer.chance.one(writer.own);
  const gone = writer.own.filter((one) => one.entry === entry || one.parent === entry);
  const entries = gone.map((one) => one.entry);
  ledger.sent(entries, null);
  await send(target, 'DELETE', pathOf(entry));
  ledger.acknowledged(entries);
  // Not before: a member whose delete came to nothing still goes with its set.
  writer.own = writer.own.filter((one) => !gone.includes(one));
}

async function upload(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  // Few enough for some bytes to be sent twice, also at the same time.
  const bytes = Buffer.alloc(1 + writer.chance.below(100_000), `content ${writer.chance.below(30)} `);
  const form = multipart([['session_id', target.session]], { part: 'file', name: 'bytes.bin', bytes });
  const { status, text } = await exchange(`${target.address}/api/file`, { method: 'POST', ...form });
  const { id } = JSON.parse(text) as { readonly id?: string };
  if (status === 503) throw new Error(text);
  if (id === undefined) throw new Refused(`upload: ${status}`);
  const entry: Entry = { resource: 'file', id, hash: hashOf(bytes), possible: ['bytes.bin'] };
  ledger.created(entry);
  writer.own = [...writer.own, { entry, parent: null }];
}

/** What the record over HTTP is now, bytes checked; null: there is none. */
export async function stateNow({ address, session }: Target, entry: Entry): Promise<string | null> {
  const { status, body } = await clientOf(address)('GET', pathOf(entry), { session });
  if (status === 404) return null;
  if (status !== 200) throw new Refused(`GET ${pathOf(entry)}: ${status}`);
  if (entry.hash === null) return stateOf(body);
  const bytes = await fetch(`${address}${body.file_uri}`);
  const whole = bytes.status === 200 && hashOf(Buffer.from(await bytes.arrayBuffer())) === entry.hash;
  return whole ? body.name : `a file without its bytes (${bytes.status})`;
}

interface Values {
  readonly name: string;
  readonly quantity: number;
}

function valuesOf(chance: Chance): Values {
  return { name: `name ${chance.below(1e9)}`, quantity: 1 + chance.below(99) };
}

function stateOf({ name, quantity }: Values): string {
  return `${name}, ${quantity}`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function pathOf({ resource, id }: Entry): string {
  return `/api/${resource}/${id}`;
}

async function send({ address, session }: Target, method: string, path: string, parameters?: object): Promise<Reply> {
  const reply = await clientOf(address)(method, path, {
    session,
    ...(parameters && { parameters: { ...parameters } }),
  });
  // The process that writes has ended before the one that served this.
  if (reply.status === 503) throw new Error(reply.text);
  if (reply.status >= 300) throw new Refused(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}
