// An earlier commit of this project, compiled in the cache, whose server a test starts beside the current one.
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../support/packages.js';
import { ROOT } from '../support/paths.js';

/** @returns the command of that commit, or the reason why it is unavailable */
export function commandOf(
  commit: string,
): { readonly program: readonly [string, string] } | { readonly reason: string } {
  const checkout = checkoutOf(commit);
  if ('reason' in checkout) return checkout;
  return { program: [process.execPath, join(checkout.folder, 'dist', 'generator', 'bin.js')] };
}

/** @returns the folder of that commit, or the reason why it is unavailable, as in a clone without history */
export function checkoutOf(commit: string): { readonly folder: string } | { readonly reason: string } {
  const cachedFolder = cached(`checkout-${commit}`, (folder) => {
    const archive = join(folder, 'archive.tar');
    const failed =
      run('git', ['-C', ROOT, 'archive', '--output', archive, commit]) ?? run('tar', ['-xf', archive, '-C', folder]);
    if (failed !== undefined) return failed;
    linkPackages(folder);
    return run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--noCheck', '-p', folder]);
  });
  if ('reason' in cachedFolder) return cachedFolder;
  // The checkout that filled the cache may have been deleted.
  linkPackages(cachedFolder.folder);
  return cachedFolder;
}

function linkPackages(folder: string): void {
  const link = join(folder, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(join(ROOT, 'node_modules'), link);
}

/** @returns the error, or undefined on success */
function run(command: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${command}: ${error?.message ?? ''}${stdout}${stderr}`.trim();
}
