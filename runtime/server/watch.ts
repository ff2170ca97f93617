// Watches for gen having compiled anew, and has the service reloaded each time. Never reloads by itself.

import { readFileSync, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * @param marker the file that gen writes last
 * @param changed called when it says something else; what comes while it works is one more call afterwards
 * @returns stops watching
 */
export function watchCompiled(marker: string, changed: () => Promise<void>): () => void {
  let said = read(marker);
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
    const says = read(marker);
    // One write may be told several times, and before it is whole.
    if (says === '' || says === said) return;
    said = says;
    void work();
  });
  return () => watcher.close();
}

/** Empty where there is none. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
