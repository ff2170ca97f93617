// Limits uploads: how many are received at the same time, per client and in total, and how much of the free disk they use.
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../errors.js';
import type { Blobs, Received } from '../files/blobs.js';
import { onClose } from './connections.js';
import type { Visitor } from './limits.js';

/** At once. Who names no session before the file counts as anonymous; these never take all places. */
const PLACES = { user: 16, anonymous: 2, allAnonymous: 32, all: 128 };
/** Of the bytes that are free when an upload begins: what unfinished uploads of one client, and of all, may take. */
const SHARES = { client: 1 / 4, all: 1 / 2 };

export interface Incoming {
  readonly stream: Readable;
  /** As the client calls it. */
  readonly name: string;
  /** What the route takes. */
  readonly maxBytes: number;
  /** Bytes of the whole body as the head says; NaN when it does not. */
  readonly declared: number;
}

export interface Uploads {
  /**
   * Writes nothing before it is sure that there is a place. The place is free again when the response has ended.
   * Throws `rate_limited`, `unavailable`, `storage_full`, and what `Blobs.receive` throws.
   */
  receive(incoming: Incoming, visitor: Visitor, response: ServerResponse): Promise<Received>;
}

export interface UploadParts {
  readonly files: Pick<Blobs, 'receive'>;
  /** Bytes that can still be written. */
  freeBytes(): Promise<number>;
}

/** What unfinished uploads take together. */
interface Taken {
  places: number;
  bytes: number;
}

export function createUploads({ files, freeBytes }: UploadParts): Uploads {
  const all: Taken = { places: 0, bytes: 0 };
  const anonymous: Taken = { places: 0, bytes: 0 };
  const clients = new Map<string, Taken>();
  return {
    async receive({ stream, name, maxBytes, declared }, { caller, key }, response) {
      const known = caller.user !== null;
      const client = known ? `user ${caller.user}` : key;
      const own = clients.get(client) ?? { places: 0, bytes: 0 };
      if (own.places >= (known ? PLACES.user : PLACES.anonymous)) throw tooMany(known);
      if (all.places >= PLACES.all || (!known && anonymous.places >= PLACES.allAnonymous)) throw busy();
      clients.set(client, own);
      const takers = known ? [all, own] : [all, own, anonymous];
      const take = (places: number, bytes: number) => {
        for (const taken of takers) {
          taken.places += places;
          taken.bytes += bytes;
        }
        if (own.places === 0) clients.delete(client);
      };
      const bytes = Number.isNaN(declared) ? maxBytes : Math.min(declared, maxBytes);
      take(1, bytes);
      onClose(response, () => take(-1, -bytes));
      checkSpace(await freeBytes(), { bytes, own: own.bytes, all: all.bytes });
      return files.receive(stream, { name, maxBytes });
    },
  };
}

/** @param taken `own` and `all` with the bytes of this upload */
function checkSpace(free: number, taken: { bytes: number; own: number; all: number }): void {
  if (taken.bytes > free * SHARES.client) throw new ServiceError('storage_full', 'There is no space for the file.');
  if (taken.own > free * SHARES.client || taken.all > free * SHARES.all) throw busy();
}

function tooMany(known: boolean): ServiceError {
  const message = known
    ? `A user can have at most ${PLACES.user} uploads in progress.`
    : `At most ${PLACES.anonymous} uploads can be in progress before their session is known; send the session before the file.`;
  return new ServiceError('rate_limited', message, [], { 'Retry-After': '1' });
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'Too many uploads are in progress.', [], { 'Retry-After': '1' });
}
