// `serve --standby`: a process that has loaded what a server needs of the program, and waits to be told to begin. What depends on
// the project (generated code, functions, the database) it reads only then, so that it serves what any other start would.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { loadLaterModules } from '../../server/later-modules.js';
import { loadEngine } from '../../store/open-engine.js';

/** What such a process is told. */
export interface Beginning {
  /** The port to listen on; null: that of the options. */
  readonly port: number | null;
  /** It was started long ago: what it has loaded may have changed since. */
  readonly hasWaited: boolean;
}

/** Exit code of a process that had loaded files that have changed since. */
export const OUTDATED = 75;

/** Resolves when the process that started this one tells it to begin. If that has gone, this one ends. */
export async function toldToBegin(exit: (code: number) => void): Promise<Beginning> {
  const leave = (): void => exit(0);
  process.once('disconnect', leave);
  const [beginning] = (await once(process, 'message')) as [Beginning];
  process.off('disconnect', leave);
  return beginning;
}

/** @returns the port to listen on; null: that of the options */
export async function standBy(
  { database, console, demo }: { readonly database: string; readonly console: boolean; readonly demo: boolean },
  exit: (code: number) => void,
): Promise<number | null> {
  // What generated code requires.
  require('../../contract/kit.js');
  loadLaterModules(['requests', 'console', 'hooks']);
  loadEngine(database);
  if (console) require('../../server/console.js');
  if (demo) require('../demo/demo.js');
  const { port, hasWaited } = await toldToBegin(exit);
  if (hasWaited && Object.keys(require.cache).some(hasChanged)) exit(OUTDATED);
  return port;
}

/** By the time of the last change of the file itself: what a package manager unpacks has a date of long ago. */
function hasChanged(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.ctimeMs > performance.timeOrigin;
}
