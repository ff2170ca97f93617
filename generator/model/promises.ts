// What each operation promises besides its response: whether it takes an Idempotency-Key, its shared parameters, its session
// and its possible statuses. This single list yields the API document, the routes of the server that take keys, and the
// requests that the client may send again; the tests execute all of it as the document states it.

import { isClosedToTokens, neededRight } from '../../runtime/contract/access.js';
import type { Operation, Reference } from '../../runtime/contract/definition.js';
import { API_KEYS } from '../../runtime/contract/needs.js';
import { memoizeByObject } from '../memoize.js';
import { type ResourceLookup, tokenOf } from './find.js';
import type { Action, JsonSchema, Resource } from './model.js';
import type { HookRoute, Route } from './routes.js';

/** Names of the error responses in the document: the code that represents all codes of its status. */
export type ErrorName =
  | 'malformed'
  | 'login_required'
  | 'wrong_login'
  | 'forbidden'
  | 'forbidden_with_quota'
  | 'not_found'
  | 'method'
  | 'conflict'
  | 'conflict_with_key'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_file'
  | 'unsupported_media_type'
  | 'invalid'
  | 'invalid_with_key'
  | 'precondition_required'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'storage_full';

export interface OperationPromises {
  /** Whether a session is needed. */
  readonly session: 'required' | 'optional' | 'none';
  /** Whether the token of an API key will do instead (D61). */
  readonly takesToken: boolean;
  /** Whether it is carried out once for each Idempotency-Key (D60). */
  readonly takesKey: boolean;
  /** In the order of the document, without those of the resource's own fields. */
  readonly parameters: readonly SharedParameter[];
  readonly success: readonly number[];
  /** If two have the same status, the later one counts. */
  readonly errors: readonly ErrorName[];
}

/** The errors that every operation of the API may respond with. */
const ALWAYS: readonly ErrorName[] = [
  'malformed',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'internal',
  'unavailable',
];

/** What can fail in every write: the session, the right, or the space to store it. */
const WRITING: readonly ErrorName[] = ['login_required', 'forbidden', 'storage_full'];

/**
 * A create that is open to anyone requires a session only if the record belongs to its creator, and a right only if the
 * operation, a value or a target requires one.
 */
function createErrors({ operations, references, parameters }: Resource, others: ResourceLookup): readonly ErrorName[] {
  const isSent = ({ column }: Reference) => parameters.some((one) => one.name === column && one.requiredOnCreate);
  // A record that belongs to the caller needs a session; without one, a value for administrators only is refused before that.
  const isBefore = parameters.some(({ set, requiredOnCreate }) => set === 'admin' && requiredOnCreate);
  const isAnonymous =
    operations.create === 'anyone' && (isBefore || references.every((one) => !one.place || isSent(one)));
  const targets = references.filter(({ column }) => parameters.some(({ name }) => name === column));
  const isFree =
    operations.create !== 'admin' &&
    targets.every((one) => !mayBeRefused(one, others)) &&
    parameters.every(({ set }) => set !== 'admin');
  const never = [...(isAnonymous ? ['login_required'] : []), ...(isFree ? ['forbidden'] : [])];
  return WRITING.filter((name) => !never.includes(name));
}

/** Whether a caller may see a target without having the right that the reference needs (D16). */
function mayBeRefused({ need, to }: Reference, others: ResourceLookup): boolean {
  const target = others.find(to);
  const right = target === undefined ? null : neededRight(need, target.access);
  if (target === undefined || right === null) return false;
  return right === 'read' ? !isHidden(target, others) : isSeenByOthers(target, right, others);
}

/** A rule leaves out what most operations have in common. */
type Rule = Pick<OperationPromises, 'session' | 'errors'> & Partial<OperationPromises>;

/** @returns the promises of an operation of a resource */
export function promisesOf(route: Route, resource: Resource, others: ResourceLookup): OperationPromises {
  const rule = (RULES[route.kind] as (...of: [Resource, Route, ResourceLookup]) => Rule)(resource, route, others);
  return promised({ ...rule, ...tokensFor(resource, route.method !== 'GET', others) });
}

/** Whether programs can send the token of an API key instead of a session. */
export function hasTokens({ find }: Pick<ResourceLookup, 'find'>): boolean {
  const apiKeys = find(API_KEYS);
  return apiKeys !== undefined && tokenOf(apiKeys) !== undefined;
}

