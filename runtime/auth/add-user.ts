// Creates a user for an operator (D35) through the operation that the API uses: same checks, same record.

import type { Author } from '../contract/audit.js';
import type { AnyDefinition, Input } from '../contract/definition.js';
import { failed } from '../contract/errors.js';
import type { Operations } from '../operations/operations.js';

export interface NewUser {
  readonly username: string;
  readonly password: string;
  readonly admin: boolean;
  /** Further parameters that this service requires of a user. */
  readonly more?: Input;
  /** For the audit log; without an author the creation is not logged. */
  readonly author?: Author;
}

/** Returns the record's JSON text, which never holds the password. Throws ServiceError. @param now epoch milliseconds */
export async function addUser(
  { operations, principal }: { readonly operations: Pick<Operations, 'create'>; readonly principal: AnyDefinition },
  user: NewUser,
  now: number,
): Promise<string> {
  const { admin, author, more, ...named } = user;
  const login = { ...more, ...named };
  const mayAdminister = Object.hasOwn(principal.parameters, 'admin');
  if (admin && !mayAdminister) {
    const message = `${principal.name} has no field "admin" that can be set, so there are no administrators.`;
    throw failed([{ field: 'admin', code: 'invalid', message }]);
  }
  const answer = await operations.create({
    definition: principal,
    id: '',
    name: '',
    parameters: mayAdminister ? { ...login, admin } : login,
    caller: { user: null, admin: true, ...(author && { author }) },
    now,
    upload: null,
  });
  return answer.body;
}
