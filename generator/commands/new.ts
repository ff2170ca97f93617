// The command line of `punchboard new`: options and words; the work is done in ../scaffold/new.ts.

import { finish, type Register } from './command.js';
import type { NewOptions } from './new/new.js';

export const registerNew: Register = (program, io) => {
  program
    .command('new')
    .description('write a descriptor to start from')
    .argument('<name>', 'name of the new resource')
    .option('--like <resource>', 'start from the descriptor of another resource')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .addHelpText('after', '\nExit codes: 0 written; 1 refused, nothing written; 2 wrong usage.')
    .action(async (name: string, options: NewOptions) => {
      const { newDescriptor } = await import('./new/new.js');
      finish(newDescriptor(name, options), io);
    });
};
