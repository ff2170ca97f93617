// Composes the operators' pages from the parts of a running service.

import { readFileSync } from 'node:fs';
import type { ConsoleParts } from '../console/console.js';
import type { Figures } from '../console/figures.js';
import type { PageRoute } from '../console/page.js';
import { auditPages } from '../console/pages/audit.js';
import { type BackupsPage, backupPages } from '../console/pages/backups.js';
import { deletePages } from '../console/pages/delete.js';
import { errorPages } from '../console/pages/errors.js';
import { findPages } from '../console/pages/find.js';
import { healthPages } from '../console/pages/health.js';
import { recordPages } from '../console/pages/record.js';
import { listPages } from '../console/pages/records.js';
import { schemaPages } from '../console/pages/schema.js';
import { userPages } from '../console/pages/users.js';
import { webhookPages } from '../console/pages/webhooks.js';
import type { RecentErrors } from '../console/recent-errors.js';
import { createResources } from '../console/resource.js';
import type { Link } from '../console/view.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { Operations } from '../operations/operations.js';
import { isServerUrl } from '../store/database-url.js';
import { MODULE } from '../webhooks/rules/hooks.js';
import type { Service } from './open-service.js';

export interface ConsoleSource {
  readonly service: Service;
  /** Operations that modules bring, by their names. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  readonly figures: Figures;
  readonly errors: RecentErrors;
  /** Null: the operator has named no folder for them. */
  readonly backups: BackupsPage | null;
  /** Path or URL of the database. */
  readonly database: string;
  /** Epoch milliseconds. */
  readonly started: number;
  ready(): MaybePromise<boolean>;
}

const MENU: readonly Link[] = [
  { text: 'Overview', href: '/console' },
  { text: 'Web hooks', href: '/console/webhooks' },
  { text: 'Users', href: '/console/users' },
  { text: 'Sessions', href: '/console/sessions' },
  { text: 'Schema', href: '/console/schema' },
  { text: 'Backups', href: '/console/backups' },
  { text: 'Audit log', href: '/console/audit' },
  { text: 'Errors', href: '/console/errors' },
];

export function consoleParts(source: ConsoleSource): ConsoleParts {
  const { service, modules } = source;
  const { engine, operations, principal, sessions, login, generated } = service;
  const definitions = service.definitions.filter(
    ({ servedBy }) => servedBy === null || Object.hasOwn(modules, servedBy),
  );
  const routes = routesOf(source, { definitions, operations, modules });
  return {
    ...{ definitions, principal, sessions, login },
    title: generated.api.title,
    store: engine.records,
    // What this service has no pages for is left out.
    menu: MENU.filter(({ href }) =>
      routes.some(({ path }) => href === (path === '/' ? '/console' : `/console${path}`)),
    ),
    routes,
  };
}

type Served = Pick<Parameters<typeof createResources>[0], 'definitions' | 'operations' | 'modules'>;

function routesOf(
  { service, figures, errors, backups, database, started, ready }: ConsoleSource,
  served: Served,
): readonly PageRoute[] {
  const { engine, schema, generated, profile, document } = service;
  const { outbox } = engine;
  const { definitions } = served;
  const resources = createResources({ ...served, document: () => readFileSync(document, 'utf8') });
  const health = { ...generated.api, profile: profile.name, engine: isServerUrl(database) ? 'PostgreSQL' : 'SQLite' };
  return [
    ...healthPages({
      ...health,
      figures,
      started,
      ready,
      statistics: outbox === null ? null : (now) => outbox.statistics(now),
    }),
    ...findPages(resources, engine.records),
    ...listPages(resources),
    ...recordPages(resources),
    ...deletePages(resources, engine.records),
    ...(outbox === null
      ? []
      : webhookPages(outbox, definitions.find(({ servedBy }) => servedBy === MODULE)?.name ?? '')),
    ...userPages({ identity: engine.identity, upkeep: engine.upkeep, principal: service.principal, resources }),
    ...auditPages(engine.upkeep, resources),
    ...errorPages(errors),
    ...(backups === null ? [] : backupPages(backups, engine.upkeep)),
    ...schemaPages({ keeper: engine.schema, schema, definitions, uses: figures.uses }),
  ];
}
