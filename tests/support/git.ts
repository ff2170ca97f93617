// Runs git in the folder of a test.

import { execFileSync } from 'node:child_process';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];

/** @returns what the command prints */
export function git(folder: string, ...options: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...AUTHOR, ...options], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Turns the folder into a repository, with everything in one commit. */
export function makeRepository(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
}
