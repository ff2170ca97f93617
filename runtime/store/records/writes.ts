// The writes of all resources: runs each verb in its transaction, and only once for an idempotency key.
import { ServiceError } from '../../contract/errors.js';
import { createWriteOnce, type IdempotencyKey } from '../idempotency.js';
import type { Caller, Created, Records } from '../records.js';
import type { Dialect } from '../sql/dialect.js';
import type { Pending, Transact, TransactOptions, Unit } from '../unit.js';
import { act } from './act.js';
import { createAll } from './bulk.js';
import { copy } from './copy.js';
import { create } from './create.js';
import { remove } from './remove.js';
import type { Resource, Resources } from './resource.js';
import { update } from './update.js';

export type Writes = Pick<Records, 'create' | 'createAll' | 'update' | 'remove' | 'act' | 'copy'>;

export function createWrites(transact: Transact, at: Resources, dialect: Dialect): Writes {
  const writeOnce = createWriteOnce(dialect);
  /** The verb, which also stores its answer if the request has a key. */
  const once = <T>({ idempotencyKey, caller: { user }, now }: OnceRequest, verb: Verb<T>): Verb<T> => {
    if (idempotencyKey === undefined || user === null) return verb;
    return (unit) => writeOnce(unit, { idempotencyKey, user, now }, () => verb(unit));
  };
  return {
    create(change) {
      const resource = at(change.resource);
      const options = { isRefused: change.failures.length > 0, ...meeting(resource) };
      const verb: Verb<Created> = (unit) => create(unit, resource, change);
      // A change that can only be refused leaves no trace, not even of its key.
      return transact(options.isRefused ? verb : once(change, verb), options);
    },
    createAll(bulk) {
      const resource = at(bulk.resource);
      const options = { longOf: bulk.caller.user, ...meeting(resource) };
      const verb = once(bulk, (unit) => createAll(unit, resource, bulk));
      return transact(verb, options);
    },
    update: (id, change) =>
      transact((unit) => update(unit, at(change.resource), id, change), { isRefused: change.failures.length > 0 }),
    remove: (resource, id, removal) => transact((unit) => remove(unit, at(resource), id, removal)),
    act: (resource, id, action) => transact(once(action, (unit) => act(unit, at(resource), id, action))),
    copy: (resource, id, action) =>
      transact(
        once(action, (unit) => copy(unit, at(resource), id, action)),
        { longOf: action.caller.user },
      ),
  };
}

type Verb<T> = (unit: Unit) => Pending<T>;

interface OnceRequest {
  readonly idempotencyKey?: IdempotencyKey;
  readonly caller: Caller;
  readonly now: number;
}

/** An existing record may be created or deleted between the search for it and the write, which is then retried. */
function meeting({ existing }: Resource): Pick<TransactOptions, 'mayRetry'> {
  return existing === null ? {} : { mayRetry: isMeanwhile };
}

function isMeanwhile(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'not_unique' || error.code === 'not_found');
}
