// A request listener that can be replaced while the server listens; requests that arrive meanwhile wait.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface Gate {
  readonly listener: RequestListener;
  /**
   * Lets requests in flight finish, holds back new ones, and then continues with the listener that `make` resolves with.
   * @param patience milliseconds after which requests still in flight are cut
   */
  exchange(make: () => Promise<RequestListener>, patience: number): Promise<void>;
}

/** @param first handles requests until it is exchanged */
export function createGate(first: RequestListener): Gate {
  let current: RequestListener | null = first;
  const inFlight = new Set<ServerResponse>();
  let idle: () => void = () => undefined;
  const waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  const pass = (to: RequestListener, request: IncomingMessage, response: ServerResponse): void => {
    inFlight.add(response);
    // Emitted even if the client went away.
    response.once('close', () => {
      inFlight.delete(response);
      if (inFlight.size === 0) idle();
    });
    to(request, response);
  };
  const finished = async (patience: number): Promise<void> => {
    if (inFlight.size === 0) return;
    let cut: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      idle = resolve;
      cut = setTimeout(resolve, patience);
    });
    clearTimeout(cut);
    for (const response of inFlight) response.destroy();
    inFlight.clear();
  };
  return {
    listener(request, response) {
      if (current === null) waiting.push([request, response]);
      else pass(current, request, response);
    },
    async exchange(make, patience) {
      current = null;
      await finished(patience);
      const next = await make();
      current = next;
      // A response whose client went away while it waited would never emit `close`.
      for (const [request, response] of waiting.splice(0)) if (!response.destroyed) pass(next, request, response);
    },
  };
}
