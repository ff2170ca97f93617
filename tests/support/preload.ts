// Scripts that a process loads before its program, to replace or to inspect part of it.

import { join } from 'node:path';

/** @param scripts paths @returns the value of NODE_OPTIONS */
export function preloading(...scripts: readonly string[]): string {
  return [...scripts, join(__dirname, 'from-cache.js')].map((path) => `--require ${path}`).join(' ');
}

/** Hashes passwords cheaply. */
export const CHEAP_PASSWORDS_SCRIPT = join(__dirname, 'cheap-passwords.js');
