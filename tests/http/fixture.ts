// The parts of a service of made-up resources whose operations answer with what they were called with.
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { AnyDefinition, Definition, Operation, RouteDefinition } from '../../runtime/contract/definition.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import { createBufferLimits } from '../../runtime/http/buffer-limits.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import type { Call, Run } from '../../runtime/operations/call.js';
import type { Operations } from '../../runtime/operations/operations.js';
import type { AppParts } from '../../runtime/server/app.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';

/** @param aliases further paths, without the id, by operation */
export function definition(
  name: string,
  more: Partial<Definition> = {},
  aliases: Partial<Record<Operation, string>> = {},
): AnyDefinition {
  const validate = () => true;
  const withoutRoutes: Omit<Definition, 'routes'> = {
    name,
    plural: `${name}s`,
    title: name,
    principal: false,
    upload: null,
    servedBy: null,
    operations: { create: 'session', fetch: 'anyone', update: 'session', delete: 'session' },
    parameters: {},
    synonyms: {},
    ignored: [],
    validate: { create: validate, update: validate },
    references: [],
    access: { read: [], edit: [], rights: {}, hidden: false },
    lists: [],
    order: [],
    sortable: [],
    filters: [],
    ranges: [],
    options: {},
    uniques: [],
    brief: [],
    actions: {},
    lifecycle: [],
    columns: {},
    properties: {},
    handlers: { create: () => ({}), update: (row) => row },
    ...more,
  };
  return { ...withoutRoutes, routes: routesOf(withoutRoutes, aliases) };
}

const OPERATION_ROUTES = {
  create: { method: 'POST', below: '' },
  fetch: { method: 'GET', below: '/{id}' },
  update: { method: 'PUT', below: '/{id}' },
  delete: { method: 'DELETE', below: '/{id}' },
} as const;

function routesOf(
  { name, operations, lists, actions }: Omit<Definition, 'routes'>,
  aliases: Partial<Record<Operation, string>>,
): readonly RouteDefinition[] {
  const path = `/api/${name}`;
  const names = Object.keys(OPERATION_ROUTES) as Operation[];
  const route = (operation: Operation, base: string): RouteDefinition => {
    const { method, below } = OPERATION_ROUTES[operation];
    return { method, path: `${base}${below}`, operation };
  };
  return [
    ...names.filter((operation) => operations[operation] !== null).map((operation) => route(operation, path)),
    { method: 'GET', path: `${path}/_options`, operation: 'options' },
    ...lists.map(
      (list) =>
        ({
          method: 'GET',
          path: `/api/${list.parent}/{id}/${list.name}`,
          operation: 'list',
          name: list.name,
          parent: list.parent,
        }) as const,
    ),
    ...Object.keys(actions).map(
      (action) => ({ method: 'POST', path: `${path}/{id}/${action}`, operation: 'action', name: action }) as const,
    ),
    ...names.flatMap((operation) => {
      const base = aliases[operation];
      return base === undefined ? [] : [{ ...route(operation, base), isAlias: true } as const];
    }),
  ];
}

export const DEFINITIONS: readonly AnyDefinition[] = [
  definition('maker', { actions: { ship: { by: 'admin', parameters: {}, validate: () => true } } }),
  definition(
    'partner',
    { lists: [{ parent: 'maker', name: 'partners', by: 'maker_id', where: {} }] },
    { delete: '/api/maker' },
  ),
  definition('pad', {}, { create: '/pad', fetch: '/pad', update: '/pad', delete: '/pad' }),
  definition('makerdownload', {}, { fetch: '/api/download' }),
  definition('upload', { upload: { part: 'file', maxBytes: 1000 } }),
  definition('readonly', { operations: { create: null, fetch: 'anyone', update: null, delete: null } }),
  definition('hook', { servedBy: 'hooks', lists: [{ parent: 'maker', name: 'hooks', by: 'maker_id', where: {} }] }),
];

/** Answers with the call itself, so that a test sees what reached the operation. */
export function echo(operation: string): Run {
  return ({ definition: { name: resource }, id, name, parameters, caller, now, upload }: Call) => ({
    status: operation === 'create' ? 201 : 200,
    body: JSON.stringify({ operation, resource, id, name, parameters, caller, now, upload }),
    ...(operation === 'create' ? { location: `/api/${resource}/new` } : {}),
  });
}

export const OPERATIONS: Operations = {
  create: echo('create'),
  update: echo('update'),
  remove: echo('remove'),
  fetch: echo('fetch'),
  related: echo('related'),
  list: echo('list'),
  uses: echo('uses'),
  bulk: echo('bulk'),
  options: echo('options'),
  action: echo('action'),
};

/** Nothing here reads what it received. */
const NO_HANDLE = {} as FileHandle;

export class MemoryFiles {
  readonly kept: string[] = [];
  readonly open = new Set<string>();
  private count = 0;

  async receive(stream: Readable, { name, maxBytes }: { name: string; maxBytes: number }) {
    const path = `temporary ${this.count++}`;
    this.open.add(path);
    let text = '';
    try {
      for await (const chunk of stream) {
        text += String(chunk);
        if (text.length > maxBytes) throw new ServiceError('too_large', 'The file is too large.');
      }
    } catch (error) {
      this.open.delete(path);
      throw error;
    }
    return { name, path, handle: NO_HANDLE, size: text.length, hash: text };
  }

  async keep({ name, path, size, hash }: { name: string; path: string; size: number; hash: string }) {
    this.open.delete(path);
    this.kept.push(hash);
    return { name, size, hash, type: 'text/plain', width: null, height: null };
  }

  async settle() {}

  async discard({ path }: { path: string }) {
    this.open.delete(path);
  }
}

export const SESSIONS: Readonly<Record<string, { user: string; admin: boolean }>> = {
  alive: { user: 'u1', admin: false },
  other: { user: 'u2', admin: true },
};

function noVersions(): never {
  throw new Error('there are no versions');
}

export function appParts(more: Partial<AppParts> = {}): AppParts {
  let count = 0;
  return {
    definitions: DEFINITIONS,
    operations: OPERATIONS,
    modules: {},
    extra: [],
    sessions: { caller: (id) => (Object.hasOwn(SESSIONS, id) ? (SESSIONS[id] ?? null) : null) },
    store: {
      locate: () => 0,
      get: () => ({ found: false, code: 'not_found' }),
      findIdByValue: () => null,
      shownBy: noVersions,
    },
    operationsOver: noVersions,
    files: new MemoryFiles(),
    freeBytes: async () => Number.POSITIVE_INFINITY,
    quota: null,
    roomForRecords: () => Number.POSITIVE_INFINITY,
    bufferLimits: createBufferLimits(),
    document: () => Buffer.from('{"openapi":"3.1.0"}'),
    pages: null,
    sites: [],
    serveFile: (_req, res) => void res.end('bytes'),
    profile: PROFILES.plain,
    log: null,
    metrics: null,
    metricsToken: METRICS_TOKEN,
    clock: { now: () => 1_700_000_000_000, tick: () => performance.now() },
    newRequestId: () => `request-${++count}`,
    rateLimit: null,
    corsOrigins: [],
    trustProxy: false,
    ready: () => true,
    ...more,
  };
}
