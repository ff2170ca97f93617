// A running service as the engine talks to it: requests of people, answers in a form that can be compared. No expectation.

import { rmSync } from 'node:fs';
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import type { ErrorCode } from '../../runtime/contract/errors.js';
import { chain } from '../../runtime/contract/maybe-promise.js';
import { fieldFor } from '../../runtime/schema/check-needs.js';
import type { RunningServer } from '../../runtime/server/main.js';
import type { Identity } from '../../runtime/store/engine.js';
import { errors as statuses } from '../document/errors.js';
import { exchange, type FilePart, multipart, type OutgoingRequest } from '../support/exchange.js';
import { sessionOf } from '../support/quiet-service.js';
import { startService as start } from '../support/service.js';
import { hasFacts, type ProjectFacts, readFacts } from './facts.js';
import { wantsTag } from './reading.js';

export interface Person {
  readonly name: string;
  /** Null: nobody has logged in. */
  readonly id: string | null;
  readonly session: string | null;
  readonly admin: boolean;
}

export type SentParameters = Readonly<Record<string, unknown>>;

export interface Answer {
  /**
   * `ok`; else each blamed parameter with its code, sorted (`game_id forbidden, name required`), or the code alone.
   * With the status behind it where that is another than the document's.
   */
  readonly said: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** Parameters that had no effect (D19). */
  readonly ignored: readonly string[];
}

export type Bytes = FilePart;

/** A request as a client may send it, whole or broken. */
export interface ServiceRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly sent?: SentParameters | undefined;
  readonly bytes?: Bytes | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of `sent`: the body as it is. */
  readonly body?: string;
  /** True: without the tag that an update has to send. */
  readonly untagged?: true;
}

export interface FullAnswer extends Answer {
  readonly text: string;
  readonly headers: Headers;
}

export interface Service {
  readonly running: RunningServer;
  ask(person: Person, method: string, path: string, sent?: SentParameters, bytes?: Bytes): Promise<Answer>;
  /** As `ask`, with headers and bodies of the test's own; the parameters of a GET are in its path. */
  request(person: Person, asked: ServiceRequest): Promise<FullAnswer>;
  /** `method path status` of every answer so far, without the query. */
  readonly answers: ReadonlySet<string>;
  /** Users made below the operations, with sessions: hashing a password for each would take too long. */
  user(name: string, input: SentParameters): Promise<Person>;
  /** A session of a user that is there already. */
  login(name: string, id: string): Promise<Person>;
  stop(): Promise<void>;
}

export const ANONYMOUS: Person = { name: 'anonymous', id: null, session: null, admin: false };

