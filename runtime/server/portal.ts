// Composes the pages for owners of web hooks from the parts of a running service.

import { readFileSync } from 'node:fs';
import type { ConsoleParts } from '../admin/console/console.js';
import type { Site } from '../admin/console/page.js';
import { createResources } from '../admin/console/resource.js';
import { createEventCatalogue, eventPages } from '../admin/portal/events.js';
import { portalHookPages } from '../admin/portal/hooks.js';
import { keyPages } from '../admin/portal/keys.js';
import { BASE } from '../admin/portal/user-records.js';
import { apiKeysOf } from '../auth/login.js';
import type { Operations } from '../operations/operations.js';
import { MODULE } from '../rules/hooks.js';
import { StartError } from '../store/start-error.js';
import type { Service } from './open-service.js';

/** Every user acts as an ordinary user there, including administrators, and therefore sees only their own records. */
const PORTAL: Site = {
  base: BASE,
  cookie: 'punchboard_portal',
  heading: 'Your web hooks',
  audience: 'For users of',
  refusal: 'Log in first.',
  finds: false,
  enter: (caller) => ({ caller: { ...caller, admin: false }, role: null }),
};

const MENU = [
  { text: 'Web hooks', href: `${BASE}/webhooks` },
  { text: 'Events', href: `${BASE}/events` },
  { text: 'API keys', href: `${BASE}/keys` },
];

/** Throws StartError in a project without web hooks. */
export function portalParts(
  { engine, operations, principal, sessions, login, generated, document, definitions }: Service,
  modules: Readonly<Record<string, Partial<Operations>>>,
): ConsoleParts {
  const { outbox: hooks, records: store } = engine;
  const hook = definitions.find(({ servedBy }) => servedBy === MODULE);
  const key = apiKeysOf(definitions, principal);
  if (hooks === null || hook === undefined || key === null) {
    throw new StartError('--portal is for web hooks, which this project does not have: leave it out');
  }
  const read = () => readFileSync(document, 'utf8');
  const resources = createResources({ definitions, operations, modules, store, document: read });
  const events = createEventCatalogue(generated.events, read);
  const source = { resources, principal, hook, key, hooks, events };
  return {
    ...{ site: PORTAL, title: generated.api.title, menu: MENU, groups: () => [] },
    ...{ principal, store, sessions, login },
    routes: [...portalHookPages(source), ...eventPages(events), ...keyPages(source)],
  };
}
