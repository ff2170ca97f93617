// One request and its response while they are handled, with the labels that logs and metrics use.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Notice } from './notice.js';

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Monotonic milliseconds at the beginning. */
  readonly started: number;
  /** As it counts: tunnelled methods are told as what they stand for. */
  method: string;
  /** Path with `:id` for the id; `-` while no path matched. */
  pattern: string;
  resource: string;
  operation: string;
  /** What it is counted under, a session or an address; empty while that is not known. */
  client: string;
  /** Id of the record in the path; null where an id may be a secret. */
  record: string | null;
  /** What it used that is to go (D38); null: nothing, or the operation was not reached. */
  notice: Notice | null;
  /** True: counted and logged at its end, not where its answer is written. */
  watched: boolean;
}

/** Both in milliseconds: epoch for what is stored, monotonic for durations. */
export interface Clock {
  now(): number;
  tick(): number;
}
