// Composes the operators' pages from the parts of a running service.

import { readFileSync } from 'node:fs';
import type { ConsoleParts } from '../admin/console/console.js';
import type { Figures } from '../admin/console/figures.js';
import type { PageRoute, Site } from '../admin/console/page.js';
import { auditPages } from '../admin/console/pages/audit.js';
import { type BackupsPage, backupPages } from '../admin/console/pages/backups.js';
import { deletePages } from '../admin/console/pages/delete.js';
import { errorPages } from '../admin/console/pages/errors.js';
import { exportPages } from '../admin/console/pages/export.js';
import { findPages } from '../admin/console/pages/find.js';
import { healthPages } from '../admin/console/pages/health.js';
import { recordPages } from '../admin/console/pages/record.js';
import { listPages } from '../admin/console/pages/records.js';
import { schemaPages } from '../admin/console/pages/schema.js';
import { selectionPages } from '../admin/console/pages/selection.js';
import { userPages } from '../admin/console/pages/users.js';
import { webhookPages } from '../admin/console/pages/webhooks.js';
import type { RecentErrors } from '../admin/console/recent-errors.js';
import { createResources, type Resources } from '../admin/console/resource.js';
import type { Link } from '../admin/console/view.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Operations } from '../operations/operations.js';
import { MODULE } from '../rules/hooks.js';
import { isServerUrl } from '../store/database-url.js';
import { archiveOf } from './backup-archive.js';
import type { Service } from './open-service.js';

export interface ConsoleSource {
  readonly service: Service;
  /** Operations that modules provide, by module. */
  readonly modules: Readonly<Record<string, Partial<Operations>>>;
  readonly figures: Figures;
  readonly errors: RecentErrors;
  /** Null: the operator has not named a folder for them. */
  readonly backups: BackupsPage | null;
  /** Path or URL of the database. */
  readonly database: string;
  /** Epoch milliseconds. */
  readonly started: number;
  ready(): MaybePromise<boolean>;
}

const CONSOLE: Site = {
  base: '/console',
  cookie: 'punchboard_console',
  heading: 'Operators’ pages',
  audience: 'For operators of',
  refusal: 'These pages are for administrators, and users with the role support or readonly.',
  finds: true,
  // All users of the console read what an administrator reads; access.ts decides what they may do.
  enter: (caller, role) => (role === 'none' ? null : { caller: { ...caller, admin: true }, role }),
};

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
  const document = (): string => readFileSync(service.document, 'utf8');
  const resources = createResources({ definitions, operations, modules, store: engine.records, document });
  const routes = routesOf(source, resources);
  return {
    site: CONSOLE,
    ...{ groups: resources.groups, principal, sessions, login },
    title: generated.api.title,
    store: engine.records,
    // The menu leaves out pages that this service does not have.
    menu: MENU.filter(({ href }) =>
      routes.some(({ path }) => href === (path === '/' ? '/console' : `/console${path}`)),
    ),
    routes,
  };
}

function routesOf(
  { service, figures, errors, backups, database, started, ready }: ConsoleSource,
  resources: Resources,
): readonly PageRoute[] {
  const { engine, schema, generated, profile } = service;
  const { outbox, records: store } = engine;
  const { definitions } = resources;
  const hook = definitions.find(({ servedBy }) => servedBy === MODULE);
  const health = { ...generated.api, profile: profile.name, engine: isServerUrl(database) ? 'PostgreSQL' : 'SQLite' };
  return [
    ...healthPages({
      ...health,
      figures,
      started,
      ready,
      statistics: outbox === null ? null : (now) => outbox.statistics(now),
    }),
    ...findPages(resources, store),
    ...exportPages(resources),
    ...listPages(resources),
    ...recordPages({ resources, store }),
    ...selectionPages(resources, store),
    ...deletePages(resources, store),
    ...(outbox === null || hook === undefined
      ? []
      : webhookPages(outbox, { resources, hook, principal: service.principal, events: generated.events })),
    ...userPages({ identity: engine.identity, upkeep: engine.upkeep, principal: service.principal, resources, store }),
    ...auditPages(engine.upkeep, resources),
    ...errorPages(errors),
    ...(backups === null ? [] : backupPages(backups, engine.upkeep, archiveOf)),
    ...schemaPages({ migrator: engine.schema, schema, definitions, uses: figures.uses }),
  ];
}
