// Watches for gen having compiled anew, and has the service reloaded each time. Never reloads by itself.

import { watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * @param marker the file that gen writes last
 * @param changed called after it was written; what comes while it works is one more call afterwards
 * @returns stops watching
 */
export function watchCompiled(marker: string, changed: () => Promise<void>): () => void {
  let working = false;
  let again = false;
  const work = async (): Promise<void> => {
    again = working;
    if (working) return;
    working = true;
    await changed();
    working = false;
    if (again) await work();
  };
  const watcher = watchFolder(dirname(marker), (_event, name) => {
    if (name === basename(marker)) void work();
  });
  return () => watcher.close();
}
