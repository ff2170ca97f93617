// Opens a session for a name and a password (D13). Takes the same time whichever of the two is wrong.

import type { Database } from 'better-sqlite3';
import type { AnyDefinition } from '../definition.js';
import { type Failure, failed, ServiceError } from '../errors.js';
import { addressKey } from '../http/rate-limit.js';
import type { LoginLimit } from './login-limit.js';
import type { Passwords } from './passwords.js';
import type { Session, Sessions } from './sessions.js';

/** @param address the client's, for the limit; now in epoch milliseconds */
export type Login = (
  parameters: Readonly<Record<string, unknown>>,
  from: { readonly address: string; readonly now: number },
) => Promise<Session>;

export interface LoginSource {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly principal: AnyDefinition;
  readonly definitions: readonly AnyDefinition[];
  /** Null: no limit (D39). */
  readonly limit: LoginLimit | null;
}

/** Longer names than anyone can have are not kept for counting. */
const LONGEST_NAME = 100;

interface User {
  readonly id: string;
  readonly password: string;
}

/** Throws required, invalid (all at once), rate_limited, wrong_password, unknown_user, unavailable, storage_full. */
export function createLogin({ db, sessions, passwords, principal, definitions, limit }: LoginSource): Login {
  const user = db.prepare<[string], User>(`SELECT id, password FROM "${principal.name}" WHERE username = ?`);
  const owns = definitions.some((one) => isApiKey(one, principal))
    ? db.prepare<[string, string]>('SELECT 1 FROM apikey WHERE id = ? AND user_id = ?')
    : null;

  return async (parameters, { address, now }) => {
    const { username, password, apiKey } = read(parameters);
    const who = { client: addressKey(address), name: username.slice(0, LONGEST_NAME) };
    await limit?.check(who);
    const found = user.get(username);
    const turn = { client: who.client, begin: async () => limit?.count(who) };
    const right = await passwords.verify(password, found?.password ?? null, turn);
    if (right) await limit?.uncount(who);
    if (!right || found === undefined) {
      // Only the wing profile lets a caller tell the two codes apart.
      const code = found === undefined ? 'unknown_user' : 'wrong_password';
      throw new ServiceError(code, 'The user name or the password is wrong.');
    }
    if (apiKey !== null && owns !== null && owns.get(apiKey, found.id) === undefined) {
      throw failed([{ field: 'api_key_id', code: 'invalid', message: 'api_key_id must be a key of this user.' }]);
    }
    return sessions.open({ user: found.id, password: found.password, apiKey: owns && apiKey }, now);
  };
}

/** A resource of that name, of which each record is somebody's; in other projects a key may be something else. */
function isApiKey({ name, references }: AnyDefinition, principal: AnyDefinition): boolean {
  return name === 'apikey' && references.some(({ column, to }) => column === 'user_id' && to === principal.name);
}

function read(parameters: Readonly<Record<string, unknown>>): {
  username: string;
  password: string;
  apiKey: string | null;
} {
  const failures: Failure[] = [];
  const text = (field: string, required: boolean): string | null => {
    const value = parameters[field] ?? '';
    if (value === '') {
      if (required) failures.push({ field, code: 'required', message: `${field} is required.` });
      return null;
    }
    if (typeof value === 'string') return value;
    failures.push({ field, code: 'invalid', message: `${field} must be text.` });
    return null;
  };
  const [username, password, apiKey] = [text('username', true), text('password', true), text('api_key_id', false)];
  const [first, ...rest] = failures;
  if (first !== undefined) throw failed([first, ...rest]);
  return { username: username ?? '', password: password ?? '', apiKey };
}