/** Every token may be revoked or too narrow, even where a session could not be. */
function tokensFor(resource: Resource, writes: boolean, others: ResourceLookup): Tokens {
  if (!hasTokens(others)) return {};
  const isClosed = isClosedToTokens(resource, writes);
  const isListed = others.find(API_KEYS)?.parameters.some(({ name }) => name === 'resources') ?? false;
  return { tokens: { doReach: !isClosed, mayNot: isClosed || writes || isListed } };
}

interface Tokens {
  /** Whether some tokens are accepted, and whether some are not; absent if there are none. */
  readonly tokens?: { readonly doReach: boolean; readonly mayNot: boolean };
}

function promised({
  tokens,
  session,
  takesKey = false,
  parameters = ['id'],
  success = [200],
  errors,
}: Rule & Tokens): OperationPromises {
  const accepted = session === 'none' ? undefined : tokens;
  return {
    session,
    takesToken: accepted?.doReach ?? false,
    takesKey,
    parameters: [...parameters, ...(takesKey ? (['Idempotency-Key'] as const) : [])],
    success,
    errors: [
      ...ALWAYS,
      ...(accepted === undefined ? [] : (['login_required'] as const)),
      ...(accepted?.mayNot ? (['forbidden'] as const) : []),
      ...errors,
      ...(takesKey ? (['conflict_with_key', 'invalid_with_key'] as const) : []),
    ],
  };
}

/** The parameters of a write of the record in the path (D57). */
const CONDITIONAL: readonly SharedParameter[] = ['id', 'If-Match'];

const PAGING: readonly SharedParameter[] = ['_page_number', '_items_per_page', '_sort_order', '_cursor'];

type RuleOf<K extends Route['kind']> = (
  resource: Resource,
  route: Extract<Route, { readonly kind: K }>,
  others: ResourceLookup,
) => Rule;

const RULES: { readonly [K in Route['kind']]: RuleOf<K> } = {
  create: (resource, _, others) => ({
    session: sessionFor(resource, 'create'),
    takesKey: true,
    parameters: takesIds(resource) ? ['_use_this_id'] : [],
    success: resource.existing === null ? [201] : [200, 201],
    errors: [...createErrors(resource, others), 'method', ...uploadErrors(resource)],
  }),
  fetch: (resource, { by }, others) => ({
    session: sessionFor(resource, 'fetch'),
    parameters: [
      ...(by === null ? (['id'] as const) : []),
      ...(includableRelations(resource).length === 0 ? [] : (['_include_related_objects'] as const)),
      '_include_relationships',
    ],
    errors: ['not_found', ...fetchRefusals(resource, others)],
  }),
  update: (resource, _, others) => ({
    session: sessionFor(resource, 'update'),
    parameters: CONDITIONAL,
    errors: [
      'precondition_failed',
      ...(resource.match === null ? [] : (['precondition_required'] as const)),
      ...(asksToLogIn(resource, 'update', others) ? (['login_required'] as const) : []),
      ...(['forbidden', 'storage_full', 'not_found'] as const),
      ...conflicts(updateConflicts(resource)),
      ...fileErrors(resource),
    ],
  }),
  delete: (resource, _, others) => ({
    session: sessionFor(resource, 'delete'),
    parameters: CONDITIONAL,
    errors: [
      'precondition_failed',
      ...(asksToLogIn(resource, 'delete', others) ? (['login_required'] as const) : []),
      'storage_full',
      'not_found',
      ...(isSeenByOthers(resource, 'edit', others) ? (['forbidden'] as const) : []),
      ...conflicts(others.isHeld(resource.name) || resource.lifecycle.includes('beforeDelete')),
    ],
  }),
  options: () => ({ session: 'none', parameters: [], errors: [] }),
  list: ({ servedBy }, { list }, others) => {
    const parent = others.find(list.parent);
    // To callers who may not see web hooks, a list of them does not exist (S42).
    const errors = parent === undefined || servedBy !== null ? [] : refusals(parent, others);
    return { session: 'optional', parameters: ['id', ...PAGING], errors: ['not_found', ...errors] };
  },
  whole: ({ whole }) => {
    if (whole?.by === 'anyone') return { session: 'optional', parameters: PAGING, errors: [] };
    const refused: readonly ErrorName[] = whole?.by === 'session' ? [] : ['forbidden'];
    return { session: 'required', parameters: PAGING, errors: ['login_required', ...refused] };
  },
  uses: (resource, _, others) => ({
    session: 'optional',
    parameters: ['id', '_page_number', '_items_per_page', '_cursor'],
    errors: ['not_found', ...refusals(resource, others)],
  }),
  bulk: () => ({ session: 'required', takesKey: true, success: [201], errors: [...WRITING, 'method', 'not_found'] }),
  action: (resource, { action }, others) => ({
    session: 'required',
    takesKey: takesKey(resource, action),
    // A module's action does not change the record.
    ...(resource.servedBy === null ? { parameters: CONDITIONAL } : {}),
    success: [action.copies === null ? 200 : 201],
    errors: [
      ...(resource.servedBy === null ? (['precondition_failed'] as const) : []),
      'storage_full',
      'not_found',
      ...(isSeenByOthers(resource, action.by, others) ? (['forbidden'] as const) : []),
      ...(isHidden(resource, others) ? [] : (['login_required'] as const)),
      ...(action.method === 'POST' ? (['method'] as const) : []),
    ],
  }),
};

