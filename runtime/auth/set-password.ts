// Sets the password of a user for an operator (D47) through the operation that the API uses.

import { ServiceError } from '../errors.js';
import type { Service } from '../server/open-service.js';

/** The record's JSON text. Throws ServiceError. @param now epoch milliseconds */
export async function setPassword(
  { engine, operations, principal }: Pick<Service, 'engine' | 'operations' | 'principal'>,
  { username, password }: { readonly username: string; readonly password: string },
  now: number,
): Promise<string> {
  const account = await engine.identity.account(username);
  if (account === null) throw new ServiceError('not_found', `There is no user ${username}.`);
  const answer = await operations.update({
    definition: principal,
    id: account.id,
    name: '',
    parameters: { password },
    caller: { user: null, admin: true },
    now,
    upload: null,
  });
  return answer.body;
}
