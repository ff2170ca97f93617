// How far a long piece of work has come, for an operator who watches it.
import { isPromise } from '../contract/maybe-promise.js';

/** Shows the operator how far the work has come. */
export interface Progress {
  begin(what: string, total: number): void;
  advance(count: number): void;
  end(): void;
}

/** How far a part of the work has come, as a process reports it to the one that started it. */
export interface ProgressMessage {
  readonly what: string;
  readonly value: number;
  readonly max: number;
}

interface ProgressPart {
  readonly what: string;
  /** How many parts it has: rows of a table, files, statements, batches. */
  readonly total: number;
}

/** Part of the work, of which no unfinished bar is left if it fails. @param progress undefined: nobody watches */
export function showing<T>(progress: Progress | undefined, { what, total }: ProgressPart, work: () => T): T {
  if (progress === undefined) return work();
  progress.begin(what, total);
  let result: T;
  try {
    result = work();
  } catch (error) {
    progress.end();
    throw error;
  }
  if (isPromise(result)) return result.finally(() => progress.end()) as T;
  progress.end();
  return result;
}

/** The same for work that cannot say how far it is. */
export function showingWhole<T>(progress: Progress | undefined, what: string, work: () => T): T {
  return showing(progress, { what, total: 1 }, () => {
    const result = work();
    const done = <V>(value: V): V => {
      progress?.advance(1);
      return value;
    };
    return isPromise(result) ? (result.then(done) as T) : done(result);
  });
}