/**
 * Whether an action is carried out once for each key. A key cannot apply to a module's action, such as a test callback, which
 * is not a write; and a token is not stored, so it cannot be returned again.
 */
export function takesKey({ servedBy }: Resource, { method, renews }: Action): boolean {
  return method === 'POST' && servedBy === null && renews === null;
}

/** Whether somebody may know a record without having the right: to all others, a hidden record does not exist (D15). */
function isSeenByOthers(resource: Resource, right: string, others: ResourceLookup): boolean {
  const { access } = resource;
  const holders = right === 'edit' || right === 'editor' ? access.edit : access.rights[right];
  return !isHidden(resource, others) || holdersIn(holders, others) !== holdersIn(access.read, others);
}

/** Clauses as a text that is equal for equal callers: if both rights of a target have the same holders, the right is left out. */
function holdersIn(clauses: Resource['access']['read'] = [], others: ResourceLookup): string {
  const each = clauses.map((clause) => {
    if (!('through' in clause)) return JSON.stringify(clause);
    const { right, ...rest } = clause;
    const { read, edit } = others.find(clause.to)?.access ?? {};
    const isEither = right === 'read' && JSON.stringify(read) === JSON.stringify(edit);
    return JSON.stringify(right === undefined || isEither ? rest : clause);
  });
  return [...new Set(each)].sort().join();
}

/** Whether a record does not exist for some callers, including those without a session (D15). */
function isHidden(resource: Resource, others: ResourceLookup): boolean {
  return resource.access.hidden && !isForAnyone(resource, 'read', others);
}

function asksToLogIn(resource: Resource, operation: Operation, others: ResourceLookup): boolean {
  return resource.operations[operation] !== 'anyone' || !isHidden(resource, others);
}

function conflicts(can: boolean): readonly ErrorName[] {
  return can ? ['conflict'] : [];
}

/** A value may be taken, a target may belong to another owner, or a function may refuse. */
function updateConflicts({ references, parameters, uniques, lifecycle }: Resource): boolean {
  const isSent = ({ column }: Reference) => parameters.some(({ name }) => name === column);
  const isTied = references.some((one) => (one.place || one.inside) && isSent(one));
  return isTied || uniques.length > 0 || lifecycle.includes('beforeUpdate');
}

function sessionFor({ operations }: Resource, name: Operation): OperationPromises['session'] {
  return operations[name] === 'anyone' ? 'optional' : 'required';
}

/** Whether callers may choose ids: an id contains the owner of its record, unless there is none. */
function takesIds({ principal, references }: Resource): boolean {
  return !principal && !references.some(({ place }) => place);
}

/** The records that a fetch can include, by the name under which they are shown. */
export const includableRelations = memoizeByObject(
  ({ references, properties }: Resource): readonly { name: string; to: string }[] => {
    const described = new Set(properties.map(({ name }) => name));
    return references
      .filter(({ related, relation }) => related && !described.has(relation))
      .map(({ relation, to }) => ({ name: relation, to }));
  },
);

/** Callers who may not read a record are asked to log in or refused, unless the record is hidden from them (D15). */
function refusals(resource: Resource, others: ResourceLookup): readonly ErrorName[] {
  return resource.access.hidden || isForAnyone(resource, 'read', others) ? [] : ['login_required', 'forbidden'];
}

