// An earlier commit of this project, compiled in the cache, whose server a test starts beside today's.
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../support/packages.js';
import { ROOT } from '../support/paths.js';

/** @returns the command of that commit; or why it cannot be had */
export function commandOf(
  commit: string,
): { readonly program: readonly [string, string] } | { readonly reason: string } {
  const found = checkoutOf(commit);
  if ('reason' in found) return found;
  return { program: [process.execPath, join(found.folder, 'dist', 'generator', 'bin.js')] };
}

/** @returns the folder of that commit; or why it cannot be had, as in a clone without history */
export function checkoutOf(commit: string): { readonly folder: string } | { readonly reason: string } {
  const found = cached(`checkout-${commit}`, (folder) => {
    const archive = join(folder, 'archive.tar');
    const failed =
      run('git', ['-C', ROOT, 'archive', '--output', archive, commit]) ?? run('tar', ['-xf', archive, '-C', folder]);
    if (failed !== undefined) return failed;
    linkPackages(folder);
    return run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--noCheck', '-p', folder]);
  });
  if ('reason' in found) return found;
  // The checkout that filled the cache may be gone.
  linkPackages(found.folder);
  return found;
}

function linkPackages(folder: string): void {
  const link = join(folder, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(join(ROOT, 'node_modules'), link);
}

/** @returns why it failed; undefined: it did not */
function run(command: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${command}: ${error?.message ?? ''}${stdout}${stderr}`.trim();
}
