// Both sides of a file that a merge has left with conflicts, whole, as git keeps them until the file is added.

import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Null: the file is not in the middle of a merge, or there is no git to ask. */
export function conflictSides(path: string): readonly [string, string] | null {
  const stage = (number: number): string =>
    execFileSync('git', ['-C', dirname(path), 'show', `:${number}:./${basename(path)}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
  try {
    return [stage(2), stage(3)];
  } catch {
    return null;
  }
}
