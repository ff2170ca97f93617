// Runs a command again whenever a spec changes, and prints only news.

import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FUNCTIONS } from '../../runtime/project/compiled.js';

export interface Watcher {
  /** Stops watching; a run that has begun is finished first. */
  close(): void;
}

/** Editors save in several steps and a branch changes many files; these count as one change. Milliseconds. */
const SETTLE_TIME = 20;

/** The result of a run: the files it wrote, and how it ended. */
interface RunResult {
  readonly code: number;
  readonly stderr: string;
  readonly written: readonly string[];
}

export interface WatchedRun<R extends RunResult> {
  run(): R;
  /** Reports a run; not called if the run had nothing to do. */
  say(run: R): void;
}

/** Runs immediately and after every change. @param spec the spec folder */
export function watchSpec<R extends RunResult>(spec: string, { run: again, say }: WatchedRun<R>): Watcher {
  let waiting: NodeJS.Timeout | null = null;
  let watchers: readonly FSWatcher[] = [];
  let last = '';
  const run = (): void => {
    waiting = null;
    // Folders may have been moved away and back, as git does when it changes branches.
    for (const one of watchers) one.close();
    const folders = [spec, join(spec, 'resources'), join(spec, FUNCTIONS)];
    watchers = folders.filter((folder) => existsSync(folder)).map((one) => watchOne(one));
    watchers = [...watchers, watchOne(dirname(resolve(spec)), basename(resolve(spec)))];
    const done = again();
    const outcome = `${done.code}${done.stderr}`;
    if (done.written.length > 0 || outcome !== last) say(done);
    last = outcome;
  };
  const schedule = (): void => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = setTimeout(run, SETTLE_TIME);
  };
  const watchOne = (folder: string, only?: string): FSWatcher =>
    watch(folder, (_event, name) => {
      // The run itself compiles functions into JavaScript beside them.
      if ((only === undefined || name === only) && !name?.endsWith('.js')) schedule();
    }).on('error', schedule);
  run();
  return {
    close() {
      if (waiting !== null) clearTimeout(waiting);
      for (const one of watchers) one.close();
    },
  };
}
