// Composes the HTTP layer into one Express app. It opens and reads nothing itself.
import type { IncomingMessage } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type IRouter,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Logger } from 'pino';
import type { ConsoleParts } from '../admin/console/console.js';
import { READY_WITHIN } from '../contract/defaults.js';
import type { AnyDefinition } from '../contract/definition.js';
import { chain, isPromise, type MaybePromise } from '../contract/maybe-promise.js';
import { memoize } from '../contract/memoize.js';
import type { BufferLimits } from '../http/buffer-limits.js';
import { createDispatcher } from '../http/dispatcher.js';
import { serveDocument } from '../http/document.js';
import { methodNotAllowed, pathNotFound } from '../http/errors.js';
import type { Clock, Exchange } from '../http/exchange.js';
import { createLimits, type Limits, type Sessions, sessionOf } from '../http/limits.js';
import { logBug } from '../http/log.js';
import { type RequestMetrics, sendMetrics } from '../http/metrics.js';
import type { Files } from '../http/multipart.js';
import { HTTP_PARTS } from '../http/optional-parts.js';
import type { Profile } from '../http/profiles.js';
import type { RateLimit } from '../http/rate-limit.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { createResponder, type Responder } from '../http/respond.js';
import { createTable, type Route } from '../http/routes.js';
import { createUploads, type Uploads } from '../http/uploads.js';
import { createVersions, type VersionSource, type Versions } from '../http/versions/versions.js';
import type { Operations } from '../operations/operations.js';
import type { DocsVersion } from '../pages/docs/docs.js';
import { type Pages, wantsPage } from '../pages/pages.js';
import type { Quota } from '../store/quota.js';
import type { Records } from '../store/records.js';
import { SERVER_PARTS } from './optional-parts.js';

export interface AppParts {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  /** The same operations, over a store in which these methods replace its own. */
  operationsOver(methods: Partial<Records>): Operations;
  /** Hand-written operations by a definition's `servedBy`; without its module such a definition has no routes. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  /** Hand-written routes, such as those of sessions. */
  readonly extra: readonly Route[];
  readonly sessions: Sessions;
  readonly store: Pick<Records, 'locate' | 'get' | 'findIdByValue' | 'shownBy'>;
  /** Stores uploads. */
  readonly files: Files;
  /** Bytes that uploads may still use. */
  freeBytes(): Promise<number>;
  /** What the files of a user may take; null: any number of bytes. */
  readonly quota: Pick<Quota, 'failure'> | null;
  /** Bytes that copies and bulk creates may still use on the disk of the database. */
  roomForRecords(): MaybePromise<number>;
  /** Serves GET /files/:id/:key (D25); may throw ServiceError. */
  readonly serveFile: RequestHandler;
  /** Composes the API document. @param of converts today's document to that of a version */
  document(of?: (plain: Buffer) => Buffer): Buffer;
  /** Null: no pages. */
  readonly pages: Pages | null;
  /** Pages behind a login form: those of operators, and those of owners of web hooks. */
  readonly sites: readonly ConsoleParts[];
  readonly profile: Profile;
  /** The cut versions (D68); absent: there are none. */
  readonly cuts?: VersionSource;
  /** Null: no log. */
  readonly log: Logger | null;
  /** Null: no metrics. */
  readonly metrics: RequestMetrics | null;
  /** Bearer token for /metrics; null: there is no such path. */
  readonly metricsToken: string | null;
  readonly clock: Clock;
  readonly bufferLimits: BufferLimits;
  newRequestId(): string;
  /** The limit of requests a minute per user or address (D39); null: none. */
  readonly rateLimit: RateLimit | null;
  /** Origins whose scripts may call the service (D46). */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted, as for Express's `trust proxy`; false: none. */
  readonly trustProxy: boolean | number | string;
  /** Whether requests should be sent here: false while starting and stopping. */
  ready(): MaybePromise<boolean>;
}

/** Use it with `createServer` of http/server, which makes it several times faster on Node before 24. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustProxy);
  const responder = createResponder(parts);
  const limits = createLimits(parts.sessions, parts.rateLimit);
  const uploads = createUploads(parts);
  if (parts.corsOrigins.length > 0) app.use(HTTP_PARTS.cors().createCors(parts.corsOrigins));
  const versions = versionsOf(parts);
  app.use(dispatcher(parts, { responder, limits, uploads, versions }));
  mount(app, responder, '/healthz', (_req, res) => void res.type('text').end('ok'));
  mount(app, responder, '/readyz', (_req, res) => chain(inTime(parts.ready()), (ready) => sendReadiness(res, ready)));
  const { metrics, metricsToken } = parts;
  if (metrics !== null && metricsToken !== null) {
    const { withToken } = HTTP_PARTS.metricsAccess();
    mount(
      app,
      responder,
      '/metrics',
      withToken(metricsToken, (_req, res) => sendMetrics(metrics, res)),
    );
  }
  app.use(limited(parts, limits));
  const openapi = byVersion(parts, versions, (document) => serveDocument(document));
  mount(app, responder, '/openapi.json', openapi);
  mount(app, responder, '/files/:id/:key', bytes(parts, responder));
  const { pages } = parts;
  if (pages !== null) mountPages(app, responder, pages, byVersion(parts, versions, pages.docs));
  for (const site of parts.sites) mountSite(app, site, { parts, responder, uploads });
  app.use((req, res) => responder.error(responder.begin(req, res), pathNotFound()));
  const failed: ErrorRequestHandler = (error, req, res, _next) =>
    responder.error((res.locals.exchange as Exchange | undefined) ?? responder.begin(req, res), error);
  app.use(failed);
  return app;
}

interface SharedParts {
  readonly responder: Responder;
  readonly uploads: Uploads;
}

function dispatcher(
  parts: AppParts,
  { responder, limits, uploads, versions }: SharedParts & { readonly limits: Limits; readonly versions: Versions },
): RequestHandler {
  return createDispatcher({
    table: createTable(parts.extra, resourceRoutes(parts)),
    versions,
    responder,
    limits,
    uploads,
    bufferLimits: parts.bufferLimits,
    store: parts.store,
    files: parts.files,
    clock: parts.clock,
    quota: parts.quota,
    roomForRecords: parts.roomForRecords,
    address: addressOf(parts),
  });
}

const NO_VERSIONS: VersionSource = { dates: {}, table: () => ({ resources: {}, document: [] }), standard: null };

/** Versions with the routes of the parts, at the paths that the routes had in each version. */
function versionsOf(parts: AppParts): Versions {
  const { operations, cuts = NO_VERSIONS, extra } = parts;
  return createVersions(cuts, {
    ...parts,
    routes: (definitions, called, shown) =>
      createTable(extra, resourceRoutes({ ...parts, definitions, called, operations: { ...operations, ...shown } })),
  });
}

