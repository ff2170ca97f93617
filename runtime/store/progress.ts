// The progress of a long piece of work, for an operator who watches it.
import { isPromise } from '../contract/maybe-promise.js';

/** Shows the progress to the operator. */
export interface Progress {
  begin(label: string, total: number): void;
  advance(count: number): void;
  end(): void;
}

/** The progress of a part of the work, as a process reports it to its parent process. */
export interface ProgressMessage {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

interface ProgressPart {
  readonly label: string;
  /** The number of its units: rows of a table, files, statements, batches. */
  readonly total: number;
}

/** Runs and shows a part of the work, whose bar is removed if it fails. @param progress undefined: nobody watches */
export function withProgress<T>(progress: Progress | undefined, { label, total }: ProgressPart, work: () => T): T {
  if (progress === undefined) return work();
  progress.begin(label, total);
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

/** The same for work that cannot report its progress. */
export function withSingleStepProgress<T>(progress: Progress | undefined, label: string, work: () => T): T {
  return withProgress(progress, { label, total: 1 }, () => {
    const result = work();
    const done = <V>(value: V): V => {
      progress?.advance(1);
      return value;
    };
    return isPromise(result) ? (result.then(done) as T) : done(result);
  });
}
