// Decides who may start an operation, and limits a caller with the token of an API key to the scope of that key (D61): such a
// caller may do only what both the user's rights and the scope allow. The store checks the rights on a single record.

import { isClosedToTokens } from '../contract/access.js';
import type { AnyDefinition, Method, Operation } from '../contract/definition.js';
import { refusal, ServiceError } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Records, Scope } from '../store/records.js';

/**
 * Throws if the definition does not let the caller start the operation: `method` if it is not offered,
 * `login_required` for an anonymous caller (D14), `forbidden` for what only administrators may do.
 */
export function authorize(definition: AnyDefinition, operation: Operation | 'list', caller: Caller): void {
  // Here, `list` is the list of all records (D44), not the list of a parent's records.
  const policy = operation === 'list' ? (definition.whole?.by ?? 'admin') : definition.operations[operation];
  if (policy === null) throw new ServiceError('method', `${definition.title} does not support ${operation}.`);
  if (policy === 'anyone' || caller.admin) return;
  if (caller.user === null) throw refusal(definition, 'login_required');
  if (policy === 'admin') throw refusal(definition, 'forbidden');
}

/** What a request reads or writes, which the scope of a key restricts. */
export interface ScopeRequirement {
  readonly method: Method;
  /** The resource whose records it reads or writes; null: records of any resource; absent: no scope restricts it. */
  readonly of?: AnyDefinition | null;
}

/**
 * Throws `invalid_token` for a token that is not usable, and `insufficient_scope` for what the caller's token does not reach,
 * whatever its user may do (D61): writes of a read-only key, resources that it does not list, API keys, and changes of users,
 * which could widen its scope.
 */
export function requireScope({ scope, refused }: Caller, { method, of: definition }: ScopeRequirement): void {
  if (definition === undefined) return;
  if (refused)
    throw new ServiceError('invalid_token', INVALID, [], { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
  if (scope === undefined) return;
  const writes = method !== 'GET';
  const name = definition?.name ?? null;
  if (definition !== null && isClosedToTokens(definition, writes)) {
    throw insufficient(`No token reaches ${writes ? 'changes of ' : ''}${definition.plural}: use a session.`);
  }
  const needed = writes ? 'write' : 'read';
  if (writes && !scope.writes) throw insufficient('The API key only reads: this needs the scope "write".', needed);
  if (reaches(scope, name)) return;
  const resources = name === null ? 'all resources' : `the resource "${name}"`;
  throw insufficient(`The API key does not reach ${resources}: list it in "resources", or empty them.`, needed);
}

/** Whether a record that the caller may read can be shown within another record. */
export function mayShow({ scope }: Caller, resource: string): boolean {
  return (
    scope === undefined || (reaches(scope, resource) && !isClosedToTokens({ name: resource, principal: false }, false))
  );
}

/** Throws `insufficient_scope` for a record of a resource that the caller's token does not reach, if it is shown alone. */
export function requireShown(caller: Caller, resource: string): void {
  if (!mayShow(caller, resource)) throw insufficient(`The API key does not reach the resource "${resource}".`, 'read');
}

const INVALID = 'The token is unknown, expired or revoked, or its user is disabled.';

function reaches({ resources }: Scope, name: string | null): boolean {
  return resources === null || (name !== null && resources.includes(name));
}

/** The error of RFC 6750. @param needed the scope that would suffice; absent: there is none */
function insufficient(message: string, needed?: string): ServiceError {
  const scope = needed === undefined ? '' : `, scope="${needed}"`;
  const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope"${scope}` };
  return new ServiceError('insufficient_scope', message, [], headers);
}

/** Resolves when the caller holds `right` on the record; throws the refusal otherwise. */
export function requireRight(
  store: Pick<Records, 'permission'>,
  { definition, id, caller }: { definition: AnyDefinition; id: string; caller: Caller },
  right: string,
): MaybePromise<void> {
  return chain(store.permission(definition.name, id, right, caller), (permission) => {
    if (!permission.allowed) throw refusal(definition, permission.code);
  });
}
