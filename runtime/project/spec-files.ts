// Which files of a spec folder define the service, and their text.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfSpec } from './identity.js';

/** The ledger, in the spec folder. */
export const LEDGER = 'ledger.json';

/** Whether there is a spec in the folder. */
export function isSpec(folder: string): boolean {
  return existsSync(join(folder, RESOURCES));
}

const RESOURCES = 'resources';

/** The folder of cut versions, in the spec folder. */
export const VERSIONS = 'versions';

/** Paths of the descriptors and of the versions, relative to the folder and with `/`. Throws if there is no spec in it. */
export function descriptorFiles(folder: string): readonly string[] {
  const resources = readdirSync(join(folder, RESOURCES)).filter((file) => /\.ya?ml$/.test(file));
  return [
    ...['conventions.yaml', 'events.yaml'].filter((file) => existsSync(join(folder, file))),
    ...resources.sort().map((file) => `${RESOURCES}/${file}`),
    ...versionFiles(folder),
  ];
}

/** The files of cut versions (D68). */
function versionFiles(folder: string): readonly string[] {
  const path = join(folder, VERSIONS);
  if (!existsSync(path)) return [];
  const files = readdirSync(path).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => `${VERSIONS}/${file}`);
}

/** Bytes that are not UTF-8 become U+FFFD. Throws if it cannot be read. */
export function textOf(path: string): string {
  return new TextDecoder('utf-8').decode(readFileSync(path));
}

/** The hash of the spec as it is on disk. Throws if part of it cannot be read. */
export function hashOfSpecIn(folder: string): string {
  const ledger = existsSync(join(folder, LEDGER)) ? [LEDGER] : [];
  const paths = [...descriptorFiles(folder), ...ledger];
  // The same text as `textOf`, but faster.
  return hashOfSpec(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8').replace(/^\uFEFF/, '')]));
}
