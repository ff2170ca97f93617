// Limits uploads: how many are received at the same time, per client and in total, and how much of the free disk they use.
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../contract/errors.js';
import type { Blobs, ReceivedFile } from '../files/blobs.js';
import type { Visitor } from './limits.js';
import type { IncomingFile } from './multipart.js';
import { onClose } from './server.js';

/** Uploads in progress. Without a session before the file an upload counts as anonymous; these never take all slots. */
const SLOTS = { user: 16, anonymous: 2, allAnonymous: 32, all: 128 };
/** Shares of the free disk that the unfinished uploads of one client, and of all, may take. */
const SHARES = { client: 1 / 4, all: 1 / 2 };

export interface Incoming extends IncomingFile {
  /** Bytes of the whole body as declared in the head; NaN if not declared. */
  readonly declared: number;
}

export interface Uploads {
  /**
   * Writes nothing until it has a slot, which is free again when the response has ended.
   * Throws `rate_limited`, `unavailable`, `storage_full`, and what `Blobs.receive` throws.
   */
  receive(incoming: Incoming, visitor: Visitor, response: ServerResponse): Promise<ReceivedFile>;
}

export interface UploadParts {
  readonly files: Pick<Blobs, 'receive'>;
  /** Bytes that uploads may still use, without the reserve of the disk; 0 or less: none. */
  freeBytes(): Promise<number>;
}

/** What unfinished uploads take up together. */
interface UploadUsage {
  slots: number;
  bytes: number;
}

export function createUploads({ files, freeBytes }: UploadParts): Uploads {
  const all: UploadUsage = { slots: 0, bytes: 0 };
  const anonymous: UploadUsage = { slots: 0, bytes: 0 };
  const clients = new Map<string, UploadUsage>();
  return {
    async receive({ stream, name, maxBytes, declared }, { caller, key }, response) {
      const hasSession = caller.user !== null;
      const client = hasSession ? `user ${caller.user}` : key;
      const clientUsage = clients.get(client) ?? { slots: 0, bytes: 0 };
      if (clientUsage.slots >= (hasSession ? SLOTS.user : SLOTS.anonymous)) throw tooMany(hasSession);
      if (all.slots >= SLOTS.all || (!hasSession && anonymous.slots >= SLOTS.allAnonymous)) throw busy();
      clients.set(client, clientUsage);
      const usages = hasSession ? [all, clientUsage] : [all, clientUsage, anonymous];
      const add = (slots: number, bytes: number) => {
        for (const usage of usages) {
          usage.slots += slots;
          usage.bytes += bytes;
        }
        if (clientUsage.slots === 0) clients.delete(client);
      };
      const bytes = Number.isNaN(declared) ? maxBytes : Math.min(declared, maxBytes);
      add(1, bytes);
      onClose(response, () => add(-1, -bytes));
      checkSpace(await freeBytes(), { bytes, own: clientUsage.bytes, all: all.bytes });
      return files.receive(stream, { name, maxBytes });
    },
  };
}

const NO_SPACE =
  'There is no space for the file: delete files that are no longer needed, whose space is free a moment later, or ask the operator for more.';

/** @param usage `own` and `all` include the bytes of this upload */
function checkSpace(free: number, usage: { bytes: number; own: number; all: number }): void {
  if (usage.bytes > free * SHARES.client) throw new ServiceError('storage_full', NO_SPACE);
  if (usage.own > free * SHARES.client || usage.all > free * SHARES.all) throw busy();
}

function tooMany(hasSession: boolean): ServiceError {
  const message = hasSession
    ? `A user can have at most ${SLOTS.user} uploads in progress.`
    : `At most ${SLOTS.anonymous} uploads can be in progress before their session is known; send the session before the file.`;
  return new ServiceError('rate_limited', message, [], { 'Retry-After': '1' });
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'Too many uploads are in progress.', [], { 'Retry-After': '1' });
}
