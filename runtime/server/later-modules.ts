// Modules that only some requests need, or only the web hooks. A start does not load them, yet whether they can be loaded must
// not depend on what happens to the machine in the meantime (N03): a library that is first required while file handles are
// exhausted, or while `npm ci` replaces the packages, would count as missing until the process ends, because Node remembers
// that it could not read its package.json. Therefore they are in the cache of modules, which stays open; a server that runs
// without the cache loads them before it listens.

import { join } from 'node:path';
import { isInstalled } from '../contract/peers.js';
import { loadCompiled } from '../pages/templates.js';
import { loadLaterParts } from '../store/open-engine.js';
import { isCached } from './code-cache/loader.js';

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
    () => require('../http/versions/version.js'),
  ],
  console: [loadLaterParts, () => loadCompiled(join(__dirname, '..', 'admin', 'console'))],
  hooks: [
    () => require('prom-client'),
    () => isInstalled('nodemailer') && require('nodemailer'),
    () => require('../webhooks/send/sender.js'),
    () => require('../http/versions/answers.js'),
    // undici requires it with its first connection.
    () => require('undici/lib/llhttp/llhttp_simd-wasm.js'),
  ],
} as const satisfies Readonly<Record<string, readonly (() => unknown)[]>>;

/** What a process does: serve requests, serve the operators' pages, send web hooks. */
export type Role = keyof typeof MODULES;

/** To be called before the process listens. */
export function secureLaterModules(roles: readonly Role[]): void {
  if (!isCached(module)) loadLaterModules(roles);
}

export function loadLaterModules(roles: readonly Role[]): void {
  for (const role of roles) for (const load of MODULES[role]) load();
}
