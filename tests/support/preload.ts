// Scripts that a process loads before its program, to replace or inspect part of the program.

import { join } from 'node:path';

/** @param scripts paths @returns the value of NODE_OPTIONS */
export function preloading(...scripts: readonly string[]): string {
  return [...scripts, join(__dirname, 'from-cache.js')].map((path) => `--require ${path}`).join(' ');
}

/** A script that makes passwords cheap to hash. */
export const CHEAP_PASSWORDS_SCRIPT = join(__dirname, 'cheap-passwords.js');