/** Whether everybody has the right on every record, possibly through a record that each of them refers to. */
function isForAnyone({ access, references }: Resource, right: string, others: ResourceLookup): boolean {
  const clauses = { read: access.read, edit: access.edit, ...access.rights }[right] ?? [];
  return clauses.some((clause) => {
    if (!('through' in clause)) return 'anyone' in clause;
    const target = others.find(clause.to);
    const isSet = references.some(({ column, required }) => column === clause.through && required);
    return isSet && target !== undefined && isForAnyone(target, clause.right ?? 'edit', others);
  });
}

/** A fetch may also need a session. */
function fetchRefusals(resource: Resource, others: ResourceLookup): readonly ErrorName[] {
  const { fetch } = resource.operations;
  const session: readonly ErrorName[] = fetch === 'anyone' ? [] : ['login_required'];
  return [...refusals(resource, others), ...session, ...(fetch === 'admin' ? (['forbidden'] as const) : [])];
}

/** A parameter may refer to a file of a type that is not accepted there. */
function fileErrors({ references }: Resource): readonly ErrorName[] {
  return references.some(({ accepts }) => accepts) ? ['unsupported_file'] : [];
}

/** An uploaded file may have such a type, too, or exceed what its owner may store. */
function uploadErrors(resource: Resource): readonly ErrorName[] {
  return resource.upload === null ? fileErrors(resource) : ['unsupported_file', 'forbidden_with_quota'];
}

/** @returns the promises of a route of web hooks */
export function hookPromises({ name, method, isPage }: HookRoute, takesTokens = false): OperationPromises {
  const refused = ['login_required', 'forbidden', 'not_found'] as const;
  return promised({
    ...(takesTokens ? { tokens: { doReach: true, mayNot: true } } : {}),
    session: 'required',
    parameters: ['id', ...(isPage ? (['_items_per_page', '_cursor'] as const) : [])],
    errors: method === 'get' ? refused : [...WRITING, ...refused, ...conflicts(name === 'retry')],
  });
}

/** The operations that belong to no resource, by method and path; the catalogue's, whose path may vary, by response. */
export const FIXED_PROMISES = {
  'POST /api/session': promised({
    session: 'none',
    parameters: [],
    success: [201],
    errors: ['wrong_login', 'method', 'storage_full'],
  }),
  'GET /api/session/{id}': promised({ session: 'none', errors: ['login_required'] }),
  'DELETE /api/session/{id}': promised({ session: 'none', errors: ['storage_full'] }),
  'GET /api/status': promised({ session: 'none', parameters: [], errors: [] }),
  catalogue: promised({ session: 'none', parameters: [], errors: [] }),
  row: promised({ session: 'none', parameters: [], errors: ['not_found'] }),
  'GET /files/{id}/{key}': raw(
    [200, 206, 304, 412, 416],
    ['malformed', 'not_found', 'method', 'rate_limited', 'internal', 'unavailable'],
  ),
  'GET /openapi.json': raw([200, 304, 412], ['method', 'rate_limited', 'unavailable']),
  'GET /healthz': raw([200], ['method']),
  'GET /readyz': raw([200, 503], ['method']),
  'GET /metrics': raw([200], ['not_found', 'method']),
} as const satisfies Readonly<Record<string, OperationPromises>>;

/** Has no body, and the same statuses in every wire profile. @param success statuses that are not errors of the API */
function raw(success: readonly number[], errors: readonly ErrorName[]): OperationPromises {
  return { session: 'none', takesToken: false, takesKey: false, parameters: [], success, errors };
}

/** Parameters that operations share, by name: where they are sent, and their limits. */
export const SHARED_PARAMETERS = {
  id: { in: 'path', schema: { type: 'string' } },
  _include_related_objects: { in: 'query', schema: { type: 'array', items: { type: 'string' } } },
  _include_relationships: { in: 'query', schema: { type: 'string' } },
  _use_this_id: { in: 'query', schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,63}$' } },
  _page_number: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 1 } },
  _items_per_page: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
  _sort_order: { in: 'query', schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
  _cursor: { in: 'query', schema: { type: 'string' } },
  'If-Match': { in: 'header', schema: { type: 'string' } },
  'Idempotency-Key': { in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' } },
} as const satisfies Readonly<
  Record<string, { readonly in: 'path' | 'query' | 'header'; readonly schema: JsonSchema }>
>;

export type SharedParameter = keyof typeof SHARED_PARAMETERS;

/** The most terms of an order, and the most records of a bulk create. */
export const MOST_ORDER_TERMS = 4;
export const MOST_OF_BULK = 100;
