// The operations that all resources share, over one store and without HTTP.
import type { AnyDefinition } from '../contract/definition.js';
import type { Records } from '../store/records.js';
import { actionOperation } from './action.js';
import { bulkOperation } from './bulk.js';
import type { Run } from './call.js';
import type { HashPassword, NewSecret } from './change.js';
import { createOperation } from './create.js';
import { fetchOperation, relatedOperation } from './fetch.js';
import { type ListFormat, listOperation } from './list.js';
import { optionsOperation } from './options.js';
import { planAll } from './plan.js';
import { removeOperation } from './remove.js';
import { updateOperation, type VerifyPassword } from './update.js';
import { usesOperation } from './uses.js';

export interface Collaborators {
  readonly store: Records;
  /** All mounted definitions. */
  readonly definitions: readonly AnyDefinition[];
  readonly hashPassword: HashPassword;
  readonly verifyPassword: VerifyPassword;
  /** Creates the random text of a token: 27 URL-safe characters, of 160 bits. */
  readonly newSecret: NewSecret;
  /** The format of the profile plain by default. */
  readonly lists?: ListFormat;
  /** Whether fetches include allowed values on request (D07). */
  readonly extras?: boolean | undefined;
}

/** The operations of every resource; each takes a Call and returns JSON text. */
export interface Operations {
  readonly create: Run;
  readonly update: Run;
  readonly remove: Run;
  readonly fetch: Run;
  readonly related: Run;
  readonly list: Run;
  readonly uses: Run;
  readonly bulk: Run;
  readonly options: Run;
  readonly action: Run;
}

const PLAIN_LISTS: ListFormat = { otherPageSize: null, boundPrefixes: {}, formatBoolean: (value) => value };

/** One Run per operation, for all definitions. A Run throws or rejects with ServiceError. */
export function createOperations(collaborators: Collaborators): Operations {
  const { store, definitions, lists = PLAIN_LISTS, extras, newSecret, ...passwords } = collaborators;
  const planOf = planAll(definitions);
  return {
    create: createOperation(store, planOf, { ...passwords, newSecret }),
    update: updateOperation(store, planOf, passwords),
    remove: removeOperation(store),
    fetch: fetchOperation(store, planOf, extras),
    related: relatedOperation(store, planOf),
    list: listOperation(store, planOf, lists),
    uses: usesOperation(store, lists),
    bulk: bulkOperation(store, planOf, { ...passwords, newSecret }),
    options: optionsOperation(planOf),
    action: actionOperation(store, planOf, newSecret),
  };
}
