// The tokens of API keys (D61): programs send one instead of a session. They are not cached, so that deleting, changing or
// renewing a key takes effect with the next request, on every process and server.

import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import { tokenParts } from '../contract/tokens.js';
import type { Identity } from '../store/engine.js';
import type { Caller } from '../store/records.js';

/** `last_used` is written at most this often for each key, so that reading does not write. */
const USE_RECORDED = 60 * 1000;

/** @returns the caller who sent the token; null: the text is not a token, or the project has none */
export type FindToken = (text: string, now: number) => MaybePromise<Caller | null>;

const REFUSED: Caller = { user: null, admin: false, refused: true };

export function createFindToken(identity: Pick<Identity, 'token' | 'touchKey'>): FindToken {
  const recording = new Set<string>();
  /** The request does not wait for it; if it fails, the next use tries again. */
  const record = async (id: string, now: number): Promise<void> => {
    if (recording.has(id)) return;
    recording.add(id);
    try {
      await identity.touchKey(id, now);
    } catch {
    } finally {
      recording.delete(id);
    }
  };
  return (text, now) => {
    const token = tokenParts(text);
    if (token === null) return null;
    return chain(identity.token(token, now), (key) => {
      if (!key) return key === null ? REFUSED : null;
      if (key.used === null || now - key.used > USE_RECORDED) void record(token.id, now);
      return key.caller;
    });
  };
}
