// The errors that were logged last, for the operators' pages; they are lost when the server stops, but not in the log.

import type { DestinationStream } from 'pino';

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
  list(): readonly LoggedError[];
}

const KEPT = 50;
/** How a line of level error or fatal begins. */
const SEVERE = /^\{"level":[56]0,/;

/** @returns a destination of the log that passes lines on, and the errors among them */
export function recordErrors(destination: DestinationStream): DestinationStream & RecentErrors {
  const lines: string[] = [];
  return {
    write(line) {
      destination.write(line);
      if (!SEVERE.test(line)) return;
      lines.push(line);
      if (lines.length > KEPT) lines.shift();
    },
    list: () => lines.toReversed().map((line) => JSON.parse(line) as LoggedError),
  };
}
