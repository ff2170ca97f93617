// Fills the demo (D35): a designer's game with one of every component, created through the operations as a client would.

import { Readable } from 'node:stream';
import { addUser } from '../../auth/add-user.js';
import type { Session } from '../../auth/sessions.js';
import type { AnyDefinition, Upload } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Random } from '../../contract/ids.js';
import type { Blobs } from '../../files/blobs.js';
import type { Service } from '../../server/open-service.js';
import { StartError } from '../../store/start-error.js';
import { DEMO_RECORDS, type DemoRecord } from './records.js';

export interface Demo {
  /** Null if somebody has deleted it. */
  readonly game: string | null;
  readonly boxtop: string | null;
  /** Id of a fresh session of the demo user. */
  readonly session: string;
  /** The demo user's password if the user has just been created; it cannot be looked up later. */
  readonly password: string | null;
}

/** The time and randomness that the demo uses. */
export interface DemoSources {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly random: Random;
}

const USERNAME = 'demo';

/** Throws StartError where the service is another than the demo is for. */
export function refuseOtherDomain(definitions: readonly AnyDefinition[]): void {
  const names = new Set(definitions.map(({ name }) => name));
  const missing = DEMO_RECORDS.find(({ resource }) => !names.has(resource));
  if (missing !== undefined) throw unfit(missing.resource);
}

function unfit(resource: string): StartError {
  return new StartError(`the demo is of another service, which has the resource ${resource}: start without --demo`);
}

/** Creates the records unless the demo user already exists. */
export async function fillDemo(service: Service, blobs: Blobs, { now, random }: DemoSources): Promise<Demo> {
  const secret = (): string => Buffer.from(random(15)).toString('base64url');
  const password = secret();
  const user = await createUser(service, { username: USERNAME, password }, now);
  const session = await openSession(service, now);
  try {
    if (user !== null) await createRecords(service, blobs, { user, now, associatePassword: secret() });
    return { ...(await find(service, session, now)), session: session.id, password: user === null ? null : password };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The descriptors have changed since the demo was written.
    throw new StartError(`the demo does not match the descriptors (${error.message}): start without --demo`);
  }
}

/** Lines for the operator: the password if it is new, and requests to copy and run. */
export function demoLines(address: string, { game, boxtop, session, password }: Demo): readonly string[] {
  const lines: string[] = [];
  if (password !== null) lines.push(`The user ${USERNAME} has the password ${password} (shown only now)`);
  if (boxtop !== null) lines.push(`curl '${address}/api/boxtop/${boxtop}?_include_related_objects=game'`);
  if (game !== null) {
    const body = JSON.stringify({ name: 'Second box', game_id: game, session_id: session });
    lines.push(`curl -X POST ${address}/api/boxtop -H 'Content-Type: application/json' -d '${body}'`);
  }
  return lines.length > 0 ? lines : ['The demo user exists, but its game has been deleted.'];
}

/** Null if the name is taken. */
async function createUser(
  service: Service,
  user: { readonly username: string; readonly password: string },
  now: number,
): Promise<string | null> {
  try {
    const text = await addUser(service, { ...user, admin: false }, now);
    return (JSON.parse(text) as { id: string }).id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_unique') return null;
    throw error;
  }
}

/** Opens a session without a login: an operator who restarts the demo has the database and need not know the password. */
async function openSession({ engine, sessions }: Service, now: number): Promise<Session> {
  const account = await engine.identity.account(USERNAME);
  if (account === null) throw new Error(`there is no user ${USERNAME}`);
  return sessions.open({ user: account.id, password: account.password, apiKey: null }, now);
}

async function createRecords(
  service: Service,
  blobs: Blobs,
  { user, now, associatePassword }: { readonly user: string; readonly now: number; readonly associatePassword: string },
): Promise<void> {
  const ids = new Map<string, string>();
  const associate = await createUser(service, { username: 'demo-associate', password: associatePassword }, now);
  if (associate !== null) ids.set('associate', associate);
  for (const record of DEMO_RECORDS) {
    const upload = record.upload === undefined ? null : await store(blobs, record.upload);
    const answer = await service.operations.create({
      ...callFor(service, record.resource, { user, now }),
      parameters: record.parameters((key) => ids.get(key)),
      upload,
    });
    ids.set(record.key ?? record.resource, (JSON.parse(answer.body) as { id: string }).id);
  }
}

async function store(blobs: Blobs, { name, bytes }: NonNullable<DemoRecord['upload']>): Promise<Upload> {
  return blobs.keep(await blobs.receive(Readable.from([bytes]), { name, maxBytes: bytes.length }));
}

function callFor(service: Service, resource: string, { user, now }: { readonly user: string; readonly now: number }) {
  const definition = service.definitions.find(({ name }) => name === resource);
  if (definition === undefined) throw unfit(resource);
  return { definition, id: '', name: '', parameters: {}, caller: { user, admin: false }, now, upload: null };
}

/** The first box top of the first game of the user's first designer. */
async function find(service: Service, { user }: Session, now: number): Promise<Pick<Demo, 'game' | 'boxtop'>> {
  const first = async (parent: string, id: string | null, list: string): Promise<string | null> => {
    if (id === null) return null;
    const call = { ...callFor(service, parent, { user, now }), id, name: list };
    const { body } = await service.operations.list(call);
    return (JSON.parse(body) as { items: { id: string }[] }).items[0]?.id ?? null;
  };
  const designer = await first('user', user, 'designers');
  const game = await first('designer', designer, 'games');
  return { game, boxtop: await first('game', game, 'boxtops') };
}