/** @param generated output folder of the generator; null: the project's own */
export async function startService(generated: string | null): Promise<Service> {
  // Tests by hand in other repositories have no facts, and send tags themselves.
  const { resources } = hasFacts(generated) ? readFacts(generated) : { resources: [] };
  const running = await start({ generated });
  const { service, address, folder } = running;
  const answers = new Set<string>();
  const tagged = tagging(running, resources);
  const request = async (person: Person, asked: ServiceRequest) => {
    const full = await requested(address, person, await tagged(asked));
    answers.add(`${asked.method} ${asked.path.split('?', 1)[0]} ${full.status}`);
    return full;
  };
  const appoint = appointing(running);
  const login = async (name: string, id: string, admin = false) => {
    return { name, id, admin, session: await sessionOf(running, { user: id, now: Date.now() }) };
  };
  return {
    running,
    request,
    answers,
    ask(person, method, path, sent, bytes) {
      if (method !== 'GET') return request(person, { method, path, sent: sent ?? {}, bytes });
      const query = sent === undefined ? '' : `?${new URLSearchParams(sent as Record<string, string>)}`;
      return request(person, { method, path: `${path}${query}` });
    },
    async user(name, input) {
      const change = {
        resource: service.principal.name,
        caller: { user: null, admin: true },
        failures: [],
        upload: null,
      };
      const { id } = await service.engine.records.create({ ...change, input: { ...input }, now: Date.now() });
      if (input.admin === true) appoint(id);
      return login(name, id, input.admin === true);
    },
    login,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes a user an administrator where the principal has no `admin`: nobody can be one there (N28), but the tests look at
 * everything as one, and what the service gives to administrators depends on the session alone.
 */
function appointing({ service }: RunningServer): (user: string) => void {
  const appointed = new Set<string>();
  if (fieldFor(service.principal, 'admin') !== null) return () => undefined;
  const identity = service.engine.identity as { caller: Identity['caller'] };
  const ask = identity.caller.bind(identity);
  identity.caller = (session, now) =>
    chain(ask(session, now), (found) => (found === null ? null : { ...found, admin: appointed.has(found.user) }));
  return (user) => void appointed.add(user);
}

/** Adds the tag of the record as it is now to an update that has to send one (D57). */
function tagging(
  { service }: RunningServer,
  resources: ProjectFacts['resources'],
): (asked: ServiceRequest) => Promise<ServiceRequest> {
  const wanting = new Set(resources.filter(wantsTag).map(({ resource }) => resource));
  return async (asked) => {
    const [, resource = '', id = ''] = /^\/api\/(\w+)\/([^/?]+)(?:\?|$)/.exec(asked.path) ?? [];
    const isUpdate = asked.method === 'PUT' || asked.method === 'PATCH';
    if (!isUpdate || asked.untagged || !wanting.has(resource)) return asked;
    const found = await service.engine.records.get(resource, decodeURIComponent(id), { user: null, admin: true });
    const tag = found.found ? `"${found.version}"` : '*';
    return { ...asked, headers: { 'if-match': tag, ...asked.headers } };
  };
}

async function requested(address: string, { session }: Person, asked: ServiceRequest): Promise<FullAnswer> {
  const { headers, body } = encoded(asked);
  const authorization: Record<string, string> = session === null ? {} : { authorization: `Bearer ${session}` };
  const reply = await exchange(`${address}${asked.path}`, {
    method: asked.method,
    headers: { ...authorization, ...headers, ...asked.headers },
    body,
  });
  return { ...answer(asked, { ...reply, body: parsed(reply.text) }), text: reply.text, headers: reply.headers };
}

/** A form if there are bytes to upload, else JSON. */
function encoded({ sent, bytes, body }: ServiceRequest): Pick<OutgoingRequest, 'headers' | 'body'> {
  if (bytes !== undefined) {
    const fields = Object.entries(sent ?? {}).map(
      ([name, value]) => [name, isMap(value) ? JSON.stringify(value) : String(value ?? '')] as const,
    );
    return multipart(fields, bytes);
  }
  const json = { 'content-type': 'application/json' };
  if (body !== undefined) return { headers: json, body };
  return sent === undefined ? { headers: {}, body: undefined } : { headers: json, body: JSON.stringify(sent) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** JSON travels in a form as text. */
function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

function answer({ path }: ServiceRequest, { status, headers, body }: Reply): Answer {
  const ignored = headers.get('ignored-parameters')?.split(', ') ?? [];
  if (status < 300) {
    // A bulk create makes several records, of which none has the one path (D52).
    const told = headers.has('location') || /\/bulk-[^/]+$/.test(path) ? 201 : 200;
    return { said: `ok${unlike(told, status)}`, body: (body ?? {}) as SentParameters, status, ignored };
  }
  const { code = 'no code', errors = [] } = (body ?? {}) as { code?: string; errors?: Failure[] };
  // Inside JSON the pointer goes on; the parameter is its first part.
  const blamed = [...new Set(errors.map(({ field, code: of }) => `${field.split('/', 1)[0]} ${of}`))].sort();
  const said = blamed.length === 0 ? code : blamed.join(', ');
  return { said: `${said}${unlike(statuses[code as ErrorCode]?.plain, status)}`, body: {}, status, ignored };
}

/** What is said of a status that does not go with what is told (D02, D04). */
function unlike(told: number | undefined, status: number): string {
  return status === told ? '' : ` with status ${status}`;
}

interface Failure {
  readonly field: string;
  readonly code: string;
}

let marks = 0;

/** Eight digits that nothing else has; the last ones differ most, for texts that are too short for all. */
export function mark(): string {
  marks++;
  return marks.toString(16).padStart(8, '0');
}

/** The definition of a resource, for what has no operation over HTTP. */
export function definitionOf({ service }: RunningServer, resource: string): AnyDefinition {
  const found = service.generated.definitions.find(({ name }) => name === resource);
  if (found === undefined) throw new Error(`the service has no ${resource}`);
  return found;
}
