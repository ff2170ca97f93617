// Who may start an operation. The store checks the rights on a single record.
import type { AnyDefinition, Operation } from '../contract/definition.js';
import { refusal, ServiceError } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Records } from '../store/records.js';

/**
 * Throws if the definition does not let the caller start the operation: `method` if it is not offered,
 * `login_required` for an anonymous caller (D14), `forbidden` for what only administrators may do.
 */
export function authorize(definition: AnyDefinition, operation: Operation, caller: Caller): void {
  const policy = definition.operations[operation];
  if (policy === null) throw new ServiceError('method', `${definition.title} does not support ${operation}.`);
  requireCaller(definition, policy, caller);
}

/** Throws if the caller may not list all records of the definition (D44). */
export function authorizeListing(definition: AnyDefinition, caller: Caller): void {
  requireCaller(definition, definition.whole?.by ?? 'admin', caller);
}

function requireCaller(definition: AnyDefinition, policy: 'anyone' | 'session' | 'admin', caller: Caller): void {
  if (policy === 'anyone' || caller.admin) return;
  if (caller.user === null) throw refusal(definition, 'login_required');
  if (policy === 'admin') throw refusal(definition, 'forbidden');
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
