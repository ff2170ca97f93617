// The header Idempotency-Key (D50, D60): a request that is sent again with the same key is not carried out again.

import { hash } from 'node:crypto';
import { ServiceError } from '../contract/errors.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Answer } from '../operations/call.js';
import type { Exchange } from './exchange.js';
import type { Route, RouteRequest } from './routes.js';

/**
 * Runs a request that was sent with a key. If it also has a session, it runs only once, however often it is sent.
 * @param header the key as it was sent
 */
export type RunOnceByKey = (
  header: string | readonly string[],
  exchange: Exchange,
  request: RouteRequest,
  route: Route,
) => MaybePromise<Answer>;

/** Printable, without spaces. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The form of texts in structured fields (RFC 9651): the quotes are not part of the key. */
const QUOTED = /^"(.*)"$/;

/** A key whose request is under way in this process is refused; another process waits for that request to commit. */
export function createRunOnceByKey(): RunOnceByKey {
  const underWay = new Set<string>();
  return (header, exchange, request, route) => {
    const { user } = request.caller;
    if (user === null) return route.run(request);
    const sent = String(header);
    const quoted = QUOTED.exec(sent)?.[1];
    const key = quoted ?? sent;
    if (!KEY.test(key)) {
      throw new ServiceError('malformed', 'Idempotency-Key must be 1 to 255 printable characters without spaces.');
    }
    const keyOfUser = `${user} ${key}`;
    if (underWay.has(keyOfUser)) {
      const message = 'A request with this Idempotency-Key is under way.';
      throw new ServiceError('conflict', message, [], { 'Retry-After': '1' });
    }
    underWay.add(keyOfUser);
    const idempotencyKey = {
      key,
      bodyHash: bodyHash(exchange, request),
      ...(quoted === undefined ? {} : { sentAs: sent }),
    };
    const work = async (): Promise<Answer> => route.run({ ...request, idempotencyKey });
    return work().finally(() => void underWay.delete(keyOfUser));
  };
}

/** A hash of the request, independent of the order and the encoding in which it was sent. */
function bodyHash({ pattern }: Exchange, { id, parameters, sent = parameters, upload }: RouteRequest): string {
  const named = Object.entries(sent).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([pattern, id, named, upload?.hash ?? null]), 'hex');
}
