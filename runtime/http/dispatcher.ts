// Dispatches every request: route, method, limits, parameters, session, operation, response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { conditionsIn } from '../contract/conditions.js';
import { REQUESTS } from '../contract/defaults.js';
import type { Upload } from '../contract/definition.js';
import { failed, ServiceError } from '../contract/errors.js';
import { chain, isPromise, type MaybePromise } from '../contract/maybe-promise.js';
import type { ReceivedFile } from '../files/blobs.js';
import { requireScope } from '../operations/authorize.js';
import type { Quota } from '../store/quota.js';
import type { Records } from '../store/records.js';
import { checkHead, declaredLength, hasBody, readParameters } from './body.js';
import type { BufferLimits } from './buffer-limits.js';
import { methodNotAllowed, pathNotFound } from './errors.js';
import type { Clock, Exchange } from './exchange.js';
import { createRunOnceByKey, type RunOnceByKey } from './idempotency.js';
import { type Costs, createCosts, type Limits, sessionOf, type Visitor } from './limits.js';
import type { Files, Form, IncomingFile } from './multipart.js';
import { emptyParameters, percentDecode, type RawParameters, readPairs } from './raw-parameters.js';
import type { Responder } from './respond.js';
import { allowed, type PathTarget, type Route, type RouteMatch, type Table } from './routes.js';
import { continueReading } from './server.js';
import type { Uploads } from './uploads.js';
import type { Version, Versions } from './versions/versions.js';

export interface DispatcherContext {
  readonly table: Table;
  /** Absent: there are no versions, and the header is ignored. */
  readonly versions?: Pick<Versions, 'asked' | 'standard' | 'withPath'>;
  readonly responder: Responder;
  readonly limits: Limits;
  readonly uploads: Uploads;
  readonly bufferLimits: BufferLimits;
  readonly store: Pick<Records, 'locate'>;
  readonly files: Files;
  readonly clock: Clock;
  /** What the files of a user may take; null: any number of bytes. */
  readonly quota: Pick<Quota, 'failure'> | null;
  /** Bytes that copies and bulk creates may still use on the disk of the database. */
  roomForRecords(): MaybePromise<number>;
  /** The client's address. */
  address(req: IncomingMessage): string;
}

interface DispatchState extends DispatcherContext {
  readonly costs: Costs;
  /** Runs a route, once for each key (D50). */
  readonly runOnceByKey: RunOnceByKey;
}

