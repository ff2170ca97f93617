// A running service with people in it, and the records that a record needs before it can be created. Asserts nothing itself.

import { rmSync } from 'node:fs';
import type { StartOptions } from '../../runtime/server/main.js';
import { operations, unique } from '../document/behind.js';
import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import type { RecordName, ReferenceParameter } from '../document/table.js';
import { GIF, JPEG, PNG, SVG, WEBP } from '../files/samples.js';
import { clientOf, type Send } from '../support/client.js';
import { exchange, multipart } from '../support/exchange.js';
import { startService, type TestService } from '../support/service.js';

export interface Person {
  readonly id: string;
  readonly session: string;
}

/** A record as the service showed it. */
export type ShownRecord = Readonly<Record<string, unknown>> & { readonly id: string };
export type SentParameters = Readonly<Record<string, unknown>>;

export interface World {
  readonly service: TestService;
  readonly address: string;
  readonly send: Send;
  readonly owner: Person;
  /** Has separate records, and no relation to the owner's. */
  readonly stranger: Person;
  readonly admin: Person;
  /** Parameters of the smallest valid create, by default by the owner. Parents are shared, except where they must be unique. */
  minimal(resource: RecordName, by?: Person): Promise<SentParameters>;
  /** Creates a record with the smallest parameters and `more`; throws if it is refused. */
  make(resource: RecordName, more?: SentParameters, by?: Person): Promise<ShownRecord>;
  /** Id of a record that is created once per person. */
  home(resource: RecordName, by?: Person): Promise<string>;
  /** Id of a new record that the reference accepts. */
  target(reference: ReferenceParameter, by?: Person): Promise<string>;
  /** Uploads a file of this media type. */
  file(type?: string, by?: Person): Promise<ShownRecord>;
  stop(): Promise<void>;
}

const BYTES: Readonly<Record<string, Buffer>> = {
  'image/png': PNG,
  'image/jpeg': JPEG,
  'image/gif': GIF,
  'image/webp': WEBP,
  'image/svg+xml': SVG,
};

/** @param more options of the service */
export async function makeWorld(wire: 'plain' | 'wing' = 'plain', more: Partial<StartOptions> = {}): Promise<World> {
  const service = await startService({ wire, ...more });
  const { address } = service;
  const send = clientOf(address);
  const [owner, stranger, guest, admin] = await Promise.all([
    service.user('owner'),
    service.user('stranger'),
    service.user('guest'),
    service.user('administrator', true),
  ]);
  const homes = new Map<string, Promise<string>>();
  let made = 0;

  const world: World = {
    service,
    address,
    send,
    owner,
    stranger,
    admin,
    async minimal(resource, by = owner) {
      const together = unique[resource]?.[0] ?? [];
      const entries = Object.entries(parameters[resource].minimal).map(async ([name, sample]) => {
        if (typeof sample !== 'object' || !('idOf' in sample)) return [name, sample] as const;
        const { idOf } = sample;
        // The first of several values that must be unique together is new each time.
        const fresh = together.length > 1 && name === `${together[0]}_id`;
        return [name, fresh ? (await world.make(idOf, {}, by)).id : await world.home(idOf, by)] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    },
    async make(resource, more = {}, by = owner) {
      if (resource === 'file') return world.file('image/png', by);
      made += 1;
      const once = resource === 'user' ? { username: `user${made}` } : {};
      const { session } = operations[resource]?.create === 'admin' ? admin : by;
      const sent = { ...(await world.minimal(resource, by)), ...once, ...more };
      const reply = await send('POST', records[resource].base, { parameters: { ...sent, session_id: session } });
      return shownIn(reply.body, `${resource} ${JSON.stringify(sent)}: ${reply.text}`);
    },
    home(resource, by = owner) {
      if (resource === 'user') return Promise.resolve(guest.id);
      const key = `${resource} ${by.id}`;
      const home = homes.get(key) ?? world.make(resource, {}, by).then(({ id }) => id);
      homes.set(key, home);
      return home;
    },
    async target({ to, accepts = [] }, by = owner) {
      if (to === 'file') return (await world.file(accepts[0], by)).id;
      return (await world.make(to, {}, by)).id;
    },
    async file(type = 'image/png', by = owner) {
      made += 1;
      return uploadFile(address, by, { name: `file${made}`, type });
    },
    stop: () => stopAndRemove(service),
  };
  return world;
}

async function stopAndRemove(service: TestService): Promise<void> {
  await service.stop();
  rmSync(service.folder, { recursive: true });
}

async function uploadFile(
  address: string,
  { session }: Person,
  { name, type }: { readonly name: string; readonly type: string },
): Promise<ShownRecord> {
  const file = { part: 'file', name, bytes: BYTES[type] ?? Buffer.from('text') };
  const form = multipart([['session_id', session]], file);
  const { text } = await exchange(`${address}/api/file`, { method: 'POST', ...form });
  return shownIn(JSON.parse(text), text);
}

/** The record of a success, bare or in its envelope (D01). */
function shownIn(body: unknown, otherwise: string): ShownRecord {
  const { id, result } = body as { id?: string; result?: ShownRecord };
  if (result !== undefined) return result;
  if (id === undefined) throw new Error(otherwise);
  return body as ShownRecord;
}
