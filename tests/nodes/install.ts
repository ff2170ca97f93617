// Installs another major version of Node, and the driver built for it, from the package registry into a cache: `npm run nodes`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, npm } from '../support/packages.js';
import { ROOT } from '../support/paths.js';

export interface InstalledNode {
  readonly version: string;
  readonly node: string;
  /** The folder of better-sqlite3, built for it. */
  readonly driver: string;
}

const PLATFORM = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @returns the newest version of `22` or `24.18`, from the cache or newly installed, or the reason why it is unavailable */
export function installNode(wanted: string): InstalledNode | { readonly reason: string } {
  const driverVersion = versionOf(join(ROOT, 'node_modules', 'better-sqlite3'));
  const cachedNode = cached(`node-${wanted}-${process.arch}-sqlite-${driverVersion}`, (folder) =>
    install(folder, wanted, driverVersion),
  );
  if ('reason' in cachedNode) return cachedNode;
  const home = join(cachedNode.folder, 'node_modules', PLATFORM);
  return {
    version: versionOf(home),
    node: join(home, 'bin', 'node'),
    driver: join(cachedNode.folder, 'node_modules', 'better-sqlite3'),
  };
}

/** @returns the error, or undefined if both are installed */
function install(folder: string, wanted: string, driverVersion: string): string | undefined {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const home = join(folder, 'node_modules', PLATFORM);
  // The package of Node contains the headers that the driver is compiled with if no prebuilt one can be downloaded. It is
  // compiled without optimization, which would take minutes, since nothing is measured with it.
  const path = `${join(home, 'bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, npm_config_nodedir: home, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  return (
    npm(folder, ['install', `${PLATFORM}@${wanted}`]) ??
    npm(folder, ['install', `better-sqlite3@${driverVersion}`], env)
  );
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
