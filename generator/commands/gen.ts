// The options of `punchboard gen`; the work is done in ../gen.ts.

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
    .description('generate code, tables and the API document from the descriptors')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'output folder', 'generated')
    .option('--check', 'write nothing; list the files that are stale, and exit 1 if there are any', false)
    .option('--diff', 'with --check: print the diff of every stale file, not only of those that people read', false)
    .addOption(
      new Option('--watch', 'keep running, and regenerate when the spec folder changes')
        .default(false)
        .conflicts('check'),
    )
    .option(
      '--force <file>',
      'overwrite this generated file although it was edited by hand (repeatable)',
      collected,
      [],
    )
    .option('--stats', 'print how many files were written and how long it took', false)
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 mistakes in the descriptors, hand-edited outputs, or stale outputs (--check); 2 wrong usage.',
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
