// Limits the memory that large request bodies being read and large responses being sent may take, per client and in total.

import type { ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { REQUESTS } from '../contract/defaults.js';
import { ServiceError } from '../contract/errors.js';
import { metricOf } from './metric.js';
import { onClose } from './server.js';

/** The memory held for one request. */
export interface MemoryLease {
  /** Throws `rate_limited` if this client would hold too much, `unavailable` if all clients together would. */
  hold(bytes: number): void;
}

export interface BufferLimits {
  /** Released when the response ends. @param client the key that the request is counted under */
  lease(client: string, response: ServerResponse): MemoryLease;
  /** Bytes held now. */
  readonly bytes: number;
  /** The most bytes ever held. */
  readonly most: number;
  /** The limit of `most`. */
  readonly bound: number;
  /** Adds its metrics. */
  register(registry: Registry): void;
}

export function createBufferLimits(
  bounds = { client: REQUESTS.bufferedByClient, all: REQUESTS.buffered },
): BufferLimits {
  const bytesByClient = new Map<string, number>();
  let bytes = 0;
  let most = 0;
  const add = (client: string, more: number) => {
    bytes += more;
    most = Math.max(most, bytes);
    const total = (bytesByClient.get(client) ?? 0) + more;
    if (total === 0) bytesByClient.delete(client);
    else bytesByClient.set(client, total);
  };
  return {
    lease(client, response) {
      let held = 0;
      onClose(response, () => add(client, -held));
      return {
        hold(more) {
          if (response.closed) return;
          if ((bytesByClient.get(client) ?? 0) + more > bounds.client) throw tooMuch('rate_limited');
          if (bytes + more > bounds.all) throw tooMuch('unavailable');
          held += more;
          add(client, more);
        },
      };
    },
    get bytes() {
      return bytes;
    },
    get most() {
      return most;
    },
    bound: bounds.all,
    register(registry) {
      const help = 'Bytes of large request bodies being read and of large responses being sent.';
      metricOf({ name: 'buffered_bytes', help }, () => bytes)(registry);
      const helpOfMost = 'The maximum that punchboard_buffered_bytes has reached.';
      metricOf({ name: 'buffered_bytes_most', help: helpOfMost }, () => most)(registry);
      const helpOfBound = 'The limit of punchboard_buffered_bytes.';
      metricOf({ name: 'buffered_bytes_bound', help: helpOfBound }, () => bounds.all)(registry);
    },
  };
}

function tooMuch(code: 'rate_limited' | 'unavailable'): ServiceError {
  const message = 'Too many large requests are in progress; try again when they have finished.';
  return new ServiceError(code, message, [], { 'Retry-After': '1' });
}
