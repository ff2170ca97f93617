// A request listener that can be exchanged while the server listens: requests that come meanwhile wait. Opens and closes nothing.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface Gate {
  readonly listener: RequestListener;
  /** Lets requests in flight finish, holds back those that come, and goes on with what `make` resolves with. */
  exchange(make: () => Promise<RequestListener>): Promise<void>;
}

/** @param first answers until it is exchanged */
export function createGate(first: RequestListener): Gate {
  let current: RequestListener | null = first;
  let inFlight = 0;
  let idle: (() => void) | null = null;
  const waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  const pass = (to: RequestListener, request: IncomingMessage, response: ServerResponse): void => {
    inFlight += 1;
    // Also when the client went away.
    response.once('close', () => {
      inFlight -= 1;
      if (inFlight === 0) idle?.();
    });
    to(request, response);
  };
  return {
    listener(request, response) {
      if (current === null) waiting.push([request, response]);
      else pass(current, request, response);
    },
    async exchange(make) {
      current = null;
      if (inFlight > 0) await new Promise<void>((resolve) => (idle = resolve));
      idle = null;
      const next = await make();
      current = next;
      for (const [request, response] of waiting.splice(0)) pass(next, request, response);
    },
  };
}
