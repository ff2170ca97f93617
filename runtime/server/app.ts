// Composes the HTTP layer: the API, and an Express app for everything else. It opens and reads nothing itself.
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { ConsoleParts } from '../console/console.js';
import type { AnyDefinition } from '../definition.js';
import type { Buffered } from '../http/buffered.js';
import { clientAddress } from '../http/client-address.js';
import { createCors } from '../http/cors.js';
import { createDispatcher, type Dispatcher } from '../http/dispatcher.js';
import type { Clock } from '../http/exchange.js';
import { createLimits, type Sessions } from '../http/limits.js';
import type { RequestMetrics } from '../http/metrics.js';
import type { Files } from '../http/multipart.js';
import type { Profile } from '../http/profiles.js';
import type { RateLimit } from '../http/rate-limit.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { createResponder } from '../http/respond.js';
import { createTable, type Route } from '../http/routes.js';
import type { App } from '../http/server.js';
import { createUploads } from '../http/uploads.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { Operations } from '../operations/operations.js';
import type { Pages } from '../pages/pages.js';
import type { Records } from '../store/records.js';
import type { Shared } from './express-app.js';

export interface AppParts {
  readonly definitions: readonly AnyDefinition[];
  readonly operations: Operations;
  /** Hand-written operations by a definition's `servedBy`; without its module such a definition has no routes. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  /** Hand-written routes, such as those of sessions. */
  readonly extra: readonly Route[];
  readonly sessions: Sessions;
  readonly store: Pick<Records, 'locate' | 'get'>;
  /** Stores uploads. */
  readonly files: Files;
  /** Bytes that can still be written there. */
  freeBytes(): Promise<number>;
  /** Serves GET /files/:id/:key (D25); may throw ServiceError. */
  readonly serveFile: RequestHandler;
  /** Serves GET /openapi.json. */
  readonly serveDocument: RequestHandler;
  /** Null: no pages. */
  readonly pages: Pages | null;
  /** The operators' pages; null: none. */
  readonly console: ConsoleParts | null;
  readonly profile: Profile;
  /** Null: no log. */
  readonly log: Logger | null;
  /** Null: no metrics. */
  readonly metrics: RequestMetrics | null;
  /** Bearer token for /metrics; null: there is no such path. */
  readonly metricsToken: string | null;
  readonly clock: Clock;
  readonly buffered: Buffered;
  newRequestId(): string;
  /** Of requests a minute per session or address (D39); null: none. */
  readonly rateLimit: RateLimit | null;
  /** Origins whose scripts may call the service (D46). */
  readonly corsOrigins: readonly string[];
  /** How many proxies in front are trusted about the client's address. */
  readonly trustProxy: number;
  /** Whether requests should be sent here: false while starting and stopping. */
  ready(): MaybePromise<boolean>;
}

/** For `createServer` of http/server. */
export function createApp(parts: AppParts): App {
  const shared: Shared = {
    responder: createResponder(parts),
    limits: createLimits(parts.sessions, parts.rateLimit),
    uploads: createUploads(parts),
  };
  const dispatch = dispatcher(parts, shared);
  const cors = parts.corsOrigins.length === 0 ? null : createCors(parts.corsOrigins);
  return {
    serve: cors === null ? dispatch : (req, res, next) => cors(req, res, () => dispatch(req, res, next)),
    express: () => loadExpressApp().createExpressApp(parts, shared),
  };
}

function dispatcher(parts: AppParts, shared: Shared): Dispatcher {
  const { buffered, store, files, clock } = parts;
  return createDispatcher({
    ...shared,
    ...{ buffered, store, files, clock },
    table: createTable([...parts.extra, ...resourceRoutes(parts)]),
    address: (req) => clientAddress(req, parts.trustProxy),
  });
}

function loadExpressApp() {
  return require('./express-app.js') as typeof import('./express-app.js');
}
