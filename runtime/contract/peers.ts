// Packages that only some services need: optional peers of Punchboard, installed where they are used.

import { CommandError } from './command-error.js';

/** What needs each of them. */
const USES = {
  pg: 'a PostgreSQL database needs',
  '@aws-sdk/client-s3': 'files in a bucket need',
  nodemailer: 'a mail server needs',
} as const;

/** The same for packages that only developers use. */
const DEVELOPERS_USES = {
  typescript: 'compiling what gen writes needs',
  jest: 'running tests needs',
  'fast-check': 'running tests needs',
} as const;

export type Peer = keyof typeof USES;
export type DevelopersPeer = keyof typeof DEVELOPERS_USES;

export function isInstalled(peer: Peer): boolean {
  try {
    require.resolve(peer);
    return true;
  } catch {
    return false;
  }
}

/** Throws CommandError, which says what to install. */
export function assertInstalled(peer: Peer): void {
  if (!isInstalled(peer)) throw new CommandError(`${USES[peer]} the package ${peer}: npm install ${peer}`);
}

/** For a package that is resolved from the repository, where only developers install it. */
export function notInstalled(peer: DevelopersPeer): CommandError {
  return new CommandError(`${DEVELOPERS_USES[peer]} the package ${peer}: npm install --save-dev ${peer}`);
}
