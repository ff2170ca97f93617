// Changes a user for an operator (D47, D49) through the operation that the API uses.

import type { OperatorChange } from '../contract/audit.js';
import type { Conditions } from '../contract/conditions.js';
import type { AnyDefinition } from '../contract/definition.js';
import { failed, ServiceError } from '../contract/errors.js';
import type { Operations } from '../operations/operations.js';
import type { Engine } from '../store/engine.js';

export interface UserChange {
  readonly username: string;
  /** The parameters that a request would send. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The parts of a service that change a user. */
interface UserService {
  readonly engine: Pick<Engine, 'identity'>;
  readonly operations: Pick<Operations, 'update'>;
  readonly principal: AnyDefinition;
}

/** An operator changes the current version, whichever it is. */
const ANY: Conditions = { match: 'any' };

/** Returns the record's JSON text. Throws ServiceError. */
export async function changeUser(
  { engine, operations, principal }: UserService,
  { username, parameters }: UserChange,
  { author, now }: OperatorChange,
): Promise<string> {
  for (const name of Object.keys(parameters)) {
    if (Object.hasOwn(principal.parameters, name)) continue;
    const message = `${principal.name} has no field "${name}" that can be set.`;
    throw failed([{ field: name, code: 'invalid', message }]);
  }
  const account = await engine.identity.account(username);
  if (account === null) throw new ServiceError('not_found', `There is no user ${username}.`);
  const caller = { user: null, admin: true, author };
  const call = {
    definition: principal,
    id: account.id,
    name: '',
    parameters,
    caller,
    now,
    upload: null,
    conditions: ANY,
  };
  return (await operations.update(call)).body;
}
