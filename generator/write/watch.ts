// `gen --watch`: runs gen again whenever the spec changes, with what it remembers in memory. Says only what is new.

import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type GenOptions, genWith, type Run } from '../commands/gen/gen.js';
import type { Cache } from './cache.js';

export interface Watching {
  /** Stops watching; a run that has begun is finished first. */
  close(): void;
}

/** An editor writes in several steps, and a branch is many files: they are one change. Milliseconds. */
const SETTLES_IN = 40;

/**
 * Runs gen at once and after every change.
 * @param cache kept from run to run
 * @param say what a run said; left out when it found nothing to do
 */
export function watchGen(options: GenOptions, cache: Cache, say: (run: Run) => void): Watching {
  const { spec } = options;
  let waiting: NodeJS.Timeout | null = null;
  let watchers: readonly FSWatcher[] = [];
  let last = '';
  const run = (): void => {
    waiting = null;
    // Folders may have been moved away and back, as git does when it changes branches.
    for (const one of watchers) one.close();
    watchers = [spec, join(spec, 'resources')].filter((folder) => existsSync(folder)).map((one) => watchOne(one));
    watchers = [...watchers, watchOne(dirname(resolve(spec)), basename(resolve(spec)))];
    const done = genWith({ ...options, stats: true }, cache);
    const said = `${done.code}${done.stderr}`;
    if (done.written.length > 0 || said !== last) say(done);
    last = said;
  };
  const soon = (): void => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = setTimeout(run, SETTLES_IN);
  };
  const watchOne = (folder: string, only?: string): FSWatcher =>
    watch(folder, (_event, name) => (only === undefined || name === only) && soon()).on('error', soon);
  run();
  return {
    close() {
      if (waiting !== null) clearTimeout(waiting);
      for (const one of watchers) one.close();
    },
  };
}
