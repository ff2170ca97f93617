// Composes the HTTP side of a service from its options and its open parts.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Figures } from '../admin/console/figures.js';
import type { BackupsPage } from '../admin/console/pages/backups.js';
import type { RecentErrors } from '../admin/console/recent-errors.js';
import { createSessionRoutes } from '../auth/session-routes.js';
import { userName } from '../auth/user-name.js';
import { ServiceError } from '../contract/errors.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Blobs } from '../files/blobs.js';
import { createServeFile } from '../files/serve.js';
import type { BufferLimits } from '../http/buffer-limits.js';
import { catalogueRoutes } from '../http/catalogue.js';
import type { RequestMetrics } from '../http/metrics.js';
import type { RateLimit } from '../http/rate-limit.js';
import type { Route } from '../http/routes.js';
import { statusRoute } from '../http/status.js';
import type { Operations } from '../operations/operations.js';
import { createPages } from '../pages/pages.js';
import { MODULE } from '../rules/hooks.js';
import { createHookRoutes, type HookRoutesContext } from '../webhooks/routes.js';
import { createApp } from './app.js';
import { CLOCK } from './clock.js';
import { disksOf } from './disks.js';
import type { StartOptions } from './main.js';
import type { Service } from './open-service.js';
import { SERVER_PARTS } from './optional-parts.js';

export interface HttpParts {
  readonly service: Service;
  readonly blobs: Blobs;
  readonly log: Logger;
  /** The operations of web hooks; null: there are none. */
  readonly hookOperations: Partial<Operations> | null;
  readonly metrics: RequestMetrics;
  readonly bufferLimits: BufferLimits;
  /** Null without `--console`, as are the figures. */
  readonly errors: RecentErrors | null;
  readonly figures: Figures | null;
  /** Null: the operator has not named a folder for them. */
  readonly backups: BackupsPage | null;
  readonly rateLimit: RateLimit | null;
  /** When the service was started, in epoch milliseconds. */
  readonly started: number;
  ready(): MaybePromise<boolean>;
}

export function composeApp(options: StartOptions, parts: HttpParts): Express {
  const { service, blobs, log, hookOperations, metrics, bufferLimits, rateLimit, ready } = parts;
  const { engine, sessions, login, operations, operationsOver, definitions, document, generated, profile } = service;
  const { records: store, files } = engine;
  const upload = definitions.find((definition) => definition.upload !== null);
  const modules = hookOperations === null ? {} : { [MODULE]: hookOperations };
  const console = consoleOf(options, parts, modules);
  const portal = options.portal ? SERVER_PARTS.portal().portalParts(service, modules) : null;
  const disks = disksOf(options, blobs);
  // It is read now: gen may write the document of another schema while the server runs.
  const plain = readFileSync(document);
  return createApp({
    ...{
      definitions,
      operations,
      operationsOver,
      modules,
      sessions,
      store,
      files: blobs,
      profile,
      log,
      metrics,
      bufferLimits,
      rateLimit,
      ready,
    },
    extra: [
      ...createSessionRoutes(sessions, login, profile),
      statusRoute(profile),
      ...catalogueRoutes(generated.catalogue, definitions, profile),
      ...hookRoutes(service),
    ],
    freeBytes: disks.uploads,
    quota: service.quota,
    roomForRecords: disks.database,
    serveFile: upload === undefined ? noFiles : createServeFile(files, blobs.store),
    document: (of = (today) => today) => profile.document(of(plain)),
    cuts: service.versions,
    pages: createPages({ ...generated.api, console: console !== null, portal: portal !== null }),
    sites: [console, portal].filter((site) => site !== null),
    metricsToken: options.metricsToken || null,
    clock: CLOCK,
    newRequestId: randomUUID,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy === 0 ? false : options.trustProxy,
  });
}

/** Null without `--console`. */
function consoleOf(
  { database }: StartOptions,
  { service, figures, errors, backups, started, ready }: HttpParts,
  modules: Readonly<Record<string, Partial<Operations>>>,
) {
  if (figures === null || errors === null) return null;
  return SERVER_PARTS.console().consoleParts({ service, modules, figures, errors, backups, database, started, ready });
}

/** There are none in a project without web hooks. */
function hookRoutes({ engine, definitions, principal, profile }: Service): readonly Route[] {
  const definition = definitions.find(({ servedBy }) => servedBy === MODULE);
  const { outbox, records } = engine;
  if (outbox === null || definition === undefined) return [];
  const nameOf: HookRoutesContext['nameOf'] = (caller) => userName(records, principal, caller);
  return createHookRoutes({ definition, hooks: outbox, profile, nameOf });
}

const noFiles: RequestHandler = (_request, _response, next) => {
  next(new ServiceError('not_found', 'There are no files.'));
};
