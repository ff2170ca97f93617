// The command line of `punchboard gen`: options and words; the work is done in ../gen.ts.

import { Option } from 'commander';
import { finish, type Io, type Register } from './command.js';
import { formatOption } from './format.js';
import type { GenOptions } from './gen/gen.js';

interface Options extends GenOptions {
  readonly watch: boolean;
}

export const registerGen: Register = (program, io) => {
  program
    .command('gen')
    .description('make the code, tables and API document that the descriptors stand for')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'folder for what is made', 'generated')
    .option('--check', 'write nothing; print what would change and exit 1 if anything would', false)
    .addOption(
      new Option('--watch', 'stay, and make anew what changes in the spec folder').default(false).conflicts('check'),
    )
    .option('--force <file>', 'overwrite this generated file though a hand has edited it (repeatable)', collected, [])
    .option('--stats', 'print how many files were written, and the time', false)
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 mistakes in the descriptors, outputs edited by hand, or stale ones (--check); 2 wrong usage.',
    )
    .action(async (given: Options) => {
      const options = { ...given, colour: io.colour };
      if (options.watch) return stay(options, io);
      const { gen } = await import('./gen/gen.js');
      finish(gen(options), io);
    });
};

async function stay(options: Options, { stdout, stderr }: Io): Promise<void> {
  const [{ openGenCache }, { watchGen }] = await Promise.all([import('./gen/gen.js'), import('../write/watch.js')]);
  watchGen(options, openGenCache(options), (run) => {
    stdout.write(run.stdout);
    stderr.write(run.stderr);
    stdout.write(`Watching ${options.spec} for changes\n`);
  });
}

function collected(file: string, before: readonly string[]): readonly string[] {
  return [...before, file];
}
