// `serve --standby`: a process that has loaded the program of a server, and waits for the message to begin. It reads the project
// (generated code, functions, the database) only then, so that it serves what any other start would.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { loadAllParts } from '../../server/later-modules.js';
import { loadEngine } from '../../store/open-engine.js';

/** The message to begin. */
export interface BeginMessage {
  /** The port to listen on; null: that of the options. */
  readonly port: number | null;
  /** It was started long ago: files that it has loaded may have changed since. */
  readonly hasWaited: boolean;
}

/** Exit code of a process whose loaded files have changed since. */
export const OUTDATED = 75;

/** Resolves with the message of the process that started this one. If that process ends, so does this one. */
export async function messageToBegin(exit: (code: number) => void): Promise<BeginMessage> {
  const leave = (): void => exit(0);
  process.once('disconnect', leave);
  const [message] = (await once(process, 'message')) as [BeginMessage];
  process.off('disconnect', leave);
  return message;
}

/** @returns the port to listen on; null: that of the options */
export async function standBy(
  { database, demo }: { readonly database: string; readonly demo: boolean },
  exit: (code: number) => void,
): Promise<number | null> {
  // Generated code requires this module.
  require('../../contract/kit.js');
  loadAllParts();
  loadEngine(database);
  if (demo) require('../demo/demo.js');
  const { port, hasWaited } = await messageToBegin(exit);
  if (hasWaited && Object.keys(require.cache).some(hasChanged)) exit(OUTDATED);
  return port;
}

/** Whether the file has changed since this process began. It reads ctime: packages are unpacked with old modification times. */
function hasChanged(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.ctimeMs > performance.timeOrigin;
}
