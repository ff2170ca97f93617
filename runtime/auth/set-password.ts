// Sets the password of a user for an operator (D47), with the operation that the API uses.

import { ServiceError } from '../errors.js';
import type { Service } from '../open-service.js';

/** The record's JSON text. Throws ServiceError. @param now epoch milliseconds */
export async function setPassword(
  { db, operations, principal }: Pick<Service, 'db' | 'operations' | 'principal'>,
  { username, password }: { readonly username: string; readonly password: string },
  now: number,
): Promise<string> {
  const id = db
    .prepare<[string], string>(`SELECT id FROM "${principal.name}" WHERE username = ?`)
    .pluck()
    .get(username);
  if (id === undefined) throw new ServiceError('not_found', `There is no user ${username}.`);
  const answer = await operations.update({
    definition: principal,
    id,
    name: '',
    parameters: { password },
    caller: { user: null, admin: true },
    now,
    upload: null,
  });
  return answer.body;
}
