// The files and functions of the project that run during some work, with their closures, as V8 counts them.

import { type Profiler, Session } from 'node:inspector';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../support/paths.js';

const PROJECT = ['runtime', 'generated'].map((folder) => join(ROOT, 'dist', folder) + sep);

export interface ExecutedCode {
  /** Paths below `dist/`. */
  readonly files: ReadonlySet<string>;
  /** As `path:offset name`. */
  readonly functions: ReadonlySet<string>;
}

/** How many files and functions may run. */
export interface Budget {
  readonly files: number;
  readonly functions: number;
}

export interface Counter {
  /**
   * Repeats the work until it is known to be within the budget, or has run that many times.
   * @returns what ran every time, so that code that happened to run beside the work does not count
   */
  during(work: () => Promise<unknown>, budget: Budget, times?: number): Promise<ExecutedCode>;
  close(): void;
}

/** On a busy machine, a timer of some milliseconds runs beside most requests, but not beside this many in a row. */
const TIMES = 50;

export function startCounter(): Counter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async during(work, budget, times = TIMES) {
      take(session);
      const run = async () => {
        await work();
        return take(session);
      };
      let executed = codeOf([...(await run())]);
      for (let left = times - 1; left > 0 && !isWithin(executed, budget); left -= 1) {
        const again = await run();
        executed = codeOf([...executed.functions].filter((one) => again.has(one)));
      }
      return executed;
    },
    close: () => session.disconnect(),
  };
}

function codeOf(functions: readonly string[]): ExecutedCode {
  return { functions: new Set(functions), files: new Set(functions.map((one) => one.slice(0, one.indexOf(':')))) };
}

function isWithin({ files, functions }: ExecutedCode, budget: Budget): boolean {
  return files.size <= budget.files && functions.size <= budget.functions;
}

/** The functions that have run since the last call. */
function take(session: Session): ReadonlySet<string> {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  // The result is available when `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    scripts = result;
  });
  return new Set(scripts.flatMap(functionsOf));
}

function functionsOf({ url, functions }: Profiler.ScriptCoverage): readonly string[] {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (!PROJECT.some((folder) => path.startsWith(folder))) return [];
  const file = relative(join(ROOT, 'dist'), path);
  return functions.flatMap(({ functionName, ranges: [whole] }) =>
    whole !== undefined && whole.count > 0 ? [`${file}:${whole.startOffset} ${functionName}`] : [],
  );
}
