// The command line of `punchboard check`: options and words; the work is done in ../check-spec.ts.

import type { CheckOptions } from './check/check-spec.js';
import { finish, type Register } from './command.js';
import { formatOption } from './format.js';

export const registerCheck: Register = (program, io) => {
  program
    .command('check')
    .description('tell mistakes in the descriptors without writing anything')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .addOption(formatOption())
    .addHelpText('after', '\nExit codes: 0 no mistakes; 1 mistakes; 2 wrong usage.')
    .action(async (options: CheckOptions) => {
      const { checkSpec } = await import('./check/check-spec.js');
      finish(checkSpec(options, io.colour), io);
    });
};
