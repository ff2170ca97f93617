// The command line of `punchboard gen`: options and words; the work is done in ../gen.ts.

import type { GenOptions } from '../gen.js';
import { finish, type Register } from './command.js';

export const registerGen: Register = (program, io) => {
  program
    .command('gen')
    .description('make the code, tables and API document that the descriptors stand for')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'folder for what is made', 'generated')
    .option('--check', 'write nothing; print what would change and exit 1 if anything would', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 mistakes in the descriptors, or stale outputs (--check); 2 wrong usage.',
    )
    .action(async (options: GenOptions) => {
      const { gen } = await import('../gen.js');
      finish(gen(options), io);
    });
};
