// One request and its response while they are handled, with the labels that logs and metrics use.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Notice } from './notice.js';
import type { Version } from './versions/versions.js';

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Its `traceparent` (W3C); undefined: it has none, or one that is not valid. */
  readonly trace: string | undefined;
  /** Monotonic milliseconds at the beginning. */
  readonly started: number;
  /** The effective method; a tunnelled request names it. */
  method: string;
  /** Path with `:id` for the id; `-` while no path matched. */
  pattern: string;
  resource: string;
  operation: string;
  /** The key it is counted under, a session or an address; empty until it is known. */
  client: string;
  /** Id of the record in the path; null if the id may be a secret. */
  record: string | null;
  /** The version that its caller named; undefined: the newest (D68). */
  version: Version | undefined;
  /** The deprecated items it used (D38); null: none, or the operation was not reached. */
  notice: Notice | null;
  /** True: counted and logged by the code that watches its response, not where it is written. */
  watched: boolean;
}

/** Both in milliseconds: epoch for what is stored, monotonic for durations. */
export interface Clock {
  now(): number;
  tick(): number;
}
