// Puts the HTTP layer together as one Express app from parts that are made elsewhere. Opens and reads nothing itself.
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Logger } from 'pino';
import type { AnyDefinition } from './definition.js';
import { createDispatcher, type Sessions } from './http/dispatcher.js';
import { noticeOfResource } from './http/endings.js';
import { methodNotAllowed, pathNotFound } from './http/errors.js';
import type { Clock, Exchange } from './http/exchange.js';
import type { Metrics } from './http/metrics.js';
import type { Files } from './http/multipart.js';
import type { Profile } from './http/profiles.js';
import { createRateLimit } from './http/rate-limit.js';
import { resourceRoutes } from './http/resource-routes.js';
import { createResponder, type Responder } from './http/respond.js';
import { createTable, type Route } from './http/routes.js';
import type { Operations } from './operations/operations.js';
import type { Store } from './store/store.js';

export interface AppParts {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  /** Hand-written operations by a definition's `servedBy`; without its module such a definition has no routes. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  /** Hand-written routes, such as those of sessions. */
  readonly extra: readonly Route[];
  readonly sessions: Sessions;
  readonly store: Pick<Store, 'exists'>;
  /** Where uploads go. */
  readonly files: Files;
  /** Answers GET /files/:id/:key with the bytes (D25); may throw ServiceError. */
  readonly serveFile: RequestHandler;
  /** Answers GET /openapi.json with the API document. */
  readonly serveDocument: RequestHandler;
  readonly profile: Profile;
  /** Null: no log. */
  readonly log: Logger | null;
  /** Null: no figures, and no /metrics. */
  readonly metrics: Metrics | null;
  readonly clock: Clock;
  newRequestId(): string;
  /** Requests a minute of one session or address (D39); 0: no limit. */
  readonly requestsPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed, as Express's `trust proxy` takes it; false: none. */
  readonly trustProxy: boolean | number | string;
  /** Whether requests should be sent here: false while starting and stopping. */
  ready(): boolean;
}

/** Listen through `createServer` of http/server, which makes it several times faster on Node before 24. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustProxy);
  const responder = createResponder(parts);
  app.use(dispatcher(parts, responder));
  mount(app, responder, '/healthz', (_req, res) => void res.type('text').send('ok'));
  mount(app, responder, '/readyz', (_req, res) => void sendReadiness(res, parts.ready()));
  if (parts.metrics !== null) mount(app, responder, '/metrics', sendMetrics(parts.metrics));
  mount(app, responder, '/openapi.json', parts.serveDocument);
  mount(app, responder, '/files/:id/:key', bytes(parts, responder));
  app.use((req, res) => responder.error(responder.begin(req, res), pathNotFound()));
  const failed: ErrorRequestHandler = (error, req, res, _next) =>
    responder.error((res.locals.exchange as Exchange | undefined) ?? responder.begin(req, res), error);
  app.use(failed);
  return app;
}

function dispatcher(parts: AppParts, responder: Responder): RequestHandler {
  return createDispatcher({
    table: createTable([...parts.extra, ...resourceRoutes(parts)]),
    responder,
    sessions: parts.sessions,
    store: parts.store,
    files: parts.files,
    clock: parts.clock,
    rateLimit: createRateLimit(parts.requestsPerMinute),
    address: (req) => (parts.trustProxy === false ? undefined : (req as Request).ip) ?? req.socket.remoteAddress ?? '',
  });
}

/** A path outside the API whose handler writes its own answer to GET and HEAD. */
function mount(app: Express, responder: Responder, path: string, handler: RequestHandler): void {
  app.all(path, (req, res, next) => {
    const exchange = responder.begin(req, res);
    exchange.pattern = path;
    res.locals.exchange = exchange;
    responder.watch(exchange);
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method, 'GET, HEAD');
    return handler(req, res, next);
  });
}

/** They go with the resource that stores them (D38). */
function bytes({ definitions, serveFile }: AppParts, responder: Responder): RequestHandler {
  const uploads = definitions.find(({ upload }) => upload !== null);
  const notice = uploads === undefined ? null : noticeOfResource(uploads);
  if (notice === null) return serveFile;
  return (req, res, next) => {
    responder.warn(res.locals.exchange as Exchange, notice);
    return serveFile(req, res, next);
  };
}

function sendReadiness(res: Response, ready: boolean): void {
  res
    .status(ready ? 200 : 503)
    .type('text')
    .send(ready ? 'ready' : 'not ready');
}

function sendMetrics({ registry }: Metrics): RequestHandler {
  return async (_req, res) => {
    const text = await registry.metrics();
    res.set('Content-Type', registry.contentType).end(text);
  };
}
