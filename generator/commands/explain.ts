// The command line of `punchboard explain`: options and words; the work is done in ../explain/explain.ts.

import type { ExplainOptions } from '../explain/explain.js';
import { finish, type Register } from './command.js';

export const registerExplain: Register = (program, io) => {
  program
    .command('explain')
    .description('tell what a code means, where a thing comes from, or what a line makes')
    .argument('<what...>', "E0203, 'POST /api/name', name.column, a generated file:line or a descriptor:line")
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'folder of what was made', 'generated')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 there is no such thing, or mistakes in the descriptors; 2 wrong usage.',
    )
    .action(async (what: readonly string[], options: ExplainOptions) => {
      const { explain } = await import('../explain/explain.js');
      finish(explain(what.join(' '), options), io);
    });
};
