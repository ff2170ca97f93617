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
  readonly deck: string;
}

/** A client with its own random numbers and records. */
export interface Writer {
  readonly chance: Chance;
  /** Its existing records, parents before members. */
  own: readonly OwnedRecord[];
  /** Creates with a key that have no answer yet: they are sent again until they have one. */
  unanswered: readonly KeyedCreate[];
}

/** A create of one or several records with an Idempotency-Key. */
interface KeyedCreate {
  readonly key: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The beginning of the names of the created records; no other record has such a name. */
  readonly name: string;
}

/** A writer without records. */
export function newWriter(chance: Chance): Writer {
  return { chance, own: [], unanswered: [] };
}

interface OwnedRecord {
  readonly entry: Entry;
  /** The set of a member; null for other records. */
  readonly parent: Entry | null;
}

type Step = (target: Target, writer: Writer, ledger: Ledger) => Promise<void>;

/** Writes until a request fails or `until()` is true; an answer other than success is an error. */
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
  [2, createOnce],
];

interface WriterState {
  readonly target: Target;
  readonly writer: Writer;
  readonly ledger: Ledger;
}

async function create(resource: string, parent: Entry | null, { target, writer, ledger }: WriterState): Promise<void> {
  const values = valuesOf(writer.chance);
  const above = parent === null ? { game_id: target.game } : { set_id: parent.id };
  const reply = await send(target, 'POST', `/api/${resource}`, { ...values, ...above });
  const entry: Entry = { resource, id: reply.body.id as string, hash: null, possible: [stateOf(values)] };
  ledger.created(entry);
  writer.own = [...writer.own, { entry, parent }];
}

/** Sends the oldest unanswered create again, or a new create. */
async function createOnce(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  const request = writer.unanswered[0] ?? newKeyedCreate(target, writer.chance);
  const { key, path, parameters, name } = request;
  if (writer.unanswered.length === 0) writer.unanswered = [request];
  const reply = await send(target, 'POST', path, parameters, { 'idempotency-key': key });
  writer.unanswered = writer.unanswered.slice(1);
  const made = (reply.body.cards ?? [reply.body]) as readonly { readonly id: string; readonly name: string }[];
  for (const { id } of made)
    ledger.created({ resource: path.startsWith('/api/deck') ? 'card' : 'boxtop', id, hash: null, possible: [name] });
}

const SEVERAL = 3;

function newKeyedCreate({ game, deck }: Target, chance: Chance): KeyedCreate {
  const key = `key-${chance.below(1e9)}-${chance.below(1e9)}`;
  const name = `once ${key}`;
  if (chance.happens(0.5)) return { key, name, path: '/api/boxtop', parameters: { name, game_id: game } };
  const cards = Array.from({ length: SEVERAL }, () => ({ name }));
  return { key, name, path: `/api/deck/${deck}/bulk-cards`, parameters: { cards } };
}

/** The names of records that were not created exactly as often as their key allows. */
export async function doubles(target: Target): Promise<readonly string[]> {
  const [boxes, cards] = [
    await namesOf(target, `/api/game/${target.game}/boxtops`),
    await namesOf(target, `/api/deck/${target.deck}/cards`),
  ];
  return [...unlike(boxes, 1), ...unlike(cards, SEVERAL)];
}

function unlike(names: readonly string[], times: number): readonly string[] {
  const keyed = names.filter((name) => name.startsWith('once '));
  const counts = new Map<string, number>();
  for (const name of keyed) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, found]) => (found === times ? [] : [`${name}: ${found} times`]));
}

async function namesOf({ address, session }: Target, list: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&_cursor=${encodeURIComponent(cursor)}`;
    const { body } = await clientOf(address)('GET', `${list}?_items_per_page=100${from}`, { session });
    names.push(...body.items.map(({ name }: { readonly name: string }) => name));
    cursor = body.paging.next_cursor;
  }
  return names;
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

/** Deletes a record; members are deleted with their set. */
async function remove(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  if (writer.own.length === 0) return;
  const { entry } = writer.chance.one(writer.own);
  const removed = writer.own.filter((one) => one.entry === entry || one.parent === entry);
  const entries = removed.map((one) => one.entry);
  ledger.sent(entries, null);
  await send(target, 'DELETE', pathOf(entry));
  ledger.acknowledged(entries);
  // This must not happen earlier: a member whose delete has failed is still deleted with its set.
  writer.own = writer.own.filter((one) => !removed.includes(one));
}

async function upload(target: Target, writer: Writer, ledger: Ledger): Promise<void> {
  // There are so few contents that some are sent twice, also at the same time.
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

/** The current state of the record over HTTP, with its bytes checked; null if it does not exist. */
export async function stateNow({ address, session }: Target, entry: Entry): Promise<string | null> {
  const { status, body } = await clientOf(address)('GET', pathOf(entry), { session });
  if (status === 404) return null;
  if (status !== 200) throw new Refused(`GET ${pathOf(entry)}: ${status}`);
  if (entry.hash === null) return body.name.startsWith('once ') ? body.name : stateOf(body);
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

async function send(
  { address, session }: Target,
  method: string,
  path: string,
  parameters?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await clientOf(address)(method, path, {
    session,
    headers,
    ...(parameters && { parameters: { ...parameters } }),
  });
  // The process that writes has ended before the process that served this request.
  if (reply.status === 503) throw new Error(reply.text);
  // A process that died may have left a request with the same key under way in another process.
  if (reply.status === 409 && headers['idempotency-key'] !== undefined) throw new Error(reply.text);
  if (reply.status >= 300) throw new Refused(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}