/** @returns a function that reads the client's address; Express reads what a trusted proxy says about it */
function addressOf({ trustProxy }: AppParts): (req: IncomingMessage) => string {
  return (req) => (trustProxy === false ? undefined : (req as Request).ip) ?? req.socket.remoteAddress ?? '';
}

/** Serves what is composed from the API document, and with `?version=<date>` the same of that version. */
function byVersion(
  { document, cuts = NO_VERSIONS }: AppParts,
  versions: Versions,
  serve: (document: () => Buffer, version: DocsVersion) => RequestHandler,
): RequestHandler {
  const dates = Object.keys(cuts.dates);
  const today = serve(document, { date: null, dates });
  const ofDate = memoize((date: string) => {
    if (versions.asked(date) === undefined) return today;
    return serve(() => document((plain) => versions.document(date, plain)), { date, dates });
  });
  return (req, res, next) => {
    const mark = req.url.indexOf('?');
    const date = mark < 0 ? null : new URLSearchParams(req.url.slice(mark)).get('version');
    return (date === null ? today : ofDate(date))(req, res, next);
  };
}

/** Counts what the dispatcher does not serve: files, the API document, and paths that do not exist (D39). */
function limited(parts: AppParts, limits: Limits): RequestHandler {
  const address = addressOf(parts);
  return async (req, _res, next) => {
    const session = sessionOf({}, req.headers.authorization);
    await limits.countByHead({ address: address(req), session, now: parts.clock.now() });
    next();
  };
}

/** A program that asks for `/` gets the same answer as at any path that does not exist. */
function mountPages(app: Express, responder: Responder, { home, paths }: Pages, docs: RequestHandler): void {
  for (const path of ['/docs', '/docs/:tag']) mount(app, responder, path, docs);
  for (const [path, handler] of Object.entries(paths)) mount(app, responder, path, handler);
  const first = express.Router();
  mount(first, responder, '/', home);
  app.get('/', (req, res, next) => (wantsPage(req) ? first(req, res, next) : next()));
}

/** Mounts pages that report to the log and the metrics as all other pages do. */
function mountSite(
  app: Express,
  pages: ConsoleParts,
  { parts, responder, uploads }: SharedParts & { readonly parts: AppParts },
): void {
  const { files, bufferLimits, clock, profile, log } = parts;
  const handle = SERVER_PARTS.site().createConsole(pages, {
    ...{ files, bufferLimits, uploads, now: clock.now },
    address: addressOf(parts),
    statusOf: (error) => profile.error(error, '').status,
    entered(res, pattern) {
      const exchange = responder.begin(res.req, res);
      Object.assign(exchange, { pattern, resource: pages.site.base.slice(1) });
      res.locals.exchange = exchange;
      responder.watch(exchange);
    },
    failed(res, bug) {
      const exchange = res.locals.exchange as Exchange;
      if (log !== null) logBug(log, exchange, bug);
      return exchange.requestId;
    },
  });
  app.use(pages.site.base, handle);
}

/** A path outside the API whose handler writes its own answer to GET and HEAD. */
function mount(app: IRouter, responder: Responder, path: string, handler: RequestHandler): void {
  // One entry in Express's list; `app.all` adds one for each of 35 methods, which took 3 ms of a start.
  app.route(path).all((req, res, next) => {
    const exchange = responder.begin(req, res);
    exchange.pattern = path;
    res.locals.exchange = exchange;
    responder.watch(exchange);
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method, 'GET, HEAD');
    return handler(req, res, next);
  });
}

/** The bytes of uploads are deprecated with the resource that stores them (D38). */
function bytes({ definitions, serveFile }: AppParts, responder: Responder): RequestHandler {
  const uploads = definitions.find(({ upload }) => upload !== null);
  const notice = uploads?.deprecations === undefined ? null : HTTP_PARTS.deprecations().noticeOfResource(uploads);
  if (notice === null) return serveFile;
  return (req, res, next) => {
    responder.warn(res.locals.exchange as Exchange, notice);
    return serveFile(req, res, next);
  };
}

/** False if the database, or the process that writes to it, does not answer in time (N26). */
function inTime(ready: MaybePromise<boolean>): MaybePromise<boolean> {
  if (!isPromise(ready)) return ready;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN);
  });
  return Promise.race([ready, late]).finally(() => clearTimeout(timer));
}

function sendReadiness(res: Response, ready: boolean): void {
  res
    .status(ready ? 200 : 503)
    .type('text')
    .end(ready ? 'ready' : 'not ready');
}
