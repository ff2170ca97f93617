// `punchboard copy`: moves a service to another database, and to another engine. The work is done in copy-work.ts.
import type { Command } from 'commander';
import { CLOCK } from '../../server/clock.js';
import {
  fileModeOption,
  formatOption,
  generatedOption,
  type Io,
  runCommand,
  setUpCommand,
  withNamedDatabase,
} from './command.js';
import type { CopyOptions } from './copy-work.js';

/** Adds `copy` to the program. */
export function registerCopyCommand(program: Command, io: Io): void {
  const command = setUpCommand(program.command('copy'), io).description(
    'copy a stopped service to a new database and compare the two; after an interruption, run it again to continue',
  );
  withNamedDatabase(command, io, { option: 'from', variable: 'FROM_URL', says: 'database to copy' });
  withNamedDatabase(command, io, {
    option: 'to',
    variable: 'TO_URL',
    says: 'empty database to copy to, or path of a new file',
  });
  command
    .option('--files-from <place>', 'files to copy with it: a folder or s3://bucket/prefix')
    .option('--files-to <place>', 'where to copy the files to; created if it is a missing folder')
    .addOption(generatedOption())
    .addOption(fileModeOption())
    .addOption(formatOption())
    .action((options: CopyOptions) => {
      if ((options.filesFrom === undefined) !== (options.filesTo === undefined)) {
        command.error('error: --files-from and --files-to must be given together');
      }
      return runCommand(io, () => copy(options, io));
    });
}

async function copy(options: CopyOptions, { stdout, stderr }: Io): Promise<void> {
  // Loaded on demand, so that other commands do not wait for it.
  const [{ copyService }, { createProgress }] = await Promise.all([import('./copy-work.js'), import('./progress.js')]);
  stdout.write(await copyService(options, createProgress(stderr), CLOCK));
}
