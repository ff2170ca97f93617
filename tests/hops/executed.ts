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

export interface Counter {
  /** @returns what runs every time the work is done, so that code which happened to run beside it does not count */
  during(work: () => Promise<unknown>, times?: number): Promise<ExecutedCode>;
  close(): void;
}

/** On a busy machine, a timer of some milliseconds runs beside most requests, but not beside all of so many. */
const TIMES = 50;

export function startCounter(): Counter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async during(work, times = TIMES) {
      const runs: ReadonlySet<string>[] = [];
      for (let run = 0; run < times; run += 1) {
        take(session);
        await work();
        runs.push(take(session));
      }
      const [first = new Set<string>(), ...others] = runs;
      const functions = new Set([...first].filter((one) => others.every((run) => run.has(one))));
      return { functions, files: new Set([...functions].map((one) => one.slice(0, one.indexOf(':')))) };
    },
    close: () => session.disconnect(),
  };
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
