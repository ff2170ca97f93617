// The writes of all resources: runs each verb in its transaction, and only once for an idempotency key.
import { ServiceError } from '../../contract/errors.js';
import { createWriteOnce } from '../idempotency.js';
import type { Records } from '../records.js';
import type { Dialect } from '../sql/dialect.js';
import type { Transact, TransactOptions } from '../unit.js';
import { act } from './act.js';
import { createAll } from './bulk.js';
import { copy } from './copy.js';
import { create } from './create.js';
import { remove } from './remove.js';
import type { Resource, Resources } from './resource.js';
import { update } from './update.js';

export type Writes = Pick<Records, 'create' | 'createAll' | 'update' | 'remove' | 'act' | 'copy'>;

export function createWrites(transact: Transact, at: Resources, dialect: Dialect): Writes {
  const once = createWriteOnce(dialect);
  return {
    create(change) {
      const resource = at(change.resource);
      const options = { isRefused: change.failures.length > 0, ...meeting(resource) };
      // A change that can only be refused leaves no trace, not even of its key.
      if (options.isRefused) return transact((unit) => create(unit, resource, change), options);
      return transact((unit) => once(unit, change, () => create(unit, resource, change)), options);
    },
    createAll(bulk) {
      const resource = at(bulk.resource);
      const options = { longOf: bulk.caller.user, ...meeting(resource) };
      return transact((unit) => once(unit, bulk, () => createAll(unit, resource, bulk)), options);
    },
    update: (id, change) =>
      transact((unit) => update(unit, at(change.resource), id, change), { isRefused: change.failures.length > 0 }),
    remove: (resource, id, removal) => transact((unit) => remove(unit, at(resource), id, removal)),
    act: (resource, id, action) => transact((unit) => once(unit, action, () => act(unit, at(resource), id, action))),
    copy: (resource, id, action) =>
      transact((unit) => once(unit, action, () => copy(unit, at(resource), id, action)), {
        longOf: action.caller.user,
      }),
  };
}

/** An existing record may be created or deleted between the search for it and the write, which is then retried. */
function meeting({ existing }: Resource): Pick<TransactOptions, 'mayRetry'> {
  return existing === null ? {} : { mayRetry: isMeanwhile };
}

function isMeanwhile(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'not_unique' || error.code === 'not_found');
}
