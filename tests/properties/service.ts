// A running service as the tests talk to it: requests of people, and answers in a form that can be compared. It expects nothing.

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
   * `ok`, or each blamed parameter with its code, sorted (`game_id forbidden, name required`), or the code alone.
   * The status follows if it differs from that of the document.
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
  /** The path with its query. */
  readonly path: string;
  readonly sent?: SentParameters | undefined;
  readonly bytes?: Bytes | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is, instead of `sent`. */
  readonly body?: string;
  /** True leaves out the tag that an update has to send. */
  readonly untagged?: true;
}

export interface FullAnswer extends Answer {
  readonly text: string;
  readonly headers: Headers;
}

export interface Service {
  readonly running: RunningServer;
  ask(person: Person, method: string, path: string, sent?: SentParameters, bytes?: Bytes): Promise<Answer>;
  /** Like `ask`, with the test's own headers and bodies; the parameters of a GET are in its path. */
  request(person: Person, asked: ServiceRequest): Promise<FullAnswer>;
  /** `method path status` of every answer so far, without the query. */
  readonly answers: ReadonlySet<string>;
  /** Creates a user in the engine, with a session: hashing a password for each user would take too long. */
  user(name: string, input: SentParameters): Promise<Person>;
  /** Opens a session of an existing user. */
  login(name: string, id: string): Promise<Person>;
  stop(): Promise<void>;
}

export const ANONYMOUS: Person = { name: 'anonymous', id: null, session: null, admin: false };

/** @param generated output folder of the generator; null: the project's own */
export async function startService(generated: string | null): Promise<Service> {
  // Hand-written tests in other repositories have no facts, and send tags themselves.
  const { resources } = hasFacts(generated) ? readFacts(generated) : { resources: [] };
  const running = await start({ generated });
  const { service, address, folder } = running;
  const answers = new Set<string>();
  const tagged = tagging(running, resources);
  const request = async (person: Person, asked: ServiceRequest) => {
    const full = await sendRequest(address, person, await tagged(asked));
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
 * Makes a user an administrator if the principal has no `admin`. Nobody can be an administrator of such a service (N28), but
 * the tests look at everything as one, and what the service shows to administrators depends on the session alone.
 */
function appointing({ service }: RunningServer): (user: string) => void {
  const appointed = new Set<string>();
  if (fieldFor(service.principal, 'admin') !== null) return () => undefined;
  const identity = service.engine.identity as { caller: Identity['caller'] };
  const ask = identity.caller.bind(identity);
  identity.caller = (session, now) =>
    chain(ask(session, now), (caller) => (caller === null ? null : { ...caller, admin: appointed.has(caller.user) }));
  return (user) => void appointed.add(user);
}

/** Adds the current tag of the record to an update that has to send one (D57). */
function tagging(
  { service }: RunningServer,
  resources: ProjectFacts['resources'],
): (asked: ServiceRequest) => Promise<ServiceRequest> {
  const tagged = new Set(resources.filter(wantsTag).map(({ resource }) => resource));
  return async (asked) => {
    const [, resource = '', id = ''] = /^\/api\/(\w+)\/([^/?]+)(?:\?|$)/.exec(asked.path) ?? [];
    const isUpdate = asked.method === 'PUT' || asked.method === 'PATCH';
    if (!isUpdate || asked.untagged || !tagged.has(resource)) return asked;
    const record = await service.engine.records.get(resource, decodeURIComponent(id), { user: null, admin: true });
    const tag = record.found ? `"${record.version}"` : '*';
    return { ...asked, headers: { 'if-match': tag, ...asked.headers } };
  };
}

async function sendRequest(address: string, { session }: Person, asked: ServiceRequest): Promise<FullAnswer> {
  const { headers, body } = encode(asked);
  const authorization: Record<string, string> = session === null ? {} : { authorization: `Bearer ${session}` };
  const reply = await exchange(`${address}${asked.path}`, {
    method: asked.method,
    headers: { ...authorization, ...headers, ...asked.headers },
    body,
  });
  return { ...answer(asked, { ...reply, body: jsonOf(reply.text) }), text: reply.text, headers: reply.headers };
}

/** A form if there are bytes to upload, else JSON. */
function encode({ sent, bytes, body }: ServiceRequest): Pick<OutgoingRequest, 'headers' | 'body'> {
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

function jsonOf(text: string): unknown {
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
    // A bulk create creates several records, so that there is no single `Location` (D52).
    const expectedStatus = headers.has('location') || /\/bulk-[^/]+$/.test(path) ? 201 : 200;
    return { said: `ok${unlike(expectedStatus, status)}`, body: (body ?? {}) as SentParameters, status, ignored };
  }
  const { code = 'no code', errors = [] } = (body ?? {}) as { code?: string; errors?: Failure[] };
  // Inside JSON, the field is a pointer whose first part is the parameter.
  const blamed = [...new Set(errors.map(({ field, code: of }) => `${field.split('/', 1)[0]} ${of}`))].sort();
  const said = blamed.length === 0 ? code : blamed.join(', ');
  return { said: `${said}${unlike(statuses[code as ErrorCode]?.plain, status)}`, body: {}, status, ignored };
}

/** Adds a status that is not the expected one (D02, D04). */
function unlike(expected: number | undefined, status: number): string {
  return status === expected ? '' : ` with status ${status}`;
}

interface Failure {
  readonly field: string;
  readonly code: string;
}

let marks = 0;

/** Eight digits that nothing else has; the last ones differ most, as short texts only keep those. */
export function mark(): string {
  marks++;
  return marks.toString(16).padStart(8, '0');
}

/** The definition of a resource, for tests of what has no operation over HTTP. */
export function definitionOf({ service }: RunningServer, resource: string): AnyDefinition {
  const definition = service.generated.definitions.find(({ name }) => name === resource);
  if (definition === undefined) throw new Error(`the service has no ${resource}`);
  return definition;
}
