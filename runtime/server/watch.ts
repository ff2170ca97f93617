// Watches for gen to finish compiling, and calls back each time.

import { readFileSync, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * @param marker the file that gen writes last
 * @param changed called when its content changes; changes during a call lead to one more call afterwards
 * @returns a function that stops watching
 */
export function watchCompiled(marker: string, changed: () => Promise<void>): () => void {
  let last = read(marker);
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
    if (name !== basename(marker)) return;
    const content = read(marker);
    // One write may cause several events, some of them before it is complete.
    if (content === '' || content === last) return;
    last = content;
    void work();
  });
  return () => watcher.close();
}

/** Empty if the file does not exist. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
