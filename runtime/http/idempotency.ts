// The header Idempotency-Key (D50): what is sent again with the same key is not carried out again.

import { hash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { Answer } from '../operations/call.js';
import type { Exchange } from './exchange.js';
import type { Route, RouteRequest } from './routes.js';

/** Runs a route; a POST with a key and a session once, however often it is sent. */
export type Keyed = (exchange: Exchange, request: RouteRequest, run: Route['run']) => MaybePromise<Answer>;

/** Printable, without spaces. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Keys that are under way in this process are refused; another one waits for the first to commit. */
export function createKeyed(): Keyed {
  const underWay = new Set<string>();
  return (exchange, request, run) => {
    const key = exchange.method === 'POST' ? exchange.req.headers['idempotency-key'] : undefined;
    const { user } = request.caller;
    if (key === undefined || user === null) return run(request);
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new ServiceError('malformed', 'Idempotency-Key must be 1 to 255 printable characters without spaces.');
    }
    const owned = `${user} ${key}`;
    if (underWay.has(owned)) {
      const message = 'A request with this Idempotency-Key is under way.';
      throw new ServiceError('conflict', message, [], { 'Retry-After': '1' });
    }
    underWay.add(owned);
    const work = async (): Promise<Answer> => run({ ...request, once: { key, bodyHash: bodyHash(exchange, request) } });
    return work().finally(() => void underWay.delete(owned));
  };
}

/** Of all that says what is asked for, whatever the order and the encoding in which it was sent. */
function bodyHash({ pattern }: Exchange, { id, parameters, upload }: RouteRequest): string {
  const named = Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([pattern, id, named, upload?.hash ?? null]), 'hex');
}