export type Dispatcher = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** A plain (req, res, next) that can be mounted in any Express app; paths it does not know go to `next`. */
export function createDispatcher(shared: DispatcherContext): Dispatcher {
  const { limits, roomForRecords, clock } = shared;
  const costs = createCosts({ limits, roomForRecords, now: clock.now });
  const context: DispatchState = { ...shared, runOnceByKey: createRunOnceByKey(), costs };
  return (req, res, next) => {
    const { path, query } = split(req.url ?? '/');
    const header = req.headers['punchboard-version'];
    const named = header ?? context.versions?.standard;
    const { version, refusal } = named === undefined ? NEWEST : versionOf(context.versions, named);
    const current = (version?.routes ?? context.table).find(path);
    const match = current ?? (header === undefined ? earlierMatch(context.versions, req, path) : null);
    if (match === null) {
      next();
      return;
    }
    const exchange = context.responder.begin(req, res);
    exchange.version = version;
    const fail = (thrown: unknown) => context.responder.error(exchange, thrown);
    try {
      if (refusal !== undefined) throw refusal;
      const done = serve(context, exchange, { path, match, isFound: current !== null }, query);
      // A plain thenable need not have a `catch`.
      if (isPromise(done)) done.then(undefined, fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

interface NamedVersion {
  readonly version?: Version | undefined;
  readonly refusal?: unknown;
}

const NEWEST: NamedVersion = Object.freeze({});

/** The refusal of an unknown version is thrown only where there is a route. */
function versionOf(versions: DispatcherContext['versions'], named: string | readonly string[]): NamedVersion {
  try {
    return { version: versions?.asked(String(named)) };
  } catch (refusal) {
    return { refusal };
  }
}

/** The route that an earlier version has at the path, if the request may have a session or key that remembers one. */
function earlierMatch(versions: DispatcherContext['versions'], req: IncomingMessage, path: string): RouteMatch | null {
  const mayRemember = req.headers.authorization !== undefined || /[?&]session_id=/.test(req.url ?? '') || hasBody(req);
  return (mayRemember && versions?.withPath(path)?.routes.find(path)) || null;
}

function split(url: string): { path: string; query: string } {
  // A proxy may send an absolute URL.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

interface PathMatch {
  readonly path: string;
  readonly match: RouteMatch;
  /** False: only an earlier version has the path, and the session or key has to remember that version. */
  readonly isFound: boolean;
}

function serve(context: DispatchState, exchange: Exchange, matched: PathMatch, query: string): MaybePromise<void> {
  const { req } = exchange;
  const first = destinationOf(exchange, matched);
  const parameters = query === '' ? emptyParameters() : readPairs(query);
  const session = sessionOf(parameters, req.headers.authorization);
  const head = { address: context.address(req), session, now: context.clock.now() };
  return chain(context.limits.countByHead(head), (visitor) => {
    exchange.client = visitor.key;
    const { version } = visitor.caller;
    const destination = version === undefined ? first : rememberedDestination(context, exchange, first, version);
    const { target } = destination;
    // This precedes reading a body. If several routes share the path, the record decides on the route first.
    if (target.routes.length === 1) requireScope(visitor.caller, target.routes[0]);
    if (hasBody(req)) return withBody(context, exchange, { destination, parameters, visitor });
    return finish(context, exchange, { destination, form: { parameters, received: null, dropped: [] }, visitor });
  });
}

/** The target of a request under one version. */
interface Destination {
  readonly path: string;
  readonly target: PathTarget;
  readonly id: string;
  readonly isFound: boolean;
  /** The remembered version whose path it is; undefined: none was looked up. */
  readonly remembered: string | undefined;
}

/** Throws `method` with Allow, and `malformed` for a method that cannot be tunnelled (D12). */
function destinationOf(exchange: Exchange, { path, match, isFound }: PathMatch, remembered?: string): Destination {
  const { method, req } = exchange;
  exchange.method = method === 'POST' ? tunnelled(req.headers['x-http-method']) : method;
  const target = match.targets.get(exchange.method === 'HEAD' ? 'GET' : exchange.method);
  if (target === undefined) throw methodNotAllowed(exchange.method, allowed(match.targets));
  const id = percentDecode(match.id);
  const [route] = target.routes;
  exchange.pattern = target.pattern;
  exchange.resource = route.resource;
  exchange.operation = route.operation;
  // The id in a hand-written route may be a secret, such as a session's.
  if (id !== '' && route.definition !== null) exchange.record = id;
  return { path, target, id, isFound, remembered };
}

/** The destination under the version that the session or key remembers, unless the request names one (D68). */
function rememberedDestination(
  { versions, table }: DispatchState,
  exchange: Exchange,
  destination: Destination,
  version: string,
): Destination {
  if (version === destination.remembered) return destination;
  if (exchange.req.headers['punchboard-version'] !== undefined) return destination;
  exchange.version = versions?.asked(version);
  const match = (exchange.version?.routes ?? table).find(destination.path);
  if (match === null) throw pathNotFound();
  return destinationOf(exchange, { path: destination.path, match, isFound: true }, version);
}

interface StartedRequest {
  readonly destination: Destination;
  /** The parameters of the query. */
  readonly parameters: RawParameters;
  /** As identified by the head. */
  readonly visitor: Visitor;
}

/** A session in the body is checked before a file is written, or else once the whole body is read. */
async function withBody(context: DispatchState, exchange: Exchange, started: StartedRequest): Promise<void> {
  const { req, res } = exchange;
  const { destination, parameters } = started;
  const route = destination.target.routes[0];
  let { visitor } = started;
  const identify = async (fields: RawParameters): Promise<void> => {
    const session = sessionOf(fields, req.headers.authorization);
    if (session !== visitor.session)
      visitor = await context.limits.countBySession(visitor, session, context.clock.now());
    exchange.client = visitor.key;
  };
  checkHead(req, route.upload);
  if (req.headers.expect !== undefined) continueReading(res);
  // An unknown length is NaN. A request that waits for the answer to an earlier one of its connection has no socket yet.
  const isCounted = !(declaredLength(req) <= REQUESTS.countedBody) || res.socket === null;
  const form = await readParameters(req, parameters, {
    part: route.upload,
    ...(isCounted ? context.bufferLimits.lease(visitor.key, res) : {}),
    discard: (received) => context.files.discard(received),
    async receive(part, fields) {
      if (fields.session_id !== undefined) {
        await identify(fields);
        mayUpload(route, visitor);
      }
      return receiveFile(context, exchange, part, { route, visitor });
    },
  });
  const { received } = form;
  try {
    if (form.parameters.session_id !== undefined) await identify(form.parameters);
    await finish(context, exchange, { destination, form, visitor });
  } catch (error) {
    if (received !== null) await context.files.discard(received);
    throw error;
  }
  // The record is already stored: if this fails, the file is removed with the leftovers of a crash.
  if (received !== null) await context.files.settle(received).catch(() => undefined);
}

/** A request for a route, and who sent it. */
interface RoutedRequest {
  readonly route: Route;
  readonly visitor: Visitor;
}

async function receiveFile(
  context: DispatchState,
  { req, res }: Exchange,
  part: IncomingFile,
  { route, visitor }: RoutedRequest,
): Promise<ReceivedFile> {
  refuseFull(context, route, visitor);
  const declared = declaredLength(req);
  context.costs.chargeUpload(visitor, declared);
  const received = await context.uploads.receive({ ...part, declared }, visitor, res);
  if (Number.isNaN(declared)) context.costs.chargeUpload(visitor, received.size);
  return received;
}

const TUNNELLED = new Set(['PUT', 'DELETE', 'POST']);

function tunnelled(header: string | string[] | undefined): string {
  if (header === undefined) return 'POST';
  const method = String(header).toUpperCase();
  if (!TUNNELLED.has(method)) throw new ServiceError('malformed', 'X-HTTP-Method must be PUT or DELETE.');
  return method;
}

interface ReadRequest {
  readonly destination: Destination;
  readonly form: Form;
  readonly visitor: Visitor;
}

/** Lets the route whose record exists respond, or else the first route, which reports that there is no such record. */
function finish(
  context: DispatchState,
  exchange: Exchange,
  { destination: first, form, visitor }: ReadRequest,
): MaybePromise<void> {
  const { version } = visitor.caller;
  const destination = version === undefined ? first : rememberedDestination(context, exchange, first, version);
  if (!destination.isFound) throw pathNotFound();
  const { id, target } = destination;
  const { routes, resources } = target;
  const request = { id, form, visitor };
  if (routes.length === 1) return run(context, exchange, routes[0], request);
  return chain(context.store.locate(resources, id), (at) => run(context, exchange, routes[at] ?? routes[0], request));
}

function run(
  context: DispatchState,
  exchange: Exchange,
  route: Route,
  { id, form, visitor }: Pick<ReadRequest, 'form' | 'visitor'> & { readonly id: string },
): MaybePromise<void> {
  const { parameters, received, dropped } = form;
  delete parameters.session_id;
  const { session, address } = visitor;
  const { trace, version, req } = exchange;
  // A version is remembered only by a write.
  const named = exchange.method === 'GET' ? undefined : req.headers['punchboard-version'];
  const caller =
    trace === undefined && named === undefined
      ? visitor.caller
      : { ...visitor.caller, ...(trace && { trace }), ...(named && { version: String(named) }) };
  const now = context.clock.now();
  exchange.resource = route.resource;
  const conditions = route.method === 'GET' ? undefined : conditionsIn(req.headers);
  requireScope(visitor.caller, route);
  // From here on every response carries the notice, refusals included: the client depends on the item either way.
  if (route.noticeOf !== undefined) exchange.notice = route.noticeOf(parameters);
  const isFree = route.isLong !== true && route.hashes === undefined;
  const charged = isFree ? route : context.costs.chargeRoute(route, visitor);
  const key = route.takesKey ? req.headers['idempotency-key'] : undefined;
  const once: Route['run'] =
    key === undefined ? charged.run : (request) => context.runOnceByKey(key, exchange, request, charged);
  const answer = (upload: Upload | null): MaybePromise<void> => {
    const request = { id, parameters, caller, session, address, now, upload, conditions };
    const answered = version === undefined ? once(request) : version.run(route, request, once);
    return chain(answered, (result) => context.responder.answer(exchange, result, dropped));
  };
  return received === null ? answer(null) : chain(keepUpload(context, received, { route, visitor }), answer);
}

/** Makes bytes durable before their record is written, and not at all for a caller who may not write it (D14). */
function keepUpload(
  context: DispatcherContext,
  received: ReceivedFile,
  { route, visitor }: RoutedRequest,
): MaybePromise<Upload> {
  mayUpload(route, visitor);
  refuseFull(context, route, visitor);
  return context.files.keep(received);
}

/**
 * Users who have used up their file quota (D64) are refused before their bytes are stored: otherwise refused uploads would fill
 * the disk. The store checks the quota of the file's owner, on whose behalf an administrator may upload it.
 */
function refuseFull({ quota }: DispatcherContext, { upload }: Route, { caller }: Visitor): void {
  const failure = upload === null || caller.admin ? null : quota?.failure(upload.part, caller.user);
  if (failure) throw failed([failure]);
}

function mayUpload(route: Route, { caller }: Visitor): void {
  if (caller.user === null && route.definition?.operations.create !== 'anyone') {
    throw new ServiceError('login_required', 'A session is required to upload.');
  }
}
