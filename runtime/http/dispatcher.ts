// The path of every request: route, method, limits, parameters, session, operation, response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Upload } from '../definition.js';
import { ServiceError } from '../errors.js';
import type { Received } from '../files/blobs.js';
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js';
import type { Records } from '../store/records.js';
import { declaredLength, hasBody } from './body.js';
import type { Buffered } from './buffered.js';
import { type Bag, emptyBag } from './collected-parameters.js';
import { continueReading } from './connections.js';
import { methodNotAllowed } from './errors.js';
import type { Clock, Exchange } from './exchange.js';
import type { Limits, Visitor } from './limits.js';
import type { Files, Form } from './multipart.js';
import { checkHead, gather, sessionOf } from './parameters.js';
import { percentDecode, readPairs } from './query.js';
import type { Responder } from './respond.js';
import type { Found, Route, Table, Target } from './routes.js';
import type { Uploads } from './uploads.js';

export interface DispatcherParts {
  readonly table: Table;
  readonly responder: Responder;
  readonly limits: Limits;
  readonly uploads: Uploads;
  readonly buffered: Buffered;
  readonly store: Pick<Records, 'locate'>;
  readonly files: Files;
  readonly clock: Clock;
  /** The client's address. */
  address(req: IncomingMessage): string;
}

export type Dispatcher = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

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
  const { req } = exchange;
  const parameters = query === '' ? emptyBag() : readPairs(query);
  const session = sessionOf(parameters, req.headers.authorization);
  const head = { address: parts.address(req), session, now: parts.clock.now() };
  return chain(parts.limits.head(head), (visitor) => {
    exchange.client = visitor.key;
    if (hasBody(req)) return withBody(parts, exchange, { target, id, parameters, visitor });
    return finish(parts, exchange, { target, id, form: { parameters, received: null, dropped: [] }, visitor });
  });
}

interface Begun {
  readonly target: Target;
  readonly id: string;
  /** Of the query. */
  readonly parameters: Bag;
  /** As the head names it. */
  readonly visitor: Visitor;
}

/** A session in the body is judged as soon as it matters: before a file is written, at the latest when all is read. */
async function withBody(parts: DispatcherParts, exchange: Exchange, begun: Begun): Promise<void> {
  const { req, res } = exchange;
  const { target, id, parameters } = begun;
  const route = target.routes[0];
  let { visitor } = begun;
  const judge = async (fields: Bag) => {
    const session = sessionOf(fields, req.headers.authorization);
    visitor = await parts.limits.whole(visitor, session, parts.clock.now());
    exchange.client = visitor.key;
  };
  checkHead(req, route.upload);
  continueReading(res);
  const form = await gather(req, parameters, {
    part: route.upload,
    ...parts.buffered.lease(visitor.key, res),
    discard: (received) => parts.files.discard(received),
    async receive(part, fields) {
      if (fields.session_id !== undefined) {
        await judge(fields);
        mayUpload(route, visitor);
      }
      return parts.uploads.receive({ ...part, declared: declaredLength(req) }, visitor, res);
    },
  });
  const work = async () => {
    await judge(form.parameters);
    return finish(parts, exchange, { target, id, form, visitor });
  };
  return form.received === null ? work() : tidily(parts.files, form.received, work);
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
  readonly visitor: Visitor;
}

function finish(parts: DispatcherParts, exchange: Exchange, { target, id, form, visitor }: Work): MaybePromise<void> {
  const { parameters } = form;
  delete parameters.session_id;
  const { caller, session, address } = visitor;
  const now = parts.clock.now();
  return chain(pick(parts.store, target, id), (route) => {
    exchange.resource = route.resource;
    // From here on every answer tells it, a refusal too: the client is built on it all the same.
    if (route.noticeOf !== undefined) exchange.notice = route.noticeOf(parameters);
    return chain(keep(parts.files, form, route, visitor), (upload) =>
      chain(route.run({ id, parameters, caller, session, address, now, upload }), (result) =>
        parts.responder.answer(exchange, result, form.dropped),
      ),
    );
  });
}

/** The route whose record it is; the first when there is no such record, to say so in its own words. */
function pick(store: Pick<Records, 'locate'>, { routes }: Target, id: string): MaybePromise<Route> {
  if (routes.length === 1) return routes[0];
  const resources = routes.flatMap(({ definition }) => definition?.name ?? []);
  if (resources.length < routes.length) return routes[0];
  return chain(store.locate(resources, id), (at) => routes[at] ?? routes[0]);
}

/** Bytes are made durable before their record is written, and not at all for a caller who may not write it (D14). */
function keep(files: Files, { received }: Form, route: Route, visitor: Visitor): MaybePromise<Upload | null> {
  if (received === null) return null;
  mayUpload(route, visitor);
  return files.keep(received);
}

function mayUpload(route: Route, { caller }: Visitor): void {
  if (caller.user === null && route.definition?.operations.create !== 'anyone') {
    throw new ServiceError('login_required', 'A session is required to upload.');
  }
}
