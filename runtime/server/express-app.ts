// The part of the service that is not its API, as an Express app: health, metrics, the API document, files, pages, and the
// answer at paths that do not exist. It is loaded with the first request for any of these.

import express, {
  type ErrorRequestHandler,
  type Express,
  type IRouter,
  type RequestHandler,
  type Response,
} from 'express';
import { type ConsoleParts, createConsole } from '../console/console.js';
import { clientAddress } from '../http/client-address.js';
import { noticeOfResource } from '../http/deprecations.js';
import { methodNotAllowed, pathNotFound } from '../http/errors.js';
import type { Exchange } from '../http/exchange.js';
import type { Limits } from '../http/limits.js';
import { logBug } from '../http/log.js';
import { sendMetrics } from '../http/metrics.js';
import { withToken } from '../http/metrics-access.js';
import { sessionOf } from '../http/parameters.js';
import type { Responder } from '../http/respond.js';
import type { Uploads } from '../http/uploads.js';
import { chain } from '../maybe-promise.js';
import { type Pages, wantsPage } from '../pages/pages.js';
import type { AppParts } from './app.js';

/** What the app and the dispatcher share. */
export interface Shared {
  readonly responder: Responder;
  readonly limits: Limits;
  readonly uploads: Uploads;
}

export function createExpressApp(parts: AppParts, shared: Shared): Express {
  const { responder, limits } = shared;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustProxy);
  mount(app, responder, '/healthz', (_req, res) => void res.type('text').end('ok'));
  mount(app, responder, '/readyz', (_req, res) => chain(parts.ready(), (ready) => sendReadiness(res, ready)));
  const { metrics, metricsToken } = parts;
  if (metrics !== null && metricsToken !== null) {
    mount(
      app,
      responder,
      '/metrics',
      withToken(metricsToken, (_req, res) => sendMetrics(metrics, res)),
    );
  }
  app.use(limited(parts, limits));
  mount(app, responder, '/openapi.json', parts.serveDocument);
  mount(app, responder, '/files/:id/:key', bytes(parts, responder));
  if (parts.pages !== null) mountPages(app, responder, parts.pages);
  if (parts.console !== null) mountConsole(app, parts.console, { ...shared, parts });
  app.use((req, res) => responder.error(responder.begin(req, res), pathNotFound()));
  const failed: ErrorRequestHandler = (error, req, res, _next) =>
    responder.error((res.locals.exchange as Exchange | undefined) ?? responder.begin(req, res), error);
  app.use(failed);
  return app;
}

/** Counts what the dispatcher does not serve: files, the API document, and paths that do not exist (D39). */
function limited(parts: AppParts, limits: Limits): RequestHandler {
  return async (req, _res, next) => {
    const session = sessionOf({}, req.headers.authorization);
    await limits.head({ address: clientAddress(req, parts.trustProxy), session, now: parts.clock.now() });
    next();
  };
}

/** A program that asks for `/` gets what it gets at any path that does not exist. */
function mountPages(app: Express, responder: Responder, { home, paths }: Pages): void {
  for (const [path, handler] of Object.entries(paths)) mount(app, responder, path, handler);
  const first = express.Router();
  mount(first, responder, '/', home);
  app.get('/', (req, res, next) => (wantsPage(req) ? first(req, res, next) : next()));
}

/** Its pages report to the log and the metrics as all others do. */
function mountConsole(
  app: Express,
  pages: ConsoleParts,
  { parts, responder, uploads }: Shared & { readonly parts: AppParts },
): void {
  const { files, buffered, clock, profile, log } = parts;
  const handle = createConsole(pages, {
    ...{ files, buffered, uploads, now: clock.now },
    address: (req) => clientAddress(req, parts.trustProxy),
    statusOf: (error) => profile.error(error, '').status,
    entered(res, pattern) {
      const exchange = responder.begin(res.req, res);
      Object.assign(exchange, { pattern, resource: 'console' });
      res.locals.exchange = exchange;
      responder.watch(exchange);
    },
    failed(res, bug) {
      const exchange = res.locals.exchange as Exchange;
      if (log !== null) logBug(log, exchange, bug);
      return exchange.requestId;
    },
  });
  app.use('/console', handle);
}

/** A path outside the API whose handler writes its own answer to GET and HEAD. */
function mount(app: IRouter, responder: Responder, path: string, handler: RequestHandler): void {
  app.all(path, (req, res, next) => {
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
    .end(ready ? 'ready' : 'not ready');
}
