// `punchboard backup` and `punchboard restore`. The work is done in backup-work.ts.
import type { Command } from 'commander';
import { CLOCK } from '../../server/clock.js';
import type { BackupOptions } from './backup-work.js';
import {
  fileModeOption,
  filesOption,
  formatOption,
  generatedOption,
  type Io,
  runCommand,
  setUpCommand,
  withDatabase,
} from './command.js';

/** Adds `backup` to the program. */
export function registerBackupCommand(program: Command, io: Io): void {
  const save = program
    .command('backup')
    .description('copy database and files to a new folder, verified, while a server may be running')
    .argument('<folder>', 'where to; must not exist');
  withOptions(save, io).action((to: string, options: BackupOptions) =>
    runCommand(io, async () => {
      const { work, context } = await loaded(io);
      io.stdout.write(await work.backup(to, options, context));
    }),
  );
}

/** Adds `restore` to the program. */
export function registerRestoreCommand(program: Command, io: Io): void {
  const load = program
    .command('restore')
    .description('verify a backup, and create database and files from it; nothing is overwritten')
    .argument('<folder>', 'the backup');
  withOptions(load, io).action((from: string, options: BackupOptions) =>
    runCommand(io, async () => {
      const { work, context } = await loaded(io);
      io.stdout.write(await work.restore(from, options, context));
    }),
  );
}

function withOptions(command: Command, io: Io): Command {
  return withDatabase(setUpCommand(command, io), io, '')
    .addOption(filesOption())
    .addOption(generatedOption())
    .addOption(fileModeOption())
    .addOption(formatOption());
}

/** Loaded on demand, so that other commands do not wait for it. */
async function loaded(io: Io) {
  const [work, { createProgress, forwardProgress }] = await Promise.all([
    import('./backup-work.js'),
    import('./progress.js'),
  ]);
  return { work, context: { progress: forwardProgress(createProgress(io.stderr), io), clock: CLOCK } };
}
