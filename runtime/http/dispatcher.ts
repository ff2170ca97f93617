// The one way of a request: path, method, parameters, session, rate limit, operation, response. No rule of a resource.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upload } from '../definition.js';
import { ServiceError } from '../errors.js';
import { after, isPromise } from '../eventually.js';
import type { Received } from '../files/blobs.js';
import type { Answer } from '../operations/call.js';
import type { Caller, MaybePromise, Store } from '../store/store.js';
import { methodNotAllowed } from './errors.js';
import type { Clock, Exchange } from './exchange.js';
import type { Files, Form } from './multipart.js';
import { gather, takeSession } from './parameters.js';
import { percentDecode } from './query.js';
import { addressKey, type RateLimit } from './rate-limit.js';
import type { Responder } from './respond.js';
import type { Found, Route, Table, Target } from './routes.js';

export interface Sessions {
  /** Who the session speaks for; null when it is dead. `now` in epoch milliseconds. */
  caller(sessionId: string, now: number): MaybePromise<Caller | null>;
}

export interface DispatcherParts {
  readonly table: Table;
  readonly responder: Responder;
  readonly sessions: Sessions;
  readonly store: Pick<Store, 'exists'>;
  readonly files: Files;
  readonly clock: Clock;
  readonly rateLimit: RateLimit | null;
  /** The client's address. */
  address(req: IncomingMessage): string;
}

export type Dispatcher = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

const ANONYMOUS: Caller = { user: null, admin: false };

/** A plain (req, res, next): it may stand in anyone's Express app; `next` gets the paths it does not know. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  return (req, res, next) => {
    const { path, query } = split(req.url ?? '/');
    const found = parts.table.find(path);
    if (found === null) {
      next();
      return;
    }
    const exchange = parts.responder.begin(req, res);
    const fail = (thrown: unknown) => parts.responder.error(exchange, thrown);
    try {
      const done = serve(parts, exchange, found, query);
      // A bare thenable need not have a catch.
      if (isPromise(done)) done.then(undefined, fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

function split(url: string): { path: string; query: string } {
  // A proxy may send the whole address.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function serve(parts: DispatcherParts, exchange: Exchange, found: Found, query: string): MaybePromise<void> {
  const target = choose(exchange, found);
  const id = percentDecode(found.id);
  name(exchange, target.pattern, target.routes[0], id);
  return after(gather(exchange.req, query, target.routes[0].upload, parts.files), (form) => {
    const work = () => answer(parts, exchange, { target, id, form });
    return after(form.received === null ? work() : tidily(parts.files, form.received, work), (result) =>
      parts.responder.answer(exchange, result, form.dropped),
    );
  });
}

function name(exchange: Exchange, pattern: string, route: Route, id: string): void {
  exchange.pattern = pattern;
  exchange.resource = route.resource;
  exchange.operation = route.operation;
  // A hand-written route's id may be a secret, such as a session's.
  if (id !== '' && route.definition !== null) exchange.record = id;
}

/** Throws `method` with Allow, and `malformed` for a tunnelled method that is not offered that way (D12). */
function choose(exchange: Exchange, { place }: Found): Target {
  const { method } = exchange;
  exchange.method = method === 'POST' ? tunnelled(exchange.req.headers['x-http-method']) : method;
  const target = place.methods.get(exchange.method === 'HEAD' ? 'GET' : exchange.method);
  if (target === undefined) throw methodNotAllowed(exchange.method, place.allow);
  return target;
}

const TUNNELLED = new Set(['PUT', 'DELETE', 'POST']);

function tunnelled(header: string | string[] | undefined): string {
  if (header === undefined) return 'POST';
  const method = String(header).toUpperCase();
  if (!TUNNELLED.has(method)) throw new ServiceError('malformed', 'X-HTTP-Method must be PUT or DELETE.');
  return method;
}

/** Leaves no temporary file behind when the work fails. */
async function tidily<T>(files: Files, received: Received, work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await files.discard(received);
    throw error;
  }
}

interface Work {
  readonly target: Target;
  readonly id: string;
  readonly form: Form;
}

function answer(parts: DispatcherParts, exchange: Exchange, { target, id, form }: Work): MaybePromise<Answer> {
  const { parameters } = form;
  const now = parts.clock.now();
  const address = parts.address(exchange.req);
  const session = takeSession(parameters, exchange.req.headers.authorization);
  return after(identify(parts.sessions, session, now), (caller) =>
    after(limit(parts.rateLimit, caller, { session, address }), () =>
      after(pick(parts.store, target, id), (route) => {
        exchange.resource = route.resource;
        // From here on every answer tells it, a refusal too: the client is built on it all the same.
        if (route.noticeOf !== undefined) exchange.notice = route.noticeOf(parameters);
        return after(keep(parts.files, form, route, caller), (upload) =>
          route.run({ id, parameters, caller, session, address, now, upload }),
        );
      }),
    ),
  );
}

/** A dead session is no session (D14). */
function identify(sessions: Sessions, session: string | null, now: number): MaybePromise<Caller> {
  if (session === null) return ANONYMOUS;
  return after(sessions.caller(session, now), (caller) => caller ?? ANONYMOUS);
}

/** A session counts only while it lives: else made-up ids would be a way around the limit. */
function limit(
  rateLimit: RateLimit | null,
  caller: Caller,
  { session, address }: { session: string | null; address: string },
): MaybePromise<void> {
  if (rateLimit === null) return undefined;
  return rateLimit(caller.user !== null && session !== null ? `session ${session}` : addressKey(address));
}

/** The route whose record it is; the first when there is no such record, to say so in its own words. */
function pick(store: Pick<Store, 'exists'>, target: Target, id: string, at = 0): MaybePromise<Route> {
  const { routes } = target;
  const route = routes[at];
  if (routes.length === 1 || route === undefined || route.definition === null) return routes[0];
  return after(store.exists(route.definition, id), (exists) => (exists ? route : pick(store, target, id, at + 1)));
}

/** Bytes are made durable before their record is written, and not at all for a caller who may not write it (D14). */
function keep(files: Files, { received }: Form, route: Route, caller: Caller): MaybePromise<Upload | null> {
  if (received === null) return null;
  if (caller.user === null && route.definition?.operations.create !== 'anyone') {
    throw new ServiceError('login_required', 'A session is required to upload.');
  }
  return files.keep(received);
}
