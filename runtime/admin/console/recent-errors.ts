// The errors that were logged last, for the operators' pages; they are lost when the server stops, but not in the log.

import type { DestinationStream } from 'pino';
import type { MaybePromise } from '../../contract/maybe-promise.js';

export interface LoggedError {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly msg: string;
  readonly route?: string;
  readonly request_id?: string;
  readonly err?: { readonly stack?: string };
}

export interface RecentErrors {
  /** Newest first. */
  list(): MaybePromise<readonly LoggedError[]>;
}

const KEPT = 50;
/** How a line of level error or fatal begins. */
const SEVERE = /^\{"level":[56]0,/;

/** @returns a destination of the log that passes lines on; `seen` is called with those that report errors */
export function watchErrors(destination: DestinationStream, seen: (line: string) => void): DestinationStream {
  return {
    write(line) {
      destination.write(line);
      if (SEVERE.test(line)) seen(line);
    },
  };
}

export interface RecordedErrors extends RecentErrors {
  /** Remembers a line that reports an error. */
  record(line: string): void;
}

export function createRecentErrors(): RecordedErrors {
  const lines: string[] = [];
  return {
    record(line) {
      lines.push(line);
      if (lines.length > KEPT) lines.shift();
    },
    list: () => lines.toReversed().map((line) => JSON.parse(line) as LoggedError),
  };
}

/** Records the errors that are logged. @returns them, and the destination to log to instead */
export function recordErrors(destination: DestinationStream): {
  readonly errors: RecordedErrors;
  readonly destination: DestinationStream;
} {
  const errors = createRecentErrors();
  return { errors, destination: watchErrors(destination, errors.record) };
}
