// Modules that only some requests need, or only the web hooks. A start does not load them, yet whether they can be loaded must
// not depend on what happens to the machine in the meantime (N03): a library that is first required while file handles are
// exhausted, or while `npm ci` replaces the packages, would count as missing until the process ends, because Node remembers
// that it could not read its package.json. Therefore they are in the cache of modules, which stays open; a server that runs
// without the cache loads them before it listens.

import { join } from 'node:path';
import type { Generated } from '../contract/definition.js';
import { isInstalled } from '../contract/peers.js';
import { HTTP_PARTS } from '../http/optional-parts.js';
import type { Profile } from '../http/profiles.js';
import { loadCompiled } from '../pages/templates.js';
import { loadLaterParts, loadVersionPart } from '../store/open-engine.js';
import { isCached } from './code-cache/loader.js';
import type { StartOptions } from './main.js';
import { SERVER_PARTS } from './optional-parts.js';

/** The code that needs a module also requires it itself. */
const MODULES = {
  requests: [
    () => require('busboy'),
    () => require('image-size'),
    () => require('../pages/files/handlebars.js'),
    () => loadCompiled(join(__dirname, '..', 'pages')),
    () => require('../pages/markdown.js'),
    () => require('../pages/docs/docs.js'),
    () => require('prom-client'),
  ],
  deprecations: [HTTP_PARTS.deprecations],
  versions: [HTTP_PARTS.version, HTTP_PARTS.versionAnswers, loadVersionPart],
  wing: [HTTP_PARTS.wingDocument],
  console: [loadLaterParts, () => loadCompiled(join(__dirname, '..', 'admin', 'console'))],
  hooks: [
    () => require('prom-client'),
    () => isInstalled('nodemailer') && require('nodemailer'),
    () => require('../webhooks/send/connections.js'),
    // undici requires it with its first connection.
    () => require('undici/lib/llhttp/llhttp_simd-wasm.js'),
  ],
} as const satisfies Readonly<Record<string, readonly (() => unknown)[]>>;

/**
 * What a process does: it serves requests, with or without some features, serves pages behind a login, or sends web hooks.
 */
export type Role = keyof typeof MODULES;

/** To be called before the process listens. */
export function secureLaterModules(roles: readonly Role[]): void {
  if (!isCached(module)) for (const role of roles) loadRole(role);
}

/** Loads the parts of both tables and the modules of all roles. */
export function loadAllParts(): void {
  for (const role of Object.keys(MODULES) as Role[]) loadRole(role);
  for (const load of [...Object.values(HTTP_PARTS), ...Object.values(SERVER_PARTS)]) load();
}

function loadRole(role: Role): void {
  for (const load of MODULES[role]) load();
}

/** The roles of a process that serves requests, with the pages that its options name. */
export function servingRoles({ console, portal }: Pick<StartOptions, 'console' | 'portal'>): readonly Role[] {
  return console || portal ? ['requests', 'console'] : ['requests'];
}

/** The features that requests need for this generated code and in this profile. */
export function rolesFor({ definitions, versions = {} }: Generated, wire: Profile['name']): readonly Role[] {
  const needed: Partial<Record<Role, boolean>> = {
    deprecations: definitions.some(({ deprecations }) => deprecations !== undefined),
    versions: Object.keys(versions).length > 0,
    wing: wire === 'wing',
  };
  return (Object.keys(needed) as Role[]).filter((role) => needed[role]);
}
