// The session routes (D13). Their paths contain the secret, so nothing here is logged.

import type { Method } from '../contract/definition.js';
import { ServiceError } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Route, RouteRequest } from '../http/routes.js';
import type { Answer } from '../operations/call.js';
import type { WireFormats } from '../store/records.js';
import type { Login } from './login.js';
import type { Session, Sessions } from './sessions.js';

/**
 * `POST /api/session` logs in; `GET /api/session/<id>` shows the session to anyone who has its id (`login_required` if it
 * has expired); `DELETE /api/session/<id>` ends it, even if it has already expired.
 */
export function createSessionRoutes(
  sessions: Sessions,
  login: Login,
  { extras }: Pick<WireFormats, 'extras'> = {},
): readonly Route[] {
  const text = (session: Session) => textOf(session, extras === true ? { object_name: 'Session' } : {});
  return [
    route('POST', 'create', async ({ parameters, address, now, caller: { version } }) => {
      const session = await login(parameters, { address, now, version });
      return { status: 201, body: text(session), location: `/api/session/${session.id}` };
    }),
    route('GET', 'fetch', ({ id, now }) =>
      chain(sessions.get(id, now), (session) => {
        if (session === null) throw new ServiceError('login_required', 'The session has expired; log in again.');
        return { status: 200, body: text(session) };
      }),
    ),
    route('DELETE', 'remove', async ({ id }) => {
      await sessions.remove(id);
      return { status: 200, body: '{"success":1}' };
    }),
  ];
}

function route(method: Method, operation: string, run: (request: RouteRequest) => MaybePromise<Answer>): Route {
  const withId = operation !== 'create';
  const names = { resource: 'session', operation, definition: null, upload: null };
  const hashes = operation === 'create' ? ({ password }: RouteRequest['parameters']) => (password ? 1 : 0) : undefined;
  return { method, base: '/api/session', withId, tail: null, ...names, hashes, run };
}

function textOf({ id, user, apiKey }: Session, extras: object): string {
  return JSON.stringify({ ...extras, id, object_type: 'session', user_id: user, api_key_id: apiKey });
}
