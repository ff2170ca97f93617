// Opens a session for a name and a password (D13). Takes the same time whichever of them is wrong.

import type { AnyDefinition } from '../contract/definition.js';
import { type Failure, failed, ServiceError, throwAll } from '../contract/errors.js';
import { API_KEYS } from '../contract/needs.js';
import { addressKey } from '../http/rate-limit.js';
import type { Identity } from '../store/engine.js';
import type { LoginLimit } from './login-limit.js';
import type { Passwords } from './passwords.js';
import { OPERATORS_PAGES, type Session, type Sessions } from './sessions.js';

/** Where a login comes from. */
export interface LoginOrigin {
  /** The client's address, for the limit. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The version of the API that the request names, or `newest`; absent: none. */
  readonly version?: string | undefined;
  /** The session is for the operators' pages alone. */
  readonly isAtPages?: boolean;
}

export type Login = (parameters: Readonly<Record<string, unknown>>, from: LoginOrigin) => Promise<Session>;

export interface LoginSource {
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  /** Null: no limit (D39). */
  readonly limit: LoginLimit | null;
}

/** Names are truncated to this length for counting. */
const LONGEST_NAME = 100;

/** Throws required, invalid (all failures), rate_limited, wrong_password, unknown_user, forbidden, unavailable, storage_full. */
export function createLogin({ identity, sessions, passwords, limit }: LoginSource): Login {
  return async (parameters, { address, now, version, isAtPages = false }) => {
    const { username, password, apiKey } = read(parameters);
    const attempt = { client: addressKey(address), name: username.slice(0, LONGEST_NAME) };
    limit?.check(attempt, now);
    const account = await identity.account(username);
    const turn = { client: attempt.client, begin: () => limit?.count(attempt, now) };
    const isRight = await passwords.verify(password, account?.password ?? null, turn);
    if (isRight) limit?.uncount(attempt, now);
    if (!isRight || account === null) {
      // Only the wing profile lets a caller distinguish the two codes.
      const code = account === null ? 'unknown_user' : 'wrong_password';
      throw new ServiceError(code, 'The user name or the password is wrong.');
    }
    // Only a caller who knows the password learns this.
    if (account.disabled) throw new ServiceError('forbidden', 'This user is disabled.');
    const key = apiKey === null ? undefined : await identity.keyOf(account.id, apiKey);
    if (key === null) {
      throw failed([{ field: 'api_key_id', code: 'invalid', message: 'api_key_id must be a key of this user.' }]);
    }
    const opened = {
      ...{ user: account.id, password: account.password, version: version ?? key?.version ?? null },
      apiKey: isAtPages ? OPERATORS_PAGES : key === undefined ? null : apiKey,
    };
    return sessions.open(opened, now);
  };
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
  throwAll(failures);
  return { username: username ?? '', password: password ?? '', apiKey };
}

/** The resource of API keys, whose records belong to users; in other projects the name may mean something else. */
export function apiKeysOf(definitions: readonly AnyDefinition[], principal: AnyDefinition): AnyDefinition | null {
  const owned = ({ references }: AnyDefinition): boolean =>
    references.some(({ column, to }) => column === 'user_id' && to === principal.name);
  return definitions.find((one) => one.name === API_KEYS && owned(one)) ?? null;
}
